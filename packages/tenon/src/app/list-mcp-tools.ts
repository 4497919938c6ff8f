import type { Env } from "../config/env-names.js";
import { BadInputError } from "../errors/run-errors.js";
import { missingVariables, serverFaults } from "../mcp/client/server-faults.js";
import type { McpServerOptions } from "../mcp/client/server-options.js";
import { serverSpecOf } from "../mcp/client/server-spec-of.js";
import type { ListedTool, ServerTools } from "../mcp/connection/listed-tool.js";
import { askServer } from "../mcp/lock/ask-server.js";
import { lockPathFrom } from "../mcp/lock/lock-path.js";
import { withPins } from "../mcp/lock/lock-file.js";
import { pinOf } from "../mcp/lock/pin-of.js";
import { shownText } from "../mcp/lock/shown-text.js";
import { toolTextFault } from "../mcp/lock/tool-text.js";
import { updateLock } from "../mcp/lock/update-lock.js";

/**
 * Connects to a server as `@McpServer` describes it, lists all its tools and closes the connection (one that is too
 * large to be pinned is a fault and not among them): for tools that write code, or
 * look at servers. `env` is where the variables that it names are read from (`process.env`). Throws `BadInputError` for bad
 * options and for a variable that is not set, `McpConnectionError` for a server that does not answer.
 */
export async function listMcpTools(
  server: Omit<McpServerOptions, "tools" | "lockFile">,
  env: Env,
): Promise<ServerTools> {
  const options: McpServerOptions = { ...server, tools: ["any"] };
  const faults = serverFaults(options);
  if (faults.length === 0) faults.push(...missingVariables(options, env).map(({ message }) => message));
  if (faults.length > 0)
    throw new BadInputError("The MCP server cannot be asked", faults.join("; "), "Mend what is listed.");
  const { tools, faults: others } = await askServer(serverSpecOf(options, env));
  const bad = tools.flatMap((tool) => {
    const fault = toolTextFault(tool);
    return fault === undefined
      ? []
      : [{ tool, fault: `The tool ${shownText(tool.name, 80)} cannot be pinned: ${fault}.` }];
  });
  return {
    tools: tools.filter((tool) => !bad.some((one) => one.tool === tool)),
    faults: [...others, ...bad.map(({ fault }) => fault)],
  };
}

/**
 * Pins tools of a server as they are listed: in the lock file that a class declared in the folder `from` finds. Other pins of the
 * server stay. Gives the path of the file. Throws `McpLockError` for one that cannot be used, which stays as it is.
 */
export async function pinMcpTools(server: string, tools: readonly ListedTool[], from: string): Promise<string> {
  const file = lockPathFrom(from);
  const pins = new Map(tools.map((tool) => [tool.name, pinOf(tool)]));
  await updateLock(file, (lock) => withPins(lock, server, pins));
  return file;
}

/** The lock file that a class declared in a folder finds, whether it is there or not. */
export function lockFileFrom(folder: string): string {
  return lockPathFrom(folder);
}
