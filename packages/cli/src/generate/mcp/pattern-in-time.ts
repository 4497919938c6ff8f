import { runInNewContext } from "node:vm";
import type { JsonValue } from "tenon";

/** How long one pattern may take over one text, in milliseconds. */
const ONE_MS = 50;
/** How long all patterns of a schema may take over all texts of a value. */
const ALL_MS = 1_000;

/**
 * Whether a text fits a pattern of a stranger: some take for ever on a few characters. `undefined` where that takes too long, and
 * for what is no pattern.
 */
export function patternFits(pattern: string, text: string): boolean | undefined {
  try {
    return runInNewContext('new RegExp(pattern, "u").test(text)', { pattern, text }, { timeout: ONE_MS }) as boolean;
  } catch {
    return undefined;
  }
}

/** Whether every pattern in a schema is done in time with every text in a value: then the value may be checked against the schema. */
export function areInTime(schema: JsonValue, value: JsonValue): boolean {
  const patterns = textsIn(schema, true);
  const texts = textsIn(value, false);
  const until = performance.now() + ALL_MS;
  for (const pattern of patterns)
    for (const text of texts) {
      if (!isPattern(pattern)) break;
      if (patternFits(pattern, text) === undefined || performance.now() > until) return false;
    }
  return true;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
}

/** The texts in a value with the names of its members; or the patterns of a schema, with whatever else stands where they may. */
function textsIn(value: JsonValue, patternsOnly: boolean): ReadonlySet<string> {
  const found = new Set<string>();
  const left: JsonValue[] = [value];
  while (left.length > 0) {
    const next = left.pop()!;
    if (typeof next === "string" && !patternsOnly) found.add(next);
    if (typeof next !== "object" || next === null) continue;
    for (const [key, member] of Object.entries(next)) {
      if (!patternsOnly) found.add(key);
      else if (key === "pattern" && typeof member === "string") found.add(member);
      else if (key === "patternProperties" && typeof member === "object" && member !== null)
        for (const name of Object.keys(member)) found.add(name);
      left.push(member as JsonValue);
    }
  }
  return found;
}
