import type { JsonValue } from "../protocol/json.js";

/** The mark of this encoding: `"`. */
const MARK = 34;

/** Any string as text that SQLite keeps exactly; equal strings, and only they, give equal texts. */
export function toText(value: string): string {
  // What it would not give back as it was: a NUL, half a surrogate pair, and the mark itself.
  const safe = value.charCodeAt(0) !== MARK && !value.includes("\0") && value.isWellFormed();
  return safe ? value : JSON.stringify(value);
}

export function fromText(text: string): string {
  return text.charCodeAt(0) === MARK ? (JSON.parse(text) as string) : text;
}

/** Half surrogates and NULs are escaped by JSON itself. What JSON has no form for is `null`. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}

/** Throws `SyntaxError` for what is no JSON, which only a damaged file has: also for the null of a large text that is lost. */
export function fromJsonText<T = JsonValue>(text: string | null): T {
  if (text === null) throw new SyntaxError("a large value is missing, so there is no JSON");
  return JSON.parse(text) as T;
}
