import { OVERDUE_HANDLERS } from "../config/defaults.js";
import { textOf } from "../errors/tenon-error.js";
import { McpConnectionError } from "../errors/mcp-connection-errors.js";
import { saysTrusted, saysUnknown } from "../errors/tool-error.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { AbortReason } from "../util/abort.js";
import type { BoundTool } from "./bound-tool.js";

/** Failures without a word from outside, whatever the source of their tool. In memory: the record of the call says it from then on. */
const trusted: WeakSet<ToolResult> = new WeakSet();

/** The same, noted as one without a word from outside. */
export function trustedFailure(failure: ToolFailure): ToolFailure {
  trusted.add(failure);
  return failure;
}

/** Whether a result, as it was made in this process, holds no word from outside. */
export function isTrustedFailure(result: ToolResult): boolean {
  return result.kind === "error" && trusted.has(result);
}

/** Failures of writes whose answer was lost, without a deadline or a stop. In memory: the record of the call says it from then on. */
const lost: WeakSet<ToolResult> = new WeakSet();

/** Whether a result, as it was made in this process, is that of a write whose answer was lost. */
export function isLostAnswer(result: ToolResult): boolean {
  return lost.has(result);
}

/** What it threw. */
export function threw(tool: BoundTool, thrown: unknown): ToolFailure {
  const message = notReached(tool, thrown) ?? (bounded(textOf(thrown)) || `${tool.name} failed`);
  if (tool.access === "write" && saysUnknown(thrown)) {
    const why = `${tool.name} got no answer: ${message}`;
    const failure: ToolFailure = {
      kind: "error",
      code: "unknown_outcome",
      message: `${why}\nIt may have completed: check before you repeat it`,
    };
    lost.add(failure);
    return failure;
  }
  const silent = McpConnectionError.is(thrown) && thrown.data["reason"] === "idle";
  const failure: ToolFailure = { kind: "error", code: silent ? "timeout" : "tool_error", message };
  return tool.untrusted && saysTrusted(thrown) ? trustedFailure(failure) : failure;
}

/**
 * What a model reads where a server was not reached, so that the call was not sent; `undefined` of any other failure. How to mend it,
 * and what the server said last, is for who runs the app.
 */
export function notReached({ name }: BoundTool, thrown: unknown): string | undefined {
  if (!McpConnectionError.is(thrown)) return undefined;
  const { server, reason, started } = thrown.data as { readonly [name: string]: unknown };
  if (started === true) return undefined;
  return `${name} was not started: its server ${String(server)} cannot be reached (${String(reason)}). Try it later, or do without`;
}

function bounded(message: string): string {
  return message.length > 10_000 ? `${message.slice(0, 10_000)}…` : message;
}

/** Too many of its earlier calls are still running. */
export function busy(tool: BoundTool): ToolFailure {
  return trustedFailure({
    kind: "error",
    code: "busy",
    message: `${tool.name} was not started: ${OVERDUE_HANDLERS} of its earlier calls are still running after their time. Try it later, or do without`,
  });
}

/** The run was stopped before. */
export function notStarted(tool: BoundTool): ToolFailure {
  return trustedFailure({
    kind: "error",
    code: "cancelled",
    message: `${tool.name} was not started: the run was stopped`,
  });
}

/** It was cut short, and says that nothing happened. */
export function notDone(tool: BoundTool, reason: AbortReason): ToolFailure {
  return reason === "timeout"
    ? {
        kind: "error",
        code: "timeout",
        message: `${tool.name} gave no answer within ${tool.timeoutMs} ms, and did nothing`,
      }
    : { kind: "error", code: "cancelled", message: `${tool.name} was stopped, and did nothing` };
}

/** It was cut short. */
export function stopped(tool: BoundTool, started: boolean, reason: AbortReason): ToolFailure {
  if (!started && reason !== "timeout") return notStarted(tool);
  if (tool.access === "write" && started) {
    const why =
      reason === "timeout" ? `gave no answer within ${tool.timeoutMs} ms` : "was stopped while it was running";
    return {
      kind: "error",
      code: "unknown_outcome",
      message: `${tool.name} ${why}. It may have completed: check before you repeat it`,
    };
  }
  return reason === "timeout"
    ? { kind: "error", code: "timeout", message: `${tool.name} gave no answer within ${tool.timeoutMs} ms` }
    : { kind: "error", code: "cancelled", message: `${tool.name} was stopped before it gave a result` };
}
