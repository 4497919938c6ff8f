import { MissingPeerError, MissingVariableError } from "./environment-errors.js";
import { McpConnectionError } from "./mcp-connection-errors.js";
import { TenonError } from "./tenon-error.js";

/**
 * What a tool throws to say more than that it failed. The model reads the message. `outcome: "not-done"` says that nothing
 * happened: a write that throws it when its signal aborts is not in doubt. `outcome: "unknown"` says that nobody knows whether it
 * happened, as when a reply was lost: of a write that is `unknown_outcome`. `source: "trusted"` says that the message holds no
 * words from outside: of a tool whose results are untrusted, this error does not count as text from outside.
 */
export class ToolError extends TenonError<"tool_error"> {
  static readonly code = "tool_error";
  readonly outcome: "not-done" | "unknown" | undefined;
  readonly source: "trusted" | undefined;

  constructor(
    message: string,
    options: {
      readonly outcome?: "not-done" | "unknown" | undefined;
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
  return outcomeOf(thrown) === "not-done";
}

/** Whether somebody threw to say that nobody knows what happened. Never throws. */
export function saysUnknown(thrown: unknown): boolean {
  return outcomeOf(thrown) === "unknown";
}

function outcomeOf(thrown: unknown): unknown {
  if (ToolError.is(thrown)) return (thrown as { readonly outcome?: unknown }).outcome;
  if (!McpConnectionError.is(thrown)) return undefined;
  return thrown.data?.["started"] === true ? "unknown" : "not-done";
}

/** Whether what was thrown holds no words from outside: somebody says so, or only the framework throws it. Never throws. */
export function saysTrusted(thrown: unknown): boolean {
  if (MissingVariableError.is(thrown) || MissingPeerError.is(thrown)) return true;
  return ToolError.is(thrown) && (thrown as { readonly source?: unknown }).source === "trusted";
}
