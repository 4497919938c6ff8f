import type { JsonValue } from "../protocol/json.js";
import { mapSchema, type SchemaObject } from "./schema-node.js";
import { areSensitive, memberParts, speakingParts } from "./speaking-parts.js";

/** Stands in the place of a value that is not shown. */
export const MASK = "***";

/** The function that puts `"***"` in place of every sensitive value; it copies only what it changes. */
export function maskOf(root: SchemaObject): (value: JsonValue) => JsonValue {
  let some = false;
  mapSchema(root, (part) => void (some ||= part.sensitive === true));
  return some ? (value) => masked(root, speakingParts(root, [root], value), value) as JsonValue : (value) => value;
}

function masked(root: SchemaObject, parts: ReadonlySet<SchemaObject>, value: unknown): unknown {
  if (areSensitive(parts)) return MASK;
  if (typeof value !== "object" || value === null) return value;
  let copy: Record<string | number, unknown> | undefined;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const before = (value as Record<string | number, unknown>)[key];
    const after = masked(root, speakingParts(root, memberParts(parts, key), before), before);
    if (after === before) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string | number, unknown>;
    copy[key] = after;
  }
  return copy ?? value;
}
