import type { JsonObject, JsonValue } from "../../protocol/json.js";
import { canonicalJson } from "../../util/canonical-json.js";
import { isPlainObject } from "../../util/plain-object.js";
import { cutText, escapeUnseen, shownText } from "./shown-text.js";
import { toolTextFault, type ToolText } from "./tool-text.js";

/** The most lines about one tool, and the most characters of a value in a line. */
const LINES = 20;
const SHOWN = 120;
/** How much of a long text is shown before its first difference. */
const BEFORE = 30;

/**
 * What a tool that was pinned and the tool that its server offers now differ in, as lines to read: `description: "old" → "new"`,
 * `inputSchema.properties.path added: {…}`, `inputSchema.properties.path is required now`. Empty where nothing differs. At most
 * 21 lines of a few hundred characters; whatever the server wrote is quoted, with unseen characters escaped. Never throws.
 */
export function differences(pinned: ToolText | undefined, listed: ToolText | undefined): readonly string[] {
  if (listed === undefined) return pinned === undefined ? [] : ["gone: the server does not offer it"];
  if (pinned === undefined) return ["not pinned"];
  const fault = toolTextFault(listed);
  if (fault !== undefined) return [`cannot be compared: ${fault}`];
  const lines: string[] = [];
  for (const at of ["name", "description", "inputSchema", "outputSchema"] as const)
    compare(at, pinned[at], listed[at], lines);
  return lines.length > LINES ? [...lines.slice(0, LINES), `and ${lines.length - LINES} more`] : lines;
}

type Value = JsonValue | undefined;

function compare(at: string, before: Value, now: Value, lines: string[]): void {
  if (canonicalJson(before ?? null) === canonicalJson(now ?? null) && (before === undefined) === (now === undefined))
    return;
  if (before === undefined) lines.push(`${at} added: ${shownValue(now!)}`);
  else if (now === undefined) lines.push(`${at} removed: ${shownValue(before)}`);
  else if (isPlainObject(before) && isPlainObject(now))
    compareObjects(at, before as JsonObject, now as JsonObject, lines);
  else if (Array.isArray(before) && Array.isArray(now)) compareLists(at, before, now, lines);
  else if (typeof before === "string" && typeof now === "string") lines.push(`${at}: ${changedText(before, now)}`);
  else lines.push(`${at}: ${shownValue(before)} → ${shownValue(now)}`);
}

function compareObjects(at: string, before: JsonObject, now: JsonObject, lines: string[]): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)]))
    compare(`${at}${step(key)}`, own(before, key, now), own(now, key, before), lines);
}

function compareLists(at: string, before: readonly JsonValue[], now: readonly JsonValue[], lines: string[]): void {
  if (![...before, ...now].every((item) => typeof item !== "object" || item === null)) {
    for (let i = 0; i < Math.max(before.length, now.length); i++) compare(`${at}[${i}]`, before[i], now[i], lines);
    return;
  }
  const count = lines.length;
  const told = (item: JsonValue, isNow: boolean): string =>
    at.endsWith(".required") && typeof item === "string"
      ? `${at.slice(0, -".required".length)}.properties${step(item)} is ${isNow ? "required now" : "no longer required"}`
      : `${at}: ${shownValue(item)} ${isNow ? "added" : "removed"}`;
  const [old, current] = [new Set(before), new Set(now)];
  for (const item of before) if (!current.has(item)) lines.push(told(item, false));
  for (const item of now) if (!old.has(item)) lines.push(told(item, true));
  if (lines.length === count) lines.push(`${at}: ${shownValue(before)} → ${shownValue(now)}`);
}

/** A member; no `required` beside a list of them is an empty one. */
function own(object: JsonObject, key: string, other: JsonObject): Value {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  if (value !== undefined) return value;
  return key === "required" && Array.isArray(other[key]) ? [] : undefined;
}

function step(key: string): string {
  return /^[A-Za-z_$][\w$-]{0,60}$/.test(key) ? `.${key}` : `[${shownText(key, 60)}]`;
}

function shownValue(value: JsonValue): string {
  if (typeof value === "string") return shownText(value, SHOWN);
  const text = JSON.stringify(value);
  return `${escapeUnseen(cutText(text, SHOWN))}${text.length > SHOWN ? "…" : ""}`;
}

/** Two texts; of long ones the part in which they differ. */
function changedText(before: string, now: string): string {
  if (before.length <= SHOWN && now.length <= SHOWN) return `${shownText(before, SHOWN)} → ${shownText(now, SHOWN)}`;
  let same = 0;
  while (same < before.length && before[same] === now[same]) same++;
  const from = Math.max(0, same - BEFORE);
  const part = (text: string): string => `${from > 0 ? "…" : ""}${shownText(text.slice(from), SHOWN)}`;
  return `changed at character ${same + 1} (${before.length} → ${now.length}): ${part(before)} → ${part(now)}`;
}
