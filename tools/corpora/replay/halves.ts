/** A text in two pieces. */
export function halves(text: string): readonly string[] {
  return [text.slice(0, text.length / 2), text.slice(text.length / 2)];
}
