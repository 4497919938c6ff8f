import type { Env } from "../../config/env-names.js";
import { checkOptions, filledText, maybe, shownValue, wholeNumber, type OptionRules } from "../../config/options.js";
import { MissingVariableError } from "../../errors/environment-errors.js";
import type { Fault } from "../../errors/fault.js";
import { TOOL_NAME } from "../../tools/bind-tool.js";
import type { McpServerOptions } from "./server-options.js";

/** Everything that is wrong with the options of `@McpServer`, as clauses. Never throws. */
export function serverFaults(options: unknown): string[] {
  const faults = checkOptions(options, rules);
  if (typeof options !== "object" || options === null) return faults;
  const { command, url, args, cwd, headers } = options as Partial<McpServerOptions>;
  if (command !== undefined && url !== undefined) faults.push("it has both command and url; keep one");
  if (command === undefined && url === undefined) faults.push("it has neither command nor url; say how it is reached");
  if (url !== undefined)
    for (const [name, value] of Object.entries({ args, cwd }))
      if (value !== undefined) faults.push(`${name} goes with command, not with url`);
  if (command !== undefined && headers !== undefined)
    faults.push("headers go with url; a started program is told with env");
  return faults;
}

/** Which of the variables that a server names are not set, or hold what no program can be given, as clauses; `data` of one that is not set has its name. No value is shown. */
export function missingVariables({ name: server, env: names = [] }: McpServerOptions, env: Env): Fault[] {
  const valueOf = (name: string): unknown => (Object.hasOwn(env, name) ? env[name] : undefined);
  const isSet = (name: string): boolean => valueOf(name) !== undefined && valueOf(name) !== "";
  const set = names.filter(isSet);
  const others = set.length === 0 ? "" : ` (it has ${set.join(", ")})`;
  return names.flatMap((name) => {
    const value = valueOf(name);
    if (!isSet(name))
      return [
        {
          message: `the environment variable ${name} is not set; set it, or pass it in \`env\` of createApp${others}`,
          code: MissingVariableError.code,
          data: { variable: name, server, set },
        },
      ];
    if (typeof value === "string" && !value.includes("\0")) return [];
    return [{ message: `the environment variable ${name} must be a text without the character U+0000` }];
  });
}

/** The values of the variables that a server names. */
export function namedVariables({ env: names = [] }: McpServerOptions, env: Env): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, (Object.hasOwn(env, name) ? env[name] : undefined) ?? ""]));
}

const rules: OptionRules = {
  name: (value) =>
    typeof value === "string" && TOOL_NAME.test(value) ? undefined : `name must match ${TOOL_NAME.source}`,
  command: maybe(filledText("command")),
  args: maybe((value) => (isTexts(value) ? undefined : "args must be a list of texts")),
  cwd: maybe(filledText("cwd")),
  url: maybe(urlFault),
  env: maybe(envFault),
  headers: maybe((value) =>
    typeof value === "function" ? undefined : "headers must be a function of the execution context",
  ),
  tools: toolsFault,
  timeoutMs: maybe(wholeNumber("timeoutMs", 1, 2 ** 31 - 1, "milliseconds")),
  startTimeoutMs: maybe(wholeNumber("startTimeoutMs", 1, 2 ** 31 - 1, "milliseconds")),
  lockFile: maybe((value) =>
    isFile(value) ? undefined : `lockFile must be a path or a \`file:\` URL, not ${shownValue(String(value))}`,
  ),
};

function isFile(value: unknown): boolean {
  if (value instanceof URL) return value.protocol === "file:";
  return typeof value === "string" && value.trim() !== "" && !value.includes("\0");
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The value is not shown where it may hold a secret. */
function urlFault(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return "url must be an address: `https://example.com/mcp`";
  const { protocol, username, password } = new URL(value);
  if (protocol !== "http:" && protocol !== "https:") return `url must begin with https:// or http://, not ${protocol}`;
  return username === "" && password === ""
    ? undefined
    : "url has a user or password in it; name their variable in env, and make a header of it with `headers`";
}

function envFault(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "env must list the names of environment variables; values do not belong into code";
  // Whoever wrote a value here wrote a secret: it is not shown.
  const bad = value.findIndex((name) => typeof name !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (bad >= 0) return `env[${bad}] is no name of an environment variable; values do not belong into code`;
  const twice = doubled(value as readonly string[]);
  return twice === undefined ? undefined : `env names ${twice} twice`;
}

function toolsFault(value: unknown): string | undefined {
  if (!isTexts(value) || value.some((name) => name.trim() === ""))
    return "tools must list the names that the server has for the tools that are used";
  if (value.length === 0) return "tools must name at least one tool of the server";
  const twice = doubled(value);
  return twice === undefined ? undefined : `tools names ${shownValue(twice)} twice`;
}

function doubled(names: readonly string[]): string | undefined {
  return names.find((name, i) => names.indexOf(name) !== i);
}
