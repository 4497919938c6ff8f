/** The words of an error in one of the usual forms: a text, an object that has one, or a list of these. */
export function wordsOf(error: unknown): string | undefined {
  const found: unknown = Array.isArray(error) ? error[0] : error;
  if (typeof found !== "object" || found === null) return ownWords(found);
  const { message, info, detail, text } = found as Readonly<Record<string, unknown>>;
  return ownWords(message) ?? ownWords(info) ?? ownWords(detail) ?? ownWords(text);
}

function ownWords(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
