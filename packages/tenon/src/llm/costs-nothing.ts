import { MissingVariableError, ModelError } from "../errors/environment-errors.js";
import { ScriptError } from "../errors/testing-errors.js";

/** The statuses that say "I took too long": the provider had begun to work, and bills what it did. */
const TOOK_TOO_LONG = new Set([408, 504, 524]);

/**
 * Whether an attempt that failed like that costs nothing: its request was never sent, or the provider refused it with a status in
 * place of an answer.
 */
export function costsNothing(failure: unknown): boolean {
  if (!ModelError.is(failure)) return MissingVariableError.is(failure) || ScriptError.is(failure);
  const { status, sent } = failure.data;
  return sent === false || (typeof status === "number" && status >= 400 && !TOOK_TOO_LONG.has(status));
}
