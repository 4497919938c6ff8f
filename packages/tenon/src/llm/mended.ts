/** The whole characters so far; half a one at the end waits for the next delta. */
export function mended(block: { half: string }, delta: string): string {
  const text = block.half + delta;
  const last = text.charCodeAt(text.length - 1);
  const whole = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
  block.half = text.slice(whole);
  return text.slice(0, whole).toWellFormed();
}
