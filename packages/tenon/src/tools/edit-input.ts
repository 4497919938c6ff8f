import type { JsonObject, JsonValue } from "../protocol/json.js";
import { canonicalJson } from "../util/canonical-json.js";
import { MASK } from "../schema/mask-value.js";
import { copyPlain } from "../util/copy-plain.js";
import { mergePatch } from "../util/merge-patch.js";
import { chain, type Maybe } from "../util/class.js";
import type { BoundTool } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import { validated } from "./checked-values.js";
import { maskSentBack } from "./mask-sent-back.js";

type Edited = { readonly input: JsonValue } | { readonly message: string };

/**
 * The input of a call with a person's changes, or what is wrong with them. A sensitive field that the patch does not name keeps
 * its value; the mask that stands for one is no value. `shown` is the input as the person saw it.
 */
export function editedInput(
  tool: BoundTool,
  input: JsonValue,
  patch: JsonObject,
  environment: Pick<CallEnvironment, "calls" | "deadlines">,
  shown: JsonValue,
): Maybe<Edited> {
  const edited = mergePatch(copyPlain(input), patch) as JsonValue;
  // Masks of values, beside those of fields, may stand anywhere in a text.
  const hides = canonicalJson(shown) !== canonicalJson(tool.input.mask(input));
  const maskedIn = (value: JsonValue, change: JsonValue): string | undefined =>
    maskedField(tool, input, value, change) ?? (hides ? maskSentBack(value, input, shown) : undefined);
  const masked = maskedIn(edited, patch);
  if (masked !== undefined) return isMasked(masked);
  return chain(validated(tool, edited, environment), (fits): Edited => {
    if ("message" in fits) return fits;
    // A repair may have made values of a text.
    const repaired = maskedIn(fits.input, fits.input);
    return repaired === undefined ? fits : isMasked(repaired);
  });
}

function isMasked(path: string): { readonly message: string } {
  return { message: `${path}: "${MASK}" stands for a value that is not shown; leave the field out to keep it` };
}

/** The path of a sensitive field that a change sets to the mask. One that was the same text before is not changed. */
function maskedField(tool: BoundTool, before: JsonValue, edited: JsonValue, change: JsonValue): string | undefined {
  let shown: JsonValue | undefined;
  for (const path of masksIn(change, [])) {
    if (valueAt(before, path) === MASK) continue;
    // Another text in its place is masked too only where the field is sensitive.
    shown ??= tool.input.mask(probeOf(edited));
    if (valueAt(shown, path) === MASK) return path.join(".");
  }
  return undefined;
}

function* masksIn(value: unknown, path: readonly string[]): Iterable<readonly string[]> {
  if (value === MASK) yield path;
  else if (typeof value === "object" && value !== null)
    for (const [key, member] of Object.entries(value)) yield* masksIn(member, [...path, key]);
}

/** The same value with another text in place of each mask. */
function probeOf(value: JsonValue): JsonValue {
  if (value === MASK) return `${MASK}?`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(probeOf);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, probeOf(member as JsonValue)]));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : at;
  return at;
}
