import type { Readable, Writable } from "node:stream";
import {
  checkOptions,
  filledText,
  flag,
  list,
  maybe,
  oneOf,
  wholeNumber,
  type OptionRules,
} from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import type { Authorize } from "../mcp/serve/http-endpoint.js";
import { isLoopback } from "../util/host-name.js";
import { callerFault } from "../mcp/serve/read-caller.js";
import type { McpCaller } from "../mcp/serve/tool-port.js";
import type { ToolEntry } from "../tools/tool-entry.js";

/** What to offer, where, and to whom. */
export interface ServeMcpOptions {
  /** Classes, values of `defineTool`, or names. Default all tools of the workflow's agents, each once. */
  readonly tools?: readonly (ToolEntry | string)[] | undefined;
  /**
   * `http` (the default): a server of its own. `stdio`: the process's standard input and output. `none`: no server; mount `fetch`
   * or `handler` into your own.
   */
  readonly transport?: "http" | "stdio" | "none" | undefined;
  /** Of `http`, as `port` and `path`. Default `127.0.0.1`. Any other than this machine's own needs `authorize`. */
  readonly host?: string | undefined;
  /** Default 0: any that is free. */
  readonly port?: number | undefined;
  /** Default `/mcp`. */
  readonly path?: string | undefined;
  /**
   * Says who sends a request over HTTP, by its bearer token or anything else of it. `undefined`, a throw, what is
   * not clearly a caller, or no answer in 10 seconds (by the app's clock) refuses it with 401. What it gives decides whose runs they are.
   */
  readonly authorize?: Authorize | undefined;
  /** Who calls without `authorize`, and on standard input and output. Default nobody in particular. */
  readonly caller?: McpCaller | undefined;
  /** Names that the `Host` of a request may have, without ports. Default this machine's own, and `host`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Host names that the `Origin` of a request may have, where it has one. Default those of `allowedHosts`. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Whether the client is asked where a call waits for a person; default `true`. With `false` only `tenon approve` and `app.resume`
   * decide: for callers that must not approve what they ask for.
   */
  readonly elicit?: boolean | undefined;
  /** Of `stdio`, as `output`: in place of the process's standard input. */
  readonly input?: Readable | undefined;
  /** In place of the process's standard output, which otherwise is the protocol's alone: `console.log` goes to standard error. */
  readonly output?: Writable | undefined;
  /** Hears of faults that no client is told of. What it throws is swallowed. */
  readonly onError?: ((thrown: unknown) => void) | undefined;
}

/** Throws `BadInputError` with everything that is wrong with the options. */
export function checkServeOptions(options: ServeMcpOptions): void {
  const faults = checkOptions(options, rules);
  if (faults.length > 0) throw cannotBeUsed(faults);
  const { host, authorize, transport = "http" } = options;
  if (host !== undefined && transport === "http" && !isLoopback(host) && authorize === undefined)
    faults.push(`host ${host} can be reached from other machines: give \`authorize\` too, or leave \`host\` out`);
  if (authorize !== undefined && options.caller !== undefined && transport !== "stdio")
    faults.push("caller says nothing beside `authorize`, which says who calls");
  for (const [of, names] of Object.entries(ofTransport))
    for (const name of names)
      if (of !== transport && options[name] !== undefined)
        faults.push(`${name} says nothing where \`transport\` is "${transport}": it is of "${of}"`);
  if (faults.length > 0) throw cannotBeUsed(faults);
}

function cannotBeUsed(faults: readonly string[]): BadInputError {
  return new BadInputError(
    "The options of serveMcp cannot be used",
    faults.join("; "),
    "Mend them; nothing is served.",
  );
}

/** What only one transport looks at. */
const ofTransport = { http: ["host", "port", "path"], stdio: ["input", "output"] } as const;

const isFunction =
  (name: string) =>
  (value: unknown): string | undefined =>
    typeof value === "function" ? undefined : `${name} must be a function`;

/** A stream of Node's: one that only reads or writes says neither that it has more nor that it has ended. */
function isStream(value: unknown, does: "read" | "write"): boolean {
  const stream = value as { readonly [name: string]: unknown } | null;
  return [does, "on", "setMaxListeners"].every((name) => typeof stream?.[name] === "function");
}

const names = (name: string) =>
  maybe((value) =>
    Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "")
      ? undefined
      : `${name} must be a list of host names`,
  );

const rules: OptionRules = {
  tools: maybe(list("tools")),
  transport: maybe(oneOf("transport", ["http", "stdio", "none"])),
  host: maybe(filledText("host")),
  port: maybe(wholeNumber("port", 0, 65_535)),
  path: maybe((value) =>
    typeof value === "string" && /^\/[^\s?#]*$/.test(value) ? undefined : "path must begin with / and have no query",
  ),
  authorize: maybe(isFunction("authorize")),
  caller: maybe((value) => {
    const fault = callerFault(value);
    return fault === undefined ? undefined : `caller: ${fault}`;
  }),
  allowedHosts: names("allowedHosts"),
  allowedOrigins: names("allowedOrigins"),
  elicit: maybe(flag("elicit")),
  input: maybe((value) => (isStream(value, "read") ? undefined : "input must be a stream that can be read")),
  output: maybe((value) => (isStream(value, "write") ? undefined : "output must be a stream that can be written to")),
  onError: maybe(isFunction("onError")),
};
