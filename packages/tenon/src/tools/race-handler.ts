import { OVERDUE_HANDLERS } from "../config/defaults.js";
import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import { saysNotDone } from "../errors/tool-error.js";
import type { AbortReason } from "../util/abort.js";
import { isPromise, type Maybe } from "../util/class.js";
import { soon } from "../util/soon.js";
import type { BoundTool, Handler } from "./bound-tool.js";
import type { CallContext } from "./call-context.js";
import type { CallEnvironment } from "./call-environment.js";
import { toJson } from "./json-encoding.js";
import type { Left } from "./leave-handler.js";
import type { Suspension } from "./resumption.js";

export type Raced =
  | { readonly value: unknown }
  | { readonly failure: ToolFailure }
  /** It asked a question that nobody has answered yet. */
  | { readonly suspended: Suspension };

/**
 * Runs a handler against its timeout and the end of its run, and gives what `done` makes of the end. A handler that ignores
 * its signal cannot hold the run: the race ends without it, and what it does later is an event. At most eight handlers of a
 * run are open at once; waiting for a place is neither started nor timed. Throws, or rejects, only where the journal does not
 * fit the handler.
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
  if (tool.overdue.count >= OVERDUE_HANDLERS) return done({ failure: busy(tool) });
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
  // Known as open from here on: whoever hears of the start may stop the run at once.
  if (calls.stopped === undefined) {
    calls.add(context);
    environment.emit?.({
      type: "tool-start",
      callId: context.callId,
      name: tool.name,
      input: tool.input.mask(input),
      repairs: context.repairs,
    });
  }
  let given: Raced | Promise<unknown>;
  try {
    given = calls.stopped === undefined ? started(tool, handler, input, context) : { failure: notStarted(tool) };
  } catch (thrown) {
    given = { failure: threw(tool, thrown) };
  }
  if (!isPromise(given)) {
    closeCall(context, environment);
    return done(context.left === undefined ? given : leftAs(context.left));
  }
  const settling = given;
  return new Promise<R>((resolve, reject) => {
    const finish = (raced: Raced): void => {
      environment.deadlines.remove(deadline);
      closeCall(context, environment);
      resolve(done(raced));
    };
    let cut: AbortReason | undefined;
    const deadline = environment.deadlines.add(tool.timeoutMs, () => context.abort("timeout"));
    settling.then(
      (value) => (context.settled ? late(tool, context, environment, { value }, deadline.at) : finish({ value })),
      (thrown: unknown) => {
        if (context.settled) late(tool, context, environment, { failure: threw(tool, thrown) }, deadline.at);
        else if (cut === undefined) finish({ failure: threw(tool, thrown) });
        else finish({ failure: saysNotDone(thrown) ? notDone(tool, cut) : stopped(tool, context, cut) });
      },
    );
    const cutShort = (reason: AbortReason): void => {
      if (context.left !== undefined) {
        try {
          finish(leftAs(context.left));
        } catch (broken) {
          environment.deadlines.remove(deadline);
          closeCall(context, environment);
          reject(broken);
        }
        return;
      }
      cut = reason;
      const end = (): void => {
        if (context.settled) return;
        tool.overdue.count++;
        finish({ failure: stopped(tool, context, reason) });
      };
      // A write that hears of it may say at once that nothing happened, or that it is done after all.
      if (tool.access === "write" && context.started) soon(end);
      else end();
    };
    // The handler itself may have stopped the run before it gave its promise.
    if (context.aborted !== undefined) cutShort(context.aborted);
    else context.onAbort = cutShort;
  });
}

/** What the handler gave, or a promise: one that settles once, never at once, and never throws. */
function started(tool: BoundTool, handler: Handler, input: JsonValue, context: CallContext): Raced | Promise<unknown> {
  const value = tool.input.toValue(input);
  if (isPromise(value)) return value.then((made) => (context.settled ? undefined : run(handler, made, context)));
  const given = run(handler, value, context);
  return isPromise(given) ? Promise.resolve(given) : { value: given };
}

function run(handler: Handler, value: unknown, context: CallContext): unknown {
  context.started = true;
  return handler.run(value, context);
}

/** The call has its result: what its handler does from here on changes nothing. */
function closeCall(context: CallContext, { calls }: CallEnvironment): void {
  context.settled = true;
  context.onAbort = undefined;
  calls.delete(context);
  calls.leave();
}

function late(
  tool: BoundTool,
  context: CallContext,
  environment: CallEnvironment,
  raced: Exclude<Raced, { suspended: Suspension }>,
  deadlineAt: number,
): void {
  // Whoever was dropped at a question is not counted, and not heard.
  if (context.left !== undefined) return;
  tool.overdue.count--;
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

/** How a race ends whose handler left. Throws where the journal does not fit the handler. */
function leftAs(left: Left): Raced {
  if ("broken" in left) throw left.broken;
  return left;
}

function threw(tool: BoundTool, thrown: unknown): ToolFailure {
  return { kind: "error", code: "tool_error", message: bounded(textOf(thrown)) || `${tool.name} failed` };
}

function bounded(message: string): string {
  return message.length > 10_000 ? `${message.slice(0, 10_000)}…` : message;
}

function busy(tool: BoundTool): ToolFailure {
  return {
    kind: "error",
    code: "busy",
    message: `${tool.name} was not started: ${OVERDUE_HANDLERS} of its earlier calls are still running after their time. Try it later, or do without`,
  };
}

function notStarted(tool: BoundTool): ToolFailure {
  return { kind: "error", code: "cancelled", message: `${tool.name} was not started: the run was stopped` };
}

function notDone(tool: BoundTool, reason: AbortReason): ToolFailure {
  return reason === "timeout"
    ? {
        kind: "error",
        code: "timeout",
        message: `${tool.name} gave no answer within ${tool.timeoutMs} ms, and did nothing`,
      }
    : { kind: "error", code: "cancelled", message: `${tool.name} was stopped, and did nothing` };
}

function stopped(tool: BoundTool, context: CallContext, reason: AbortReason): ToolFailure {
  if (!context.started && reason !== "timeout") return notStarted(tool);
  if (tool.access === "write" && context.started) {
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
