import { TenonError } from "./tenon-error.js";

/**
 * What a tool throws to say more than that it failed. The model reads the message. `outcome: "not-done"` says that nothing
 * happened: a write that throws it when its signal aborts is not in doubt.
 */
export class ToolError extends TenonError<"tool_error"> {
  static readonly code = "tool_error";
  readonly outcome: "not-done" | undefined;

  constructor(message: string, options: { readonly outcome?: "not-done" | undefined; readonly cause?: unknown } = {}) {
    super("tool_error", { what: message, next: "" }, {}, options.cause);
    this.outcome = options.outcome;
  }
}

/** Whether somebody threw to say that nothing happened. Never throws. */
export function saysNotDone(thrown: unknown): boolean {
  return ToolError.is(thrown) && (thrown as { readonly outcome?: unknown }).outcome === "not-done";
}
