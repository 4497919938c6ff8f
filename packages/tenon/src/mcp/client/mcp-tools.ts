import { checkOptions, list, maybe, shownValue, type OptionRule, type OptionRules } from "../../config/options.js";
import { BadInputError } from "../../errors/run-errors.js";
import { textOf } from "../../errors/tenon-error.js";
import { toValidName } from "../../llm/wire-names.js";
import { jsonSchema } from "../../schema/json-schema-source.js";
import type { ToolDefinition } from "../../tools/define-tool.js";
import type { ToolContext } from "../../tools/tool-context.js";
import type { Approval, ToolOptions } from "../../tools/tool-options.js";
import { isPlainObject } from "../../util/plain-object.js";
import { isAccepting } from "../lock/accepting.js";
import type { PinnedTool } from "../lock/pin-of.js";
import type { McpServerClient } from "./mcp-server-client.js";
import { MCP_TOOL, type McpToolEntry } from "./mcp-tool-entry.js";
import { serverFaults } from "./server-faults.js";
import { serverDeclarationOf, type McpServerClass, type McpServerDeclaration } from "./server-options.js";
import { pinsOf, type ServerPins } from "./server-pins.js";

/** A value for each tool, by its name at the server. */
type ByTool<T> = { readonly [tool: string]: T };

/** What the app says of tools that it takes as they are. */
export interface McpToolsOptions {
  /** What their names begin with for the model: `mail_`. Default: nothing. */
  readonly prefix?: string | undefined;
  /** Some of the server's declared tools, by their names there. Default: all of them. */
  readonly only?: readonly string[] | undefined;
  /** Default `write` for each: what the server says of itself is a hint, and weakens nothing. */
  readonly access?: ByTool<"read" | "write"> | undefined;
  /** Whether a person is asked before a call: for all of them, or by tool. Default: nobody is. */
  readonly approval?: Approval | ByTool<Approval> | undefined;
  /** Milliseconds a call may take, for all of them or by tool; default 600,000, or the workflow's `defaults.tools.timeoutMs`. */
  readonly timeoutMs?: number | ByTool<number> | undefined;
  /** What it means that a call was interrupted, by tool; see `@Tool`. */
  readonly inDoubt?: ByTool<"rerun" | "ask"> | undefined;
  /** Those that are asked again on purpose; see `@Tool`. */
  readonly polling?: ByTool<boolean> | undefined;
  /** Whose words the results are, for all of them. Default `untrusted`. */
  readonly source?: "trusted" | "untrusted" | undefined;
  /** What the model reads of a result at most, in characters, for all of them; default 20,000. */
  readonly maxResultChars?: number | undefined;
  readonly hooks?: ToolOptions["hooks"] | undefined;
}

/**
 * The tools that a server is declared with, as they are: `tools: [...mcpTools(Files)]`. Their descriptions and schemas are read from
 * the lock file when an app is assembled, and nothing is connected; one that is not pinned is an error of the assembly. The app
 * keeps to the pins that it found then, also for tools of a later request. A call gives
 * the structured content of a tool that has an output schema, else what `McpServerClient.call` gives. Throws `BadInputError` for a
 * class that is no server, and for options that it does not have.
 */
export function mcpTools(server: McpServerClass, options: McpToolsOptions = {}): readonly ToolDefinition[] {
  const declaration = declared(server);
  const known = declaration.options.tools;
  const faults = checkOptions(options, rulesFor(known));
  if (faults.length > 0)
    throw new BadInputError(`mcpTools(${server.name}, …) cannot be used`, faults.join("; "), "Mend its options.");
  return (options.only ?? known).map((tool) => definition(server, declaration, tool, options));
}

function declared(server: unknown): McpServerDeclaration {
  const declaration = serverDeclarationOf(server);
  if (declaration === undefined)
    throw new BadInputError(
      "mcpTools takes the class of a server",
      typeof server === "function"
        ? server.name
        : `${shownValue(server)}${server === undefined ? " (an import cycle?)" : ""}`,
      "Decorate it with `@McpServer({ … })`.",
    );
  const faults = serverFaults(declaration.options);
  if (faults.length > 0)
    throw new BadInputError(
      "The server of mcpTools is not declared right",
      `${(server as McpServerClass).name}: ${faults.join("; ")}`,
      "Mend the options of its @McpServer.",
    );
  return declaration;
}

