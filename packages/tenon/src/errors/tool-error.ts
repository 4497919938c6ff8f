import { MissingPeerError, MissingVariableError } from "./environment-errors.js";
import { TenonError } from "./tenon-error.js";

/**
 * What a tool throws to say more than that it failed. The model reads the message. `outcome: "not-done"` says that nothing
 * happened: a write that throws it when its signal aborts is not in doubt. `source: "trusted"` says that the message holds no
 * words from outside: of a tool whose results are untrusted, this error does not count as text from outside.
 */
export class ToolError extends TenonError<"tool_error"> {
  static readonly code = "tool_error";
  readonly outcome: "not-done" | undefined;
  readonly source: "trusted" | undefined;

  constructor(
    message: string,
    options: {
      readonly outcome?: "not-done" | undefined;
      readonly source?: "trusted" | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super("tool_error", { what: message, next: "" }, {}, options.cause);
    this.outcome = options.outcome;
    this.source = options.source;
  }
}

/** Whether somebody threw to say that nothing happened. Never throws. */
export function saysNotDone(thrown: unknown): boolean {
  return ToolError.is(thrown) && (thrown as { readonly outcome?: unknown }).outcome === "not-done";
}

/** Whether what was thrown holds no words from outside: somebody says so, or only the framework throws it. Never throws. */
export function saysTrusted(thrown: unknown): boolean {
  if (MissingVariableError.is(thrown) || MissingPeerError.is(thrown)) return true;
  return ToolError.is(thrown) && (thrown as { readonly source?: unknown }).source === "trusted";
}
