import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { AbortReason } from "../util/abort.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { BoundTool, Handler } from "./bound-tool.js";
import type { CallContext } from "./call-context.js";
import type { CallEnvironment } from "./call-environment.js";
import { toJson } from "./json-encoding.js";

export type Raced = { readonly value: unknown } | { readonly failure: ToolFailure };

/**
 * Runs a handler against its timeout and the end of its run, and gives what `done` makes of the end. A handler that ignores
 * its signal cannot hold the run: the race ends without it, and what it does later is an event. At most eight handlers of a
 * run are open at once; waiting for a place is neither started nor timed.
 */
export function raceHandler<R>(
  tool: BoundTool,
  handler: Handler,
  input: JsonValue,
  context: CallContext,
  environment: CallEnvironment,
  done: (raced: Raced) => Maybe<R>,
): Maybe<R> {
  const { calls } = environment;
  if (calls.stopped !== undefined) return done({ failure: notStarted(tool) });
  const place = calls.enter();
  if (place !== undefined) return place.then(() => runInPlace(tool, handler, input, context, environment, done));
  return runInPlace(tool, handler, input, context, environment, done);
}

function runInPlace<R>(
  tool: BoundTool,
  handler: Handler,
  input: JsonValue,
  context: CallContext,
  environment: CallEnvironment,
  done: (raced: Raced) => Maybe<R>,
): Maybe<R> {
  const { calls } = environment;
  if (calls.stopped !== undefined) {
    calls.leave();
    return done({ failure: notStarted(tool) });
  }
  environment.emit?.({
    type: "tool-start",
    callId: context.callId,
    name: tool.name,
    input: tool.input.mask(input),
    repairs: context.repairs,
  });
  let given: unknown;
  let running: Promise<unknown> | undefined;
  try {
    const value = tool.input.toValue(input);
    given = isPromise(value) ? value.then((made) => handler.run(made, context)) : handler.run(value, context);
    // Whatever has a `then` becomes a promise: one that settles once, never at once, and never throws.
    if (isPromise(given)) running = Promise.resolve(given);
  } catch (thrown) {
    calls.leave();
    return done({ failure: threw(tool, thrown) });
  }
  if (running === undefined) {
    calls.leave();
    return done({ value: given });
  }
  const settling = running;
  return new Promise<R>((resolve) => {
    let open = true;
    const end = (raced: Raced): void => {
      open = false;
      environment.deadlines.remove(deadline);
      context.onAbort = undefined;
      calls.delete(context);
      calls.leave();
      resolve(done(raced));
    };
    settling.then(
      (value) => (open ? end({ value }) : late(tool, context, environment, { value }, deadline.at)),
      (thrown: unknown) =>
        open
          ? end({ failure: threw(tool, thrown) })
          : late(tool, context, environment, { failure: threw(tool, thrown) }, deadline.at),
    );
    context.onAbort = (reason) => end({ failure: stopped(tool, reason) });
    const deadline = environment.deadlines.add(tool.timeoutMs, () => context.abort("timeout"));
    calls.add(context);
  });
}

function late(
  tool: BoundTool,
  context: CallContext,
  environment: CallEnvironment,
  raced: Raced,
  deadlineAt: number,
): void {
  if (environment.emit === undefined) return;
  let result: ToolResult;
  try {
    result = "value" in raced ? { kind: "ok", value: toJson(raced.value) } : raced.failure;
  } catch (thrown) {
    result = {
      kind: "error",
      code: "invalid_output",
      message: `${tool.name} gave a result that cannot be told: it ${textOf(thrown)}`,
    };
  }
  environment.emit({
    type: "tool-end",
    callId: context.callId,
    name: tool.name,
    result,
    durationMs: environment.clock.now() - (deadlineAt - tool.timeoutMs),
    late: true,
  });
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
