import { MAX_RESULT_CHARS } from "../config/defaults.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { isMedia, mediaNote } from "./media.js";

const dataUrl = /data:([\w.+-]+\/[\w.+-]+)?(?:;[^;,]{0,200}){0,8}?;base64,([\w+/%-]*={0,2})/gi;

/**
 * What the model reads of a result: never empty, well-formed, at most `maxChars` long. A text is given as it is (an empty
 * one as `""`), any other value as JSON, an error as `Tool error: …`. Data URLs become a note with type and size; what is
 * cut says so, and is cut between characters.
 */
export function resultText(result: ToolResult, maxChars: number = MAX_RESULT_CHARS): string {
  let text = result.kind === "error" ? `Tool error: ${result.message}` : valueText(result.value);
  if (text === "") return '""';
  if (text.includes(";") && /;base64,/i.test(text)) {
    text = text.replace(
      dataUrl,
      (_url, type: string | undefined, data: string) => `[${type ?? "binary data"}, ${bytesOf(data)} bytes, not shown]`,
    );
  }
  const shown = text.length > maxChars ? cut(text, maxChars) : text;
  // JSON text is well-formed as it comes.
  return result.kind === "ok" && typeof result.value === "object" ? shown : wellFormed(shown);
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (isMedia(value)) return wellFormed(mediaNote(value));
  const text = JSON.stringify(value);
  // Its rarest letter first: a text of JSON is full of quotes.
  if (!text.includes("$media")) return text;
  return JSON.stringify(value, (_key, member: unknown) => (isMedia(member) ? mediaNote(member) : member));
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
