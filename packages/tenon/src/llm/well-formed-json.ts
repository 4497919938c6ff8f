/** An escape that is a whole surrogate pair, half of one, or anything else. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g;

/** JSON text whose strings are well-formed once they are parsed: half a character, as it is or escaped, becomes U+FFFD. */
export function wellFormedJson(text: string): string {
  const whole = text.toWellFormed();
  if (!whole.includes("\\u")) return whole;
  return whole.replace(escapes, (escape) => (escape.length === 6 ? "\\ufffd" : escape));
}
