import { textOf } from "../errors/tenon-error.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { AbortReason } from "../util/abort.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { Deadline } from "../util/deadlines.js";
import type { BoundTool } from "./bound-tool.js";
import type { CallContext } from "./call-context.js";
import type { CallEnvironment } from "./call-environment.js";
import { toJson } from "./json-encoding.js";

export type Raced = { readonly value: unknown } | { readonly failure: ToolFailure };

/**
 * Runs a handler against its timeout and the end of its run. A handler that ignores its signal cannot hold the run: the
 * race ends without it, and what it does later is an event. At most eight handlers of a run are open at once; waiting for
 * a place is neither started nor timed.
 */
export function raceHandler(tool: BoundTool, context: CallContext, environment: CallEnvironment, start: () => unknown): Maybe<Raced> {
  const { calls } = environment;
  if (calls.stopped !== undefined) return { failure: notStarted(tool) };
  const place = calls.enter();
  if (place !== undefined) return place.then(() => runInPlace(tool, context, environment, start));
  return runInPlace(tool, context, environment, start);
}

function runInPlace(tool: BoundTool, context: CallContext, environment: CallEnvironment, start: () => unknown): Maybe<Raced> {
  const { calls } = environment;
  if (calls.stopped !== undefined) {
    calls.leave();
    return { failure: notStarted(tool) };
  }
  let given: unknown;
  try {
    given = start();
  } catch (thrown) {
    calls.leave();
    return { failure: threw(tool, thrown) };
  }
  if (!isPromise(given)) {
    calls.leave();
    return { value: given };
  }
  const running = given;
  return new Promise((resolve) => {
    let deadline: Deadline | undefined;
    let open = true;
    const end = (raced: Raced): void => {
      open = false;
      if (deadline !== undefined) environment.deadlines.remove(deadline);
      context.onAbort = undefined;
      calls.delete(context);
      calls.leave();
      resolve(raced);
    };
    const startedAt = environment.clock.now();
    running.then(
      (value) => (open ? end({ value }) : late(tool, context, environment, { value }, startedAt)),
      (thrown: unknown) => (open ? end({ failure: threw(tool, thrown) }) : late(tool, context, environment, { failure: threw(tool, thrown) }, startedAt)),
    );
    context.onAbort = (reason) => end({ failure: stopped(tool, reason) });
    deadline = environment.deadlines.add(tool.timeoutMs, () => context.abort("timeout"));
    calls.add(context);
  });
}

function late(tool: BoundTool, context: CallContext, environment: CallEnvironment, raced: Raced, startedAt: number): void {
  if (environment.emit === undefined) return;
  let result: ToolResult;
  try {
    result = "value" in raced ? { kind: "ok", value: toJson(raced.value) } : raced.failure;
  } catch (thrown) {
    result = { kind: "error", code: "invalid_output", message: `${tool.name} gave a result that cannot be told: it ${textOf(thrown)}` };
  }
  environment.emit({ type: "tool-end", callId: context.callId, name: tool.name, result, durationMs: environment.clock.now() - startedAt, late: true });
}

function threw(tool: BoundTool, thrown: unknown): ToolFailure {
  return { kind: "error", code: "tool_error", message: bounded(textOf(thrown)) || `${tool.name} failed` };
}

function bounded(message: string): string {
  return message.length > 10_000 ? `${message.slice(0, 10_000)}…` : message;
}

function notStarted(tool: BoundTool): ToolFailure {
  return { kind: "error", code: "cancelled", message: `${tool.name} was not started: the run was stopped` };
}

function stopped(tool: BoundTool, reason: AbortReason): ToolFailure {
  if (tool.access === "write") {
    const why = reason === "timeout" ? `gave no answer within ${tool.timeoutMs} ms` : "was stopped while it was running";
    return { kind: "error", code: "unknown_outcome", message: `${tool.name} ${why}. It may have completed: check before you repeat it` };
  }
  return reason === "timeout"
    ? { kind: "error", code: "timeout", message: `${tool.name} gave no answer within ${tool.timeoutMs} ms` }
    : { kind: "error", code: "cancelled", message: `${tool.name} was stopped before it gave a result` };
}
