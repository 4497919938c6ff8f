/**
 * Why a call gave no value. Each code has a page in the docs.
 *
 * - `unknown_tool` no tool of that name · `invalid_input` the arguments do not fit · `repeated` the same call gave the same result
 * too often · `denied` a hook or a person said no · `expired` nobody answered in time · `busy` too many handlers of the tool are still running after their time
 * - `approval_required` a tool that asks was invoked outside a run · `timeout` a read took too long
 * - `unknown_outcome` a write was interrupted after it started · `cancelled` stopped before it started, or a read
 * - `invalid_output` the returned value cannot be told · `limit` the run stopped before the call · `tool_gone` the tool
 *   no longer fits the recorded call · `tool_error` the handler threw
 */
export type ToolErrorCode =
  | "unknown_tool"
  | "invalid_input"
  | "repeated"
  | "denied"
  | "expired"
  | "busy"
  | "approval_required"
  | "timeout"
  | "unknown_outcome"
  | "cancelled"
  | "invalid_output"
  | "limit"
  | "tool_gone"
  | "tool_error";

export interface ToolOk<T = unknown> {
  readonly kind: "ok";
  readonly value: T;
}

export interface ToolFailure {
  readonly kind: "error";
  readonly message: string;
  readonly code: ToolErrorCode;
}

/** What a call gave: a value, or an error that the model reads and can mend. Exactly these keys. */
export type ToolResult<T = unknown> = ToolOk<T> | ToolFailure;
