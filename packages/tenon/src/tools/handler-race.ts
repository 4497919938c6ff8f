import { OVERDUE_HANDLERS } from "../config/defaults.js";
import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import { saysNotDone } from "../errors/tool-error.js";
import type { AbortReason } from "../util/abort.js";
import { isPromise, later } from "../util/class.js";
import type { Deadline } from "../util/deadlines.js";
import { soon } from "../util/soon.js";
import type { BoundTool, Handler } from "./bound-tool.js";
import type { CallContext } from "./call-context.js";
import type { CallEnvironment } from "./call-environment.js";
import type { ExecutionEnd } from "./executed.js";
import { busy, notDone, notStarted, stopped, threw } from "./handler-failures.js";
import { toJson } from "./json-encoding.js";
import type { Left } from "./leave-handler.js";

/** What comes after a handler. Called once for each race. */
export interface AfterHandler {
  readonly gave: (value: unknown, race: HandlerRace) => void;
  readonly failed: (failure: ToolFailure, race: HandlerRace) => void;
}

/**
 * Runs a handler against its timeout and the end of its run. A handler that ignores its signal cannot hold the run: the race
 * ends without it, and what it does later is an event. At most eight handlers of a run are open at once; waiting for a place
 * is neither started nor timed.
 */
export class HandlerRace implements Deadline {
  readonly tool: BoundTool;
  readonly context: CallContext;
  readonly environment: CallEnvironment;
  /** Hears in the end what the call gave. */
  readonly end: ExecutionEnd;
  readonly #then: AfterHandler;
  /** Why it is cut short, once it is. */
  #cut: AbortReason | undefined;
  // The call's own deadline, see `Deadlines.set`.
  at = 0;
  open = false;
  before: Deadline | undefined;
  after: Deadline | undefined;

  constructor(
    tool: BoundTool,
    context: CallContext,
    environment: CallEnvironment,
    then: AfterHandler,
    end: ExecutionEnd,
  ) {
    this.tool = tool;
    this.context = context;
    this.environment = environment;
    this.#then = then;
    this.end = end;
  }

  run(handler: Handler, input: JsonValue): void {
    const { calls } = this.environment;
    if (calls.stopped !== undefined) return this.#then.failed(notStarted(this.tool), this);
    if (this.tool.overdue.count >= OVERDUE_HANDLERS) return this.#then.failed(busy(this.tool), this);
    const place = calls.enter();
    if (place === undefined) this.#runInPlace(handler, input);
    else void place.then(() => this.#runInPlace(handler, input));
  }

  /** Its time is over. */
  expired(): void {
    this.context.abort("timeout");
  }

  cutShort(reason: AbortReason): void {
    const { tool, context } = this;
    if (context.left !== undefined) {
      this.#close();
      return this.#leave(context.left);
    }
    this.#cut = reason;
    // A write that hears of it may say at once that nothing happened, or that it is done after all.
    if (tool.access === "write" && context.started) soon(() => this.#endCut(reason));
    else this.#endCut(reason);
  }

  #endCut(reason: AbortReason): void {
    const { context } = this;
    if (context.settled) return;
    if (!context.dropped) {
      this.tool.overdue.count++;
      context.onDropped = () => this.#overdueNoMore();
    }
    this.#close();
    this.#then.failed(stopped(this.tool, context.started, reason), this);
  }

  /** A handler that was counted as running after its time has settled, or never will. */
  #overdueNoMore(): void {
    if (this.context.onDropped === undefined) return;
    this.context.onDropped = undefined;
    this.tool.overdue.count--;
  }

  /** The handler goes no further. */
  #leave(left: Left): void {
    if ("broken" in left) return this.end.broken(left.broken);
    if ("failure" in left) return this.#then.failed(left.failure, this);
    const { costNanoUsd } = this.context;
    this.end.executed(costNanoUsd === 0 ? left : { ...left, costNanoUsd }, true);
  }

  #runInPlace(handler: Handler, input: JsonValue): void {
    const { tool, context, environment } = this;
    const { calls, emit } = environment;
    // Known as open from here on: whoever hears of the start may stop the run at once.
    if (calls.stopped === undefined) {
      calls.add(context);
      emit?.({
        type: "tool-start",
        callId: context.callId,
        name: tool.name,
        input: tool.input.mask(input),
        repairs: context.repairs,
      });
    }
    let given: unknown;
    let pending = false;
    let failure: ToolFailure | undefined;
    try {
      if (calls.stopped === undefined) given = started(tool, handler, input, context);
      else failure = notStarted(tool);
      pending = isPromise(given);
    } catch (thrown) {
      failure = threw(tool, thrown);
    }
    if (pending) return this.#wait(given);
    this.#close();
    if (context.left !== undefined) return this.#leave(context.left);
    if (failure === undefined) this.#then.gave(given, this);
    else this.#then.failed(failure, this);
  }

  #wait(given: unknown): void {
    const { tool, context, environment } = this;
    environment.deadlines.set(this, tool.timeoutMs);
    // Of any other thenable, one that settles once, never at once, and never throws.
    Promise.resolve(given).then(
      (value) => this.#gave(value),
      (thrown: unknown) => this.#threw(thrown),
    );
    // The handler itself may have stopped the run before it gave its promise.
    if (context.aborted === undefined) context.race = this;
    else this.cutShort(context.aborted);
  }

  #gave(value: unknown): void {
    if (this.context.settled) return this.#late(value, undefined);
    this.#close();
    this.#then.gave(value, this);
  }

  #threw(thrown: unknown): void {
    const { tool, context } = this;
    const failure = threw(tool, thrown);
    if (context.settled) return this.#late(undefined, failure);
    const cut = this.#cut;
    this.#close();
    if (cut === undefined) this.#then.failed(failure, this);
    else this.#then.failed(saysNotDone(thrown) ? notDone(tool, cut) : stopped(tool, context.started, cut), this);
  }

  /** The call has its result: what its handler does from here on changes nothing. */
  #close(): void {
    const { context, environment } = this;
    environment.deadlines.remove(this);
    context.settled = true;
    context.race = undefined;
    environment.calls.delete(context);
    environment.calls.leave();
  }

  #late(value: unknown, failed: ToolFailure | undefined): void {
    const { tool, context, environment } = this;
    // Whoever was dropped at a question is not counted, and not heard.
    if (context.left !== undefined) return;
    this.#overdueNoMore();
    if (environment.emit === undefined) return;
    let result: ToolResult;
    try {
      result = failed ?? { kind: "ok", value: toJson(value) };
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
      durationMs: this.at < 0 ? 0 : environment.clock.elapsedMs() - (this.at - tool.timeoutMs),
      late: true,
    });
  }
}

/** What the handler gave, or a promise of it. */
function started(tool: BoundTool, handler: Handler, input: JsonValue, context: CallContext): unknown {
  const value = tool.input.toValue(input);
  return isPromise(value) ? later(value, calledInTime, handler, context) : called(value, handler, context);
}

function calledInTime(value: unknown, handler: Handler, context: CallContext): unknown {
  return context.settled ? undefined : called(value, handler, context);
}

function called(value: unknown, handler: Handler, context: CallContext): unknown {
  context.started = true;
  return handler.run(value, context);
}
