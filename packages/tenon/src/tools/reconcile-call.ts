import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { isPromise } from "../util/class.js";
import type { BoundTool } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import { encoded } from "./checked-values.js";
import { NotReady, openHandler } from "./open-handler.js";
import { CutShort, waitInTime } from "./wait-in-time.js";

/** What a tool knows of a call of its own that was interrupted. */
export type Found =
  | { readonly outcome: "done"; readonly result: ToolResult }
  | { readonly outcome: "not-done" }
  | { readonly outcome: "unknown" };

const unknown: Found = { outcome: "unknown" };

/**
 * Asks a tool what became of a call that was interrupted. Whatever is no clear answer (a throw, no answer in the tool's own
 * time, another shape, a value that cannot be told) means that it is not known, and is told as a `hook-error`. Never throws.
 */
export async function reconcileCall(
  callId: string,
  tool: BoundTool,
  input: JsonValue,
  environment: CallEnvironment,
): Promise<Found> {
  if (environment.calls.stopped !== undefined) return unknown;
  const unclear = (message: string): Found => {
    environment.emit?.({ type: "hook-error", callId, hook: "reconcile", message });
    return unknown;
  };
  try {
    const handler = await openHandler(tool, environment);
    if (handler instanceof NotReady) return unclear(handler.result.message);
    if (handler.reconcile === undefined) return unknown;
    const value = await tool.input.toValue(input);
    const asked: unknown = handler.reconcile(callId, value);
    const settling = isPromise(asked) ? new Promise<unknown>((settle) => settle(asked)) : asked;
    const answer = await waitInTime(settling, tool.timeoutMs, environment);
    if (answer instanceof CutShort)
      return answer.reason === "timeout" ? unclear(`no answer in ${tool.timeoutMs} ms`) : unknown;
    return await foundOf(tool, answer, environment, unclear);
  } catch (thrown) {
    return unclear(textOf(thrown));
  }
}

async function foundOf(
  tool: BoundTool,
  answer: unknown,
  environment: CallEnvironment,
  unclear: (message: string) => Found,
): Promise<Found> {
  const { outcome } = (typeof answer === "object" && answer !== null ? answer : {}) as { readonly outcome?: unknown };
  if (outcome === "unknown" || outcome === "not-done") return { outcome };
  if (outcome !== "done" || !("value" in (answer as object)))
    return unclear("it gave none of `done` with a value, `not-done` and `unknown`");
  const result = await encoded(tool, (answer as { readonly value: unknown }).value, environment);
  return result.kind === "ok" ? { outcome, result } : unclear(result.message);
}
