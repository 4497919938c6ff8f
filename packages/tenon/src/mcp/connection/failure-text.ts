import type { HideValues } from "./hidden-values.js";

/** One line of a message: values are hidden before anything is cut off, so that none is shown in half. */
export function oneLine(text: string, hide: HideValues, longest: number): string | undefined {
  const line = hide(text).replaceAll(/\s+/g, " ").trim().slice(0, longest).toWellFormed();
  return line === "" ? undefined : line;
}

/** What something thrown says, with what caused it. */
export function textWithCause(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  return cause instanceof Error ? `${thrown.message}: ${cause.message}` : thrown.message;
}
