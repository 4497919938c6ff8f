import type { JsonObject, JsonValue } from "../protocol/json.js";
import { MASK } from "../schema/mask-value.js";
import type { Mask } from "./value-mask.js";

/**
 * A value as it may be shown: its texts, its numbers and the names of its members. Copies only what is masked. Never throws: what is
 * too deep to be looked at is masked whole.
 */
export function maskedJson(value: JsonValue, mask: Mask): JsonValue {
  try {
    return masked(value, mask);
  } catch {
    return MASK;
  }
}

function masked(value: JsonValue, mask: Mask): JsonValue {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") return mask(String(value)) === String(value) ? value : MASK;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    const shown = items.map((item) => masked(item, mask));
    return shown.some((item, i) => item !== items[i]) ? shown : items;
  }
  let changed = false;
  const shown = new Map<string, JsonValue>();
  for (const [name, member] of Object.entries(value as JsonObject)) {
    // A member that is not there yet has no value to show.
    if (member === undefined) continue;
    const shownMember = masked(member, mask);
    const shownName = freeName(mask(name), shown);
    changed ||= shownName !== name || shownMember !== member;
    shown.set(shownName, shownMember);
  }
  return changed ? Object.fromEntries(shown) : value;
}

/**
 * The argument text of a call: where it is JSON, what it says is masked, whatever it is written like. What cannot be read
 * faithfully (a member that is there twice, JSON in a text, no JSON) is masked whole where it hides something behind its escapes.
 */
export function maskedArguments(text: string, mask: Mask): string {
  const shown = maskedText(text, mask);
  for (let plain = shown, n = 0; plain.includes("\\"); n++) {
    const before = plain;
    plain = unescaped(before);
    if (plain === before) break;
    if (n === MOST_ESCAPES || mask(plain) !== plain) return MASK;
  }
  return shown;
}

/** So many times one in another may texts be escaped. */
const MOST_ESCAPES = 8;

function maskedText(text: string, mask: Mask): string {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return mask(text);
  }
  const shown = maskedJson(value, mask);
  // Of a long number its text alone has every digit.
  return mask(shown === value ? text : JSON.stringify(shown));
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|([^u]))/gi, (_whole, code: string | undefined, sign: string) =>
    code === undefined ? (escapes[sign] ?? sign) : String.fromCharCode(parseInt(code, 16)),
  );
}

/** Two names may be masked alike: neither hides the other. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} ${n}`;
  return free;
}
