import type { JsonObject, JsonValue } from "../protocol/json.js";
import { copyPlain } from "../util/copy-plain.js";
import { mergePatch } from "../util/merge-patch.js";
import type { Maybe } from "../util/class.js";
import type { BoundTool } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import { validated } from "./checked-values.js";

const MASK = "***";

/**
 * The input of a call with a person's changes, or what is wrong with them. A sensitive field that the patch does not name keeps
 * its value; the mask that stands for one is no value.
 */
export function editedInput(
  tool: BoundTool,
  input: JsonValue,
  patch: JsonObject,
  environment: Pick<CallEnvironment, "calls" | "deadlines">,
): Maybe<{ readonly input: JsonValue } | { readonly message: string }> {
  const masked = maskedField(tool, mergePatch(copyPlain(input), patch) as JsonValue, patch);
  if (masked !== undefined)
    return { message: `${masked}: "${MASK}" stands for a value that is not shown; leave the field out to keep it` };
  return validated(tool, mergePatch(copyPlain(input), patch), environment);
}

/** The path of a sensitive field that the patch sets to the mask. */
function maskedField(tool: BoundTool, edited: JsonValue, patch: JsonObject): string | undefined {
  for (const path of masksIn(patch, [])) {
    // Another text in its place is masked too only where the field is sensitive.
    const probe = replaced(edited, path, `${MASK}?`);
    if (valueAt(tool.input.mask(probe), path) === MASK) return path.join(".");
  }
  return undefined;
}

function* masksIn(value: unknown, path: readonly string[]): Iterable<readonly string[]> {
  if (value === MASK) yield path;
  else if (typeof value === "object" && value !== null)
    for (const [key, member] of Object.entries(value)) yield* masksIn(member, [...path, key]);
}

function replaced(value: JsonValue, [key, ...rest]: readonly string[], by: JsonValue): JsonValue {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === key ? replaced(item, rest, by) : item));
  const object = value as JsonObject;
  return { ...object, [key]: replaced(object[key]!, rest, by) };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : at;
  return at;
}
