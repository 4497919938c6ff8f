import { MAX_RESULT_CHARS } from "../config/defaults.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { isMedia, mediaNote } from "./media.js";

const dataUrl = /data:([\w.+-]+\/[\w.+-]+)?(?:;[^;,]{0,200}){0,8}?;base64,([\w+/%-]*={0,2})/gi;

/** What the model reads of a result. */
export interface ReadResult {
  readonly text: string;
  /** It reads there of a file that the result holds. */
  readonly ofFiles: boolean;
}

/**
 * What the model reads of a result: never empty, well-formed, at most `maxChars` long. A text is given as it is (an empty
 * one as `""`), any other value as JSON, an error as `Tool error: …`. Data URLs become a note with type and size; what is
 * cut says so, and is cut between characters.
 */
export function readResult(result: ToolResult, maxChars: number = MAX_RESULT_CHARS): ReadResult {
  if (result.kind === "error")
    return { text: shown(wellFormed(`Tool error: ${result.message}`), maxChars), ofFiles: false };
  const { value } = result;
  if (typeof value === "string")
    return { text: value === "" ? '""' : shown(wellFormed(value), maxChars), ofFiles: false };
  // JSON text is well-formed as it comes.
  const json = isMedia(value) ? undefined : JSON.stringify(value);
  // Its rarest letter first: a text of JSON is full of quotes.
  if (json !== undefined && !json.includes("$media")) return { text: shown(json, maxChars), ofFiles: false };
  const noted = isMedia(value) ? wellFormed(mediaNote(value)) : JSON.stringify(value, withNotes);
  const text = shown(noted, maxChars);
  return { text, ofFiles: text.includes(" bytes]") };
}

/** The text of `readResult`. */
export function resultText(result: ToolResult, maxChars?: number): string {
  return readResult(result, maxChars).text;
}

function withNotes(_key: string, member: unknown): unknown {
  return isMedia(member) ? mediaNote(member) : member;
}

/** A text without data URLs, and no longer than that. */
function shown(text: string, maxChars: number): string {
  const plain = text.includes(";") && /;base64,/i.test(text) ? text.replace(dataUrl, urlNote) : text;
  return plain.length > maxChars ? cut(plain, maxChars) : plain;
}

function urlNote(_url: string, type: string | undefined, data: string): string {
  return `[${type ?? "binary data"}, ${bytesOf(data)} bytes, not shown]`;
}

/** How many bytes base64 text stands for; in a URL some of its characters may be escaped. */
function bytesOf(base64: string): number {
  return Math.floor((base64.replaceAll(/%3D/gi, "").replaceAll(/%../g, "+").replace(/=+$/, "").length * 3) / 4);
}

function cut(text: string, maxChars: number): string {
  const note = `\n[cut: the result has ${text.length} characters, this is its beginning; ask for a smaller part to see the rest]`;
  const end = Math.max(0, maxChars - note.length);
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end) + note;
}

function wellFormed(text: string): string {
  return (text as unknown as { toWellFormed(): string }).toWellFormed();
}
