const maxDepth = 500;

/** A parsed JSON text, or why it is none. The reason shows nothing of the text, which may hold secrets. */
export type JsonText = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** What every number has that is beyond the range of a double. */
const huge = /\d(?:[eE]\+?\d{3}|\d{199})/;

/**
 * Parses JSON text. Refuses what is nested so deeply that writing it again could exhaust the stack, and a number that is read
 * as infinite, which no JSON can say.
 */
export function parseJsonText(text: string): JsonText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { ok: false, reason: reasonOf(thrown) };
  }
  // Each level takes two characters.
  if (text.length > 2 * maxDepth && depthOf(text) > maxDepth)
    return { ok: false, reason: `nested more than ${maxDepth} levels deep` };
  if (huge.test(text) && hasInfinity(value)) return { ok: false, reason: "a number in it is too large" };
  return { ok: true, value };
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInfinity);
}

function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : "";
  if (message.includes("end of JSON")) return "the text ends before the JSON is complete";
  // Only these messages of the engine quote nothing of the text.
  const known =
    /^([A-Z][a-z][\w ,:'"}\]{[-]*?) in JSON at position (\d+)/.exec(message) ??
    /^(Unexpected non-whitespace character) after JSON at position (\d+)/.exec(message);
  return known === null
    ? "unexpected character"
    : `${known[1]!.charAt(0).toLowerCase()}${known[1]!.slice(1)} at position ${known[2]}`;
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      for (at++; at < text.length && text.charCodeAt(at) !== 34; at++) if (text.charCodeAt(at) === 92) at++;
    } else if (code === 91 || code === 123) {
      if (++depth > deepest) deepest = depth;
    } else if (code === 93 || code === 125) depth--;
  }
  return deepest;
}
