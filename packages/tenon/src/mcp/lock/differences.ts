import type { JsonObject, JsonValue } from "../../protocol/json.js";
import { canonicalJson } from "../../util/canonical-json.js";
import { isPlainObject } from "../../util/plain-object.js";
import { shownBare, shownText } from "./shown-text.js";
import { toolTextFault, type ToolText } from "./tool-text.js";

/** How much is told: the most lines about one tool, and the most characters of a value and of an odd name in a line. */
interface Most {
  readonly lines: number;
  readonly value: number;
  readonly key: number;
}

const BRIEF: Most = { lines: 20, value: 120, key: 60 };
/** Who is asked to accept it must not miss an end. What is compared at all is bounded by `toolTextFault`. */
const WHOLE: Most = { lines: Infinity, value: Infinity, key: Infinity };

/** How much of a long text is shown around what differs. */
const AROUND = 30;
/** A text that is longer is shown where it differs. */
const LONG = 120;

/**
 * What a tool that was pinned and the tool that its server offers now differ in, as lines to read: `description: "old" → "new"`,
 * `inputSchema.properties.path added: {…}`, `inputSchema.properties.path is required now`. Empty where nothing differs. At most
 * 21 lines of a few hundred characters, or with `whole` everything that differs. Whatever the server wrote is quoted, with unseen
 * characters escaped. Never throws.
 */
export function differences(
  pinned: ToolText | undefined,
  listed: ToolText | undefined,
  { whole = false }: { readonly whole?: boolean | undefined } = {},
): readonly string[] {
  if (listed === undefined) return pinned === undefined ? [] : ["gone: the server does not offer it"];
  if (pinned === undefined) return ["not pinned"];
  const fault = toolTextFault(listed);
  if (fault !== undefined) return [`cannot be compared: ${fault}`];
  const most = whole ? WHOLE : BRIEF;
  const lines: string[] = [];
  for (const at of ["name", "description", "inputSchema", "outputSchema"] as const)
    compare(at, pinned[at], listed[at], lines, most);
  return lines.length > most.lines ? [...lines.slice(0, most.lines), `and ${lines.length - most.lines} more`] : lines;
}

type Value = JsonValue | undefined;

function compare(at: string, before: Value, now: Value, lines: string[], most: Most): void {
  if (canonicalJson(before ?? null) === canonicalJson(now ?? null) && (before === undefined) === (now === undefined))
    return;
  if (before === undefined) lines.push(`${at} added: ${shownValue(now!, most)}`);
  else if (now === undefined) lines.push(`${at} removed: ${shownValue(before, most)}`);
  else if (isPlainObject(before) && isPlainObject(now))
    compareObjects(at, before as JsonObject, now as JsonObject, lines, most);
  else if (Array.isArray(before) && Array.isArray(now)) compareLists(at, before, now, lines, most);
  else if (typeof before === "string" && typeof now === "string")
    lines.push(`${at}: ${changedText(before, now, most)}`);
  else lines.push(`${at}: ${shownValue(before, most)} → ${shownValue(now, most)}`);
}

function compareObjects(at: string, before: JsonObject, now: JsonObject, lines: string[], most: Most): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)]))
    compare(`${at}${step(key, most)}`, own(before, key, now), own(now, key, before), lines, most);
}

function compareLists(
  at: string,
  before: readonly JsonValue[],
  now: readonly JsonValue[],
  lines: string[],
  most: Most,
): void {
  if (![...before, ...now].every((item) => typeof item !== "object" || item === null)) {
    for (let i = 0; i < Math.max(before.length, now.length); i++)
      compare(`${at}[${i}]`, before[i], now[i], lines, most);
    return;
  }
  const count = lines.length;
  const told = (item: JsonValue, isNow: boolean): string =>
    at.endsWith(".required") && typeof item === "string"
      ? `${at.slice(0, -".required".length)}.properties${step(item, most)} is ${isNow ? "required now" : "no longer required"}`
      : `${at}: ${shownValue(item, most)} ${isNow ? "added" : "removed"}`;
  const [old, current] = [new Set(before), new Set(now)];
  for (const item of before) if (!current.has(item)) lines.push(told(item, false));
  for (const item of now) if (!old.has(item)) lines.push(told(item, true));
  if (lines.length === count) lines.push(`${at}: ${shownValue(before, most)} → ${shownValue(now, most)}`);
}

/** A member; no `required` beside a list of them is an empty one. */
function own(object: JsonObject, key: string, other: JsonObject): Value {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  if (value !== undefined) return value;
  return key === "required" && Array.isArray(other[key]) ? [] : undefined;
}

function step(key: string, most: Most): string {
  return /^[A-Za-z_$][\w$-]{0,60}$/.test(key) ? `.${key}` : `[${shownText(key, most.key)}]`;
}

function shownValue(value: JsonValue, most: Most): string {
  return typeof value === "string" ? shownText(value, most.value) : shownBare(JSON.stringify(value), most.value);
}

/** Two texts; of long ones the part in which they differ. */
function changedText(before: string, now: string, most: Most): string {
  if (before.length <= LONG && now.length <= LONG) return `${shownText(before, LONG)} → ${shownText(now, LONG)}`;
  const shorter = Math.min(before.length, now.length);
  let same = 0;
  while (same < shorter && before[same] === now[same]) same++;
  let sameEnd = 0;
  while (sameEnd < shorter - same && before.at(-1 - sameEnd) === now.at(-1 - sameEnd)) sameEnd++;
  const from = Math.max(0, same - AROUND);
  const left = Math.max(0, sameEnd - AROUND);
  const part = (text: string): string => {
    const shown = shownText(text.slice(from, text.length - left), most.value);
    return `${from > 0 ? "…" : ""}${shown}${left > 0 && !shown.endsWith("…") ? "…" : ""}`;
  };
  return `changed at character ${same + 1} (${before.length} → ${now.length}): ${part(before)} → ${part(now)}`;
}
