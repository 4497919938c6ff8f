import type { JsonValue } from "../protocol/json.js";
import { mapSchema, type SchemaNode, type SchemaObject } from "./schema-node.js";
import { eachMember } from "./schema-walk.js";

/** The function that puts `"***"` in place of every sensitive value; it copies only what it changes. */
export function maskOf(root: SchemaObject): (value: JsonValue) => JsonValue {
  let some = false;
  mapSchema(root, (part) => void (some ||= part.sensitive === true));
  return some ? (value) => masked(root, root, value) as JsonValue : (value) => value;
}

function masked(root: SchemaObject, node: SchemaNode, value: unknown): unknown {
  let copy: Record<string | number, unknown> | undefined;
  eachMember(root, node, value, (member, key) => {
    const before = (copy ?? (value as Record<string | number, unknown>))[key];
    const after = typeof member === "object" && member.sensitive === true ? "***" : masked(root, member, before);
    if (after === before) return;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
      string | number,
      unknown
    >;
    copy[key] = after;
  });
  return copy ?? value;
}