function definition(
  server: McpServerClass,
  declaration: McpServerDeclaration,
  tool: string,
  given: McpToolsOptions,
): ToolDefinition {
  const name = toValidName(`${given.prefix ?? ""}${tool}`);
  const policy: Partial<ToolOptions> = {
    access: ofTool(given.access, tool) ?? "write",
    approval: ofTool(given.approval, tool),
    timeoutMs: ofTool(given.timeoutMs, tool),
    inDoubt: ofTool(given.inDoubt, tool),
    polling: ofTool(given.polling, tool),
    source: given.source ?? "untrusted",
    maxResultChars: given.maxResultChars,
    hooks: given.hooks,
    deps: [server],
  };
  let last: { readonly pin: PinnedTool; readonly options: ToolOptions } | undefined;
  /** The same schemas as long as the pin is the same. */
  const optionsOf = (pin: PinnedTool | undefined): ToolOptions => {
    if (pin === undefined)
      return { ...policy, name, description: `${tool} of the server ${declaration.options.name}`, input: anything };
    if (last?.pin.hash !== pin.hash) last = { pin, options: { ...policy, name, ...described(pin) } };
    return last.options;
  };
  const place: McpToolEntry = {
    server,
    tool,
    form: "mcpTools",
    pinned: (pin) => {
      const options = optionsOf(pin);
      return { ...whole, description: options.description, options } as ToolDefinition;
    },
  };
  const whole = {
    [MCP_TOOL]: place,
    kind: "tool",
    name,
    run: (input: object, ctx: ToolContext, client: McpServerClient) => client.call(tool, input, ctx),
    reconcile: undefined,
  };
  return {
    ...whole,
    get description() {
      return optionsOf(pinOf(declaration, tool)).description;
    },
    get options() {
      return optionsOf(pinOf(declaration, tool));
    },
  } as ToolDefinition;
}

/** What a tool that is not pinned takes: only where something stands in for its server. */
const anything = jsonSchema({ type: "object" });

function described({
  name,
  description,
  inputSchema,
  outputSchema,
}: PinnedTool): Pick<ToolOptions, "description" | "input" | "output"> {
  const input = jsonSchema(inputSchema);
  return {
    // A server need not describe its tools; a model must be told something.
    description: description === undefined || description.trim() === "" ? name : description,
    input,
    output: outputSchema === undefined ? undefined : jsonSchema(outputSchema),
  };
}

/** The pin of a tool; what is wrong with the file is told by `pinFault`. */
function pinOf(declaration: McpServerDeclaration, tool: string): PinnedTool | undefined {
  try {
    return pinsOf(declaration).tools[tool];
  } catch {
    return undefined;
  }
}

/** Why a tool cannot be taken as it is: nothing says what it is. `kept` gives the pins that the app keeps to. */
export function pinFault(declaration: McpServerDeclaration, tool: string, kept: () => ServerPins): string | undefined {
  if (isAccepting()) return undefined;
  const { name } = declaration.options;
  try {
    const pins = kept();
    if (pins.tools[tool] !== undefined) return undefined;
    if (pinsOf(declaration).tools[tool] !== undefined)
      return `the tool ${shownValue(tool)} of the server ${name} was pinned after the app was assembled; assemble it again`;
    const why = pins.found ? `is not pinned in ${pins.file}` : `has no pin, there is no ${pins.file}`;
    return `the tool ${shownValue(tool)} of the server ${name} ${why}; run \`tenon mcp accept ${name}\`, which connects and writes it`;
  } catch (thrown) {
    return textOf(thrown);
  }
}

function ofTool<T>(given: T | ByTool<T> | undefined, tool: string): T | undefined {
  if (!isPlainObject(given)) return given;
  return Object.hasOwn(given, tool) ? given[tool] : undefined;
}

function rulesFor(known: readonly string[]): OptionRules {
  const names = (option: string, given: readonly unknown[]): string | undefined => {
    const other = given.find((name) => !known.includes(name as string));
    return other === undefined
      ? undefined
      : `${option} names ${shownValue(other)}, which the server is not declared with; it is declared with ${known.join(", ")}`;
  };
  const byTool = (option: string, orAll: boolean): OptionRule =>
    maybe((value) => {
      if (isPlainObject(value)) return names(option, Object.keys(value));
      return orAll ? undefined : `${option} must be an object with a value for each tool, not ${shownValue(value)}`;
    });
  return {
    prefix: maybe((value) =>
      typeof value === "string" && /^[a-zA-Z_][a-zA-Z0-9_-]{0,31}$/.test(value)
        ? undefined
        : `prefix must be up to 32 letters, digits, - and _, not ${shownValue(value)}`,
    ),
    only: maybe((value) => list("only")(value) ?? names("only", value as readonly unknown[])),
    access: byTool("access", false),
    approval: byTool("approval", true),
    timeoutMs: byTool("timeoutMs", true),
    inDoubt: byTool("inDoubt", false),
    polling: byTool("polling", false),
    source: () => undefined,
    maxResultChars: () => undefined,
    hooks: () => undefined,
  };
}
