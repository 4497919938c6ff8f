import { MAX_RESULT_SIZE } from "../config/defaults.js";
import type { JsonValue } from "../protocol/json.js";

/** Deeper values are refused: nobody reads them, and they break parsers. */
const MAX_DEPTH = 200;

/**
 * The one JSON form of what a handler returns. It is a copy: the handler may change its object afterwards.
 *
 * `undefined` and nothing: `null` (absent as a member) · `bigint`: its digits as text · `NaN`, `Infinity`: their names as
 * text · `Date`: ISO text · `Map`: a list of pairs · `Set`: a list · `Error`: `{ name, message }` · a `toJSON` method: what
 * it gives · bytes (typed arrays, `ArrayBuffer`, `DataView`, `Blob`): a one-line note with the size · other objects: their
 * own enumerable members without functions and symbols. A cycle, an invalid date, a function, a symbol or a promise as
 * the value, a value
 * of more than 10,000,000 characters, and anything that throws while it is read, are errors.
 */
export function toJson(value: unknown): JsonValue {
  size = 0;
  if (typeof value === "string") return sized(value);
  return encode(value, undefined) ?? null;
}

/** Roughly how long the JSON text of the value that is being encoded is so far; encoding is synchronous. */
let size = 0;

function sized(text: string): string {
  size += text.length;
  if (size > MAX_RESULT_SIZE) throw new NotJson(`is larger than ${MAX_RESULT_SIZE} characters`);
  return text;
}

/** Why a value has no JSON form; the message completes "the result …". */
export class NotJson extends Error {}

/** The value that is being encoded, and those that it is in. */
interface Inside {
  readonly value: object;
  readonly outer: Inside | undefined;
  readonly depth: number;
}

function encode(value: unknown, outer: Inside | undefined): JsonValue | undefined {
  switch (typeof value) {
    case "string":
      return sized(value);
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return value.toString();
    case "undefined":
      return undefined;
    case "object":
      return value === null ? null : encodeObject(value, outer);
    default:
      if (outer !== undefined) return undefined;
      throw new NotJson(`is a ${typeof value}`);
  }
}

function encodeObject(value: object, outer: Inside | undefined): JsonValue | undefined {
  if ((size += 2) > MAX_RESULT_SIZE) throw new NotJson(`is larger than ${MAX_RESULT_SIZE} characters`);
  const depth = outer === undefined ? 1 : outer.depth + 1;
  if (depth > MAX_DEPTH) throw new NotJson(`is nested more than ${MAX_DEPTH} levels deep`);
  for (let around = outer; around !== undefined; around = around.outer)
    if (around.value === value) throw new NotJson("contains itself");
  const inside: Inside = { value, outer, depth };
  return Array.isArray(value) ? encodeList(value, inside) : encodeSpecial(value, inside);
}

function encodeList(list: Iterable<unknown>, inside: Inside): JsonValue {
  const items: JsonValue[] = [];
  for (const item of list) {
    if (++size > MAX_RESULT_SIZE) throw new NotJson(`is larger than ${MAX_RESULT_SIZE} characters`);
    items.push(encode(item, inside) ?? null);
  }
  return items;
}

function encodeSpecial(value: object, inside: Inside): JsonValue | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[binary data, ${value.byteLength} bytes, not shown]`;
    if (typeof Blob === "function" && value instanceof Blob) return `[binary data, ${value.size} bytes, not shown]`;
    if (value instanceof Date) {
      if (Number.isNaN(value.getTime())) throw new NotJson("contains an invalid date");
      return value.toISOString();
    }
    if (value instanceof Map || value instanceof Set) return encodeList(value, inside);
    if (value instanceof Error) return { name: value.name, message: value.message };
    if (value instanceof RegExp) return String(value);
    if (value instanceof String || value instanceof Number || value instanceof Boolean)
      return encode(value.valueOf(), inside);
  }
  if (typeof (value as { then?: unknown }).then === "function")
    throw new NotJson("contains a promise that was not awaited");
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return encode(toJSON.call(value, ""), inside);
  const members: Record<string, JsonValue> = {};
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const member = encode((value as Record<string, unknown>)[key], inside);
    if (member === undefined) continue;
    if (key === "__proto__")
      Object.defineProperty(members, key, { value: member, enumerable: true, configurable: true, writable: true });
    else members[key] = member;
  }
  return members;
}
