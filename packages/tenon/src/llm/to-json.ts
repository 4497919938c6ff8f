import type { JsonObject, JsonValue } from "../protocol/json.js";

/**
 * A provider's value as JSON: the very same value where it is JSON already, else a copy in which bytes are base64 text and
 * everything with a `toJSON` is what that gives. `undefined` where it has no JSON form (a cycle, a BigInt).
 */
export function toJson(value: unknown): JsonValue | undefined {
  if (isJson(value, 0)) return value;
  try {
    const text = JSON.stringify(value, bytesAsText);
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}

/** A plain object, or `undefined` for anything else. */
export function toJsonObject(value: unknown): JsonObject | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return toJson(value) as JsonObject | undefined;
}

/** Bytes as base64 text, without Node's Buffer. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

// `this` is the holder: a Buffer's own `toJSON` has already been asked when the member arrives here.
function bytesAsText(this: { [key: string]: unknown }, key: string, member: unknown): unknown {
  const given = this[key];
  return given instanceof Uint8Array ? toBase64(given) : member;
}

function isJson(value: unknown, depth: number): value is JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > 100) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in value) return false;
  for (const key in value) if (!isJson((value as { [key: string]: unknown })[key], depth + 1)) return false;
  return true;
}
