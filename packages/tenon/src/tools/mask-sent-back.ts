import type { JsonValue } from "../protocol/json.js";
import { MASK } from "../schema/mask-value.js";

/**
 * The path of a text, or of a name, in an edited input that is what stands for a value that was not shown: it holds the mask, or
 * is what the person was shown, and is not what was there before.
 */
export function maskSentBack(edited: JsonValue, before: JsonValue, shown: JsonValue): string | undefined {
  for (const path of suspects(edited, before, shown, [])) return path.join(".") || "the input";
  return undefined;
}

function* suspects(
  edited: unknown,
  before: unknown,
  shown: unknown,
  path: readonly string[],
): Iterable<readonly string[]> {
  if (typeof edited === "string") {
    if (edited !== before && (edited.includes(MASK) || edited === shown)) yield path;
    return;
  }
  if (typeof edited !== "object" || edited === null) return;
  for (const [name, member] of Object.entries(edited)) {
    const here = [...path, name];
    if (name.includes(MASK) && memberOf(before, name) === undefined) yield here;
    else yield* suspects(member, memberOf(before, name), memberOf(shown, name), here);
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
