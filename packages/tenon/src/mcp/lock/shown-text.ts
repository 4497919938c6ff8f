/**
 * What is not seen, or turns what is seen around: control and format characters (the zero-width and bidirectional ones, tags),
 * line and paragraph separators, variation selectors, fillers, private and unassigned characters, halves of pairs.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A text whose unseen characters are written as `\uXXXX`. Line breaks are among them, unless `keep` names them. */
export function escapeUnseen(text: string, keep = ""): string {
  return text.replace(UNSEEN, (found) => {
    if (keep.includes(found)) return found;
    let escaped = "";
    for (let i = 0; i < found.length; i++) escaped += `\\u${found.charCodeAt(i).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}

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
