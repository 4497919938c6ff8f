/** A text of at most `max` characters, cut at a character boundary; what was cut off shows as `…`. */
export function cutText(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\uFFFD$/u, "")}…`;
}

/** The same in one line: every run of white space is one blank. */
export function cutLine(text: string, max: number): string {
  return cutText(text.replace(/\s+/g, " ").trim(), max);
}
