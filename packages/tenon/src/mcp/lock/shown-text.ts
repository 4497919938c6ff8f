import { escapeUnseen } from "../../util/escape-unseen.js";

/** A text of a server in quotes and on one line, cut to `max` characters of it, with every unseen character escaped. */
export function shownText(text: string, max: number): string {
  return `${escapeUnseen(JSON.stringify(cutText(text, max)))}${text.length > max ? "…" : ""}`;
}

/** The same without quotes: for what is no text, or stands in a note of its own. */
export function shownBare(text: string, max: number): string {
  return `${escapeUnseen(cutText(text, max))}${text.length > max ? "…" : ""}`;
}

/** A text cut to `max` characters, never within a pair. */
function cutText(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
}
