import type { ChildOp, OnEnd, Op, Program, RunOp, Scope, Steps } from "../journal/engine.js";
import { NotReserved } from "../finops/not-reserved.js";
import { JournalError, LimitExceededError } from "../errors/run-errors.js";
import { toErrorData } from "../errors/tenon-error.js";
import type { Outcome } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";
import type { AbortReason } from "../util/abort.js";
import { chain, isPromise, type Maybe } from "../util/class.js";
import { reserveTurn } from "./ask-for-budget.js";
import { CallSequence } from "./call-sequence.js";
import { admitCall, executeCall, reconcile, reviewCall, runPlainCall, waitingOp } from "./call-steps.js";
import { countCalls } from "./count-calls.js";
import { readPast, runLoop } from "./loop.js";
import { NotCalled } from "./model-reservation.js";
import { beginTurn } from "./model-turn.js";
import { lookAtRemotes } from "./remote-tools.js";
import { RunState, type RunPorts } from "./run-state.js";
import { canceled, failed } from "./stop-rules.js";
import type { CallRecord, OpenRecord } from "./turn-record.js";

/** A run of one agent, as an engine serves it: the loop, and the tasks that it names. */
export class AgentProgram implements Program {
  readonly state: RunState;
  /** It has no records yet. */
  protected readonly fresh: boolean;

  constructor(ports: RunPorts, fresh: boolean) {
    this.state = new RunState(ports);
    this.fresh = fresh;
  }

  prepare(): Maybe<void> {
    const { reservations, run } = this.state.ports;
    if (reservations === undefined || this.fresh) return readPast(this.state);
    // Whoever had the run before is gone: nobody knows what became of what it called.
    return chain(reservations.lose(run.id), () => readPast(this.state));
  }

  main(scope: Scope): Steps<Outcome> {
    this.state.wallTime?.begin(scope);
    return this.sequence(scope);
  }

  protected sequence(scope: Scope): Steps<Outcome> {
    return runLoop(scope, this.state, this.fresh);
  }

  task(op: RunOp, end: OnEnd<unknown>): void {
    const { wallTime } = this.state;
    if (wallTime === undefined) return this.#begin(op, end);
    const timed = wallTime.timed(end);
    try {
      this.#begin(op, timed);
    } catch (thrown) {
      timed.failed(thrown);
    }
  }

  #begin(op: RunOp, end: OnEnd<unknown>): void {
    if ((op.task === "model" || op.task === "budget") && this.state.ports.tools.remotes !== undefined)
      return lookAtRemotes(this.state, end, this.#beginTask.bind(this, op, end));
    this.#beginTask(op, end);
  }

  #beginTask(op: RunOp, end: OnEnd<unknown>): void {
    switch (op.task) {
      case "model":
        return beginTurn(this.state, (op.input as { readonly turn: number }).turn, end);
      case "budget":
        return reserveTurn(this.state, (op.input as { readonly turn: number }).turn, end);
      case "count":
        return endWith(end, countCalls(this.state, op.input as never));
      case "call":
        return runPlainCall(this.state, op.input as never, end);
      case "admit":
        return endWith(end, admitCall(this.state, op.input as never));
      case "review":
        return endWith(end, reviewCall(this.state, op.input as never));
      case "reconcile":
        return endWith(end, reconcile(this.state, op.input as never));
      case "execute":
        return executeCall(this.state, op.input as never, end);
      default:
        throw new JournalError("There is no such task", op.task, "Run it with the code that started it.");
    }
  }

  child(op: ChildOp, scope: Scope): Steps<unknown> {
    return new CallSequence(this.state, scope, op).run();
  }

  /** A plain read that asked for something ended without a result: it goes on as a sequence of its own. */
  next(op: Op, result: unknown): Op | undefined {
    if (this.state.wallTime !== undefined && op.type === "run") this.state.wallTime.heard(result as object);
    return op.type === "run" && op.task === "call" ? waitingOp(op, result as CallRecord | OpenRecord) : undefined;
  }

  waiting(about: Pause): void {
    this.state.emit?.({ type: about.kind === "approval" ? "approval-request" : "pause", pause: about });
  }

  failed(thrown: unknown): Outcome {
    if (thrown instanceof NotCalled) return canceled(this.state);
    const error = thrown instanceof NotReserved ? thrown.error : thrown;
    return failed(this.state, LimitExceededError.is(error) ? "budget" : "error", toErrorData(error));
  }

  abort(reason: Exclude<AbortReason, "timeout">): void {
    this.state.abort(reason === "cancel" && this.state.wallTime?.over === true ? "limit" : reason);
  }
}

function endWith<R>(end: OnEnd<R>, result: Maybe<R>): void {
  if (isPromise(result))
    result.then(
      (value) => end.done(value),
      (thrown: unknown) => end.failed(thrown),
    );
  else end.done(result);
}
