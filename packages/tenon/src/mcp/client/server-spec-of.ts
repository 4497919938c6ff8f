import type { Env } from "../../config/env-names.js";
import type { ServerSpec } from "../connection/server-spec.js";
import { namedVariables } from "./server-faults.js";
import { SERVER_SILENT_MS, SERVER_START_MS, type McpServerOptions } from "./server-options.js";

/** How a server is reached: what `@McpServer` says, with the values of the variables that it names. */
export function serverSpecOf(options: McpServerOptions, all: Env): ServerSpec {
  const { name, command, args, cwd, url, headers, startTimeoutMs = SERVER_START_MS } = options;
  const idleTimeoutMs = options.timeoutMs ?? SERVER_SILENT_MS;
  const env = namedVariables(options, all);
  const ofCaller = headers === undefined ? undefined : (context: unknown) => headers(context, env);
  return { name, command, args, cwd, url, env, headers: ofCaller, startTimeoutMs, idleTimeoutMs };
}
