import type { JsonObject, JsonValue } from "../../protocol/json.js";
import { freezeDeep } from "../../util/freeze-deep.js";
import { isPlainObject } from "../../util/plain-object.js";

/** What a server says of a tool's manners. Hints of somebody else: nothing may become weaker by them. */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** One tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
  readonly annotations?: ToolAnnotations | undefined;
}

/** What a server lists. */
export interface ServerTools {
  readonly tools: readonly ListedTool[];
  /** What is wrong with the tools that were left out, a sentence each. */
  readonly faults: readonly string[];
}

type Fields = { readonly [key: string]: unknown };

/**
 * The tools of a server's list. Left out, each with a sentence that says why: what has no name, what has no schema of an object, and
 * every tool whose name stands there twice, because nobody knows which of them a call would reach.
 */
export function readTools(listed: readonly unknown[]): ServerTools {
  const tools = new Map<string, ListedTool>();
  const twice = new Set<string>();
  const faults: string[] = [];
  listed.forEach((entry, at) => {
    const read = readTool(entry, at);
    if (typeof read === "string") faults.push(read);
    else if (tools.has(read.name)) twice.add(read.name);
    else tools.set(read.name, read);
  });
  for (const name of twice) {
    tools.delete(name);
    faults.push(`The tool ${quoted(name)} is listed more than once.`);
  }
  return freezeDeep({ tools: [...tools.values()], faults: atMost(FAULTS, faults) });
}

/** How many faults of one list are told. */
const FAULTS = 20;

function atMost(count: number, faults: readonly string[]): readonly string[] {
  if (faults.length <= count) return faults;
  return [...faults.slice(0, count), `and ${faults.length - count} more entries of the list cannot be used.`];
}

function readTool(entry: unknown, at: number): ListedTool | string {
  if (!isPlainObject(entry)) return `Entry ${at + 1} of the list is no tool.`;
  const { name, title, description, inputSchema, outputSchema, annotations } = entry as Fields;
  if (typeof name !== "string" || name.trim() === "") return `Entry ${at + 1} of the list has no name.`;
  if (!isObjectSchema(inputSchema))
    return `The tool ${quoted(name)} has no inputSchema that is a JSON Schema of an object.`;
  if (outputSchema !== undefined && !isPlainObject(outputSchema))
    return `The tool ${quoted(name)} has an outputSchema that is no JSON Schema.`;
  return {
    name,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    inputSchema: cutBelow(inputSchema, DEEPEST) as JsonObject,
    ...(outputSchema !== undefined && { outputSchema: cutBelow(outputSchema as JsonObject, DEEPEST) as JsonObject }),
    ...(isPlainObject(annotations) && { annotations: readAnnotations(annotations as Fields) }),
  };
}

/** Deeper than any schema that can be pinned: what is cut here is refused as too deep all the same, and by name. */
const DEEPEST = 200;

/** A copy that has nothing below so many levels: code that reads what is nested deeper has no stack for it. */
function cutBelow(value: JsonValue, levels: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.map((item: JsonValue) => cutBelow(item, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cutBelow(member as JsonValue, levels - 1)]),
  );
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function readAnnotations(given: Fields): ToolAnnotations {
  const read: { [name: string]: string | boolean } = {};
  if (typeof given["title"] === "string") read["title"] = given["title"];
  for (const hint of HINTS) {
    const value = given[hint];
    if (typeof value === "boolean") read[hint] = value;
  }
  return read;
}

function isObjectSchema(value: unknown): value is JsonObject {
  return isPlainObject(value) && (value as Fields)["type"] === "object";
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
