import { checkOptions, maybe, oneOf, type OptionRules } from "../config/options.js";
import type { Class } from "../util/class.js";
import { isToolDefinition, type ToolDefinition } from "./define-tool.js";
import { itoolOptionsOf, type IToolOptions } from "./itool-metadata.js";
import { readITool } from "./read-itool.js";
import { toolOptionsOf } from "./tool-metadata.js";
import type { ToolOptions } from "./tool-options.js";

/** An entry of a `tools` list, of whatever form. */
export interface ReadTool {
  readonly form: "class" | "interface" | "function";
  /** With `faults` they are not to be used, but for a name to be shown. */
  readonly options: ToolOptions;
  /** Whether the tool itself says its name. */
  readonly named: boolean;
  readonly definition: ToolDefinition | undefined;
  readonly scope: IToolOptions["scope"];
  /** What keeps the options from being read. */
  readonly faults: readonly string[];
}

const none: readonly string[] = Object.freeze([]);

/** What an entry of a `tools` list is, or `undefined` where it is no tool. */
export function readTool(entry: unknown): ReadTool | undefined {
  if (isToolDefinition(entry))
    return { form: "function", options: entry.options, named: true, definition: entry, scope: undefined, faults: none };
  const options = toolOptionsOf(entry) as ToolOptions | null | undefined;
  const given = itoolOptionsOf(entry);
  if (given !== undefined) return readInterface(entry as Class, given, options !== undefined);
  if (options === undefined) return undefined;
  const read = { form: "class", named: true, definition: undefined, scope: undefined } as const;
  // Nothing can be read of `null`, not even that it has no name.
  return options === null
    ? { ...read, options: {} as ToolOptions, faults: checkOptions(options, {}) }
    : { ...read, options, faults: none };
}

function readInterface(cls: Class, given: IToolOptions, both: boolean): ReadTool {
  const faults = checkOptions(given, { ...passedOn(given), ...ownRules });
  if (both) faults.push(`the class ${cls.name} has both @Tool and @decorator.tool(); leave one out`);
  const { scope, ...policy } = typeof given === "object" && given !== null ? given : ({} as IToolOptions);
  const { name, named, description, input, faults: unread } = readITool(cls, policy);
  return {
    form: "interface",
    options: { ...policy, name, description, input },
    named,
    definition: undefined,
    scope,
    faults: [...faults, ...unread],
  };
}

const saidBy =
  (option: string, member: string): ((value: unknown) => string | undefined) =>
  (value) =>
    value === undefined ? undefined : `${option} is no option of @decorator.tool(); the class says it with ${member}()`;

const ownRules: OptionRules = {
  scope: maybe(oneOf("scope", ["singleton", "run"])),
  name: saidBy("name", "getName"),
  description: saidBy("description", "getDescription"),
  input: saidBy("input", "getInputSchema"),
  durable: (value) =>
    value === undefined
      ? undefined
      : "durable is no option of @decorator.tool(); write a tool with steps with @Tool or defineTool",
};

/** Every other option is checked with those of the other forms. */
function passedOn(given: unknown): OptionRules {
  const names = typeof given === "object" && given !== null ? Object.keys(given) : [];
  return Object.fromEntries(names.map((name) => [name, () => undefined]));
}
