/** A number of things: `1 tool call`, `2 tool calls`. */
export function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
