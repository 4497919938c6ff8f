import type { Bound } from "../finops/ledger.js";
import { nothingUsed } from "../finops/lost-usage.js";
import type { OnEnd } from "../journal/engine.js";
import { ModelError } from "../errors/environment-errors.js";
import { toErrorData } from "../errors/tenon-error.js";
import type { Model, ModelAnswer, ModelEnd, ModelRequest, OnDelta, StoppedTogether } from "../llm/model.js";
import type { Usage } from "../protocol/usage.js";
import type { OpenCall } from "../tools/open-calls.js";
import type { Deadline } from "../util/deadlines.js";
import { failureAtLimit, failureBefore, tookTooLong } from "./attempt-failure.js";
import { usageOfAnswer, usageOfFailure, type Attempt } from "./attempt-usage.js";
import { limitsCost } from "./limits-of-run.js";
import { ModelAttempts } from "./model-attempts.js";
import { requestOf } from "./model-request.js";
import { ModelReservation, NotCalled, type ReservedCall } from "./model-reservation.js";
import type { RunState } from "./run-state.js";
import { toldDeltas } from "./told-deltas.js";
import { withoutEmptyText, type FailedAttempt, type TurnRecord } from "./turn-record.js";
import { withCallIds } from "./wire-ids.js";

/**
 * One model call: streams where somebody listens, else generates; both give the same record. An attempt that fails before anything
 * of its answer was told is made again, or made with a fallback. A failure or a stop is a record too, with what it used as far as
 * that can be told. It is its own deadline: of an attempt, or of the waiting for the next one.
 */
export class ModelTurn implements ModelEnd, Deadline, StoppedTogether, ReservedCall, Attempt {
  at: number = 0;
  open: boolean = false;
  before: Deadline | undefined;
  after: Deadline | undefined;
  readonly state: RunState;
  readonly #turn: number;
  #end: OnEnd<TurnRecord>;
  #reserved: (() => void) | undefined;
  /** What was reserved for the attempt, under a budget. */
  #reservation: ModelReservation | undefined;
  /** Made when one fails; at once where they all have a time together. */
  #attempts: ModelAttempts | undefined;
  #failed: FailedAttempt[] | undefined;
  /** Why the last of these failed. */
  #failure: ModelError | undefined;
  request: ModelRequest;
  #asking: OpenCall | undefined;
  #waiting = false;
  /** How long the attempt was waited for, once it was given up. */
  #gaveUpAfter: number | undefined;
  /** How many characters were streamed so far. */
  #shown = 0;

  constructor(state: RunState, turn: number, end: OnEnd<TurnRecord>) {
    this.state = state;
    this.#turn = turn;
    this.#end = end;
    if (state.ports.agent.modelCall.deadlineMs !== undefined) this.#attempts = new ModelAttempts(state.ports);
    this.request = requestOf(state, this);
  }

  /** Only reserves, for the same turn to be made later: `end` hears why it must not be. */
  reserve(reserved: () => void): void {
    this.#reserved = reserved;
    this.begin();
  }

  /** Makes the call that was reserved for. */
  goOn(end: OnEnd<TurnRecord>): void {
    this.#end = end;
    this.request = requestOf(this.state, this);
    this.call();
  }

  begin(): void {
    if (this.state.stopped !== undefined) return this.#notMade();
    const { reservations } = this.state.ports;
    if (reservations === undefined) return this.call();
    this.#reservation = new ModelReservation(this.state, reservations, this.#turn, this.model, this);
    this.#reservation.begin(this.request, this.#leftMs());
  }

  /** An attempt. */
  call(): void {
    if (this.state.stopped !== undefined) return this.#notMade();
    const reserved = this.#reserved;
    if (reserved !== undefined) {
      this.#reserved = undefined;
      return reserved();
    }
    const { emit, ports, deadlines } = this.state;
    // A closure in this method would be paid for by each call, also where nobody listens.
    const onDelta = emit && this.#countedDeltas(emit);
    deadlines.set(this, Math.min(ports.agent.modelCall.timeoutMs, this.#leftMs()));
    this.model.call(this.request, onDelta, this);
  }

  #countedDeltas(emit: NonNullable<RunState["emit"]>): OnDelta {
    const tell = toldDeltas(emit, this.state.runId, this.#turn);
    return (type, text, call) => {
      this.#shown += text.length;
      tell(type, text, call);
    };
  }

  /** The request of this attempt is not waited for any more. */
  get stopped(): boolean {
    return this.#gaveUpAfter !== undefined || this.state.calls.stopped !== undefined;
  }

  /** The provider's request is open. */
  add(request: OpenCall): void {
    this.#asking = request;
    this.state.calls.add(request);
  }

  delete(request: OpenCall): void {
    this.#asking = undefined;
    this.state.calls.delete(request);
  }

  /** The attempt took too long, or the waiting is over. */
  expired(): void {
    if (this.#waiting) {
      this.#waiting = false;
      this.state.calls.delete(this);
      return this.begin();
    }
    const { timeoutMs, deadlineMs = timeoutMs } = this.state.ports.agent.modelCall;
    this.#gaveUpAfter = this.#leftMs() <= 0 ? deadlineMs : timeoutMs;
    const abortSignal = this.state.giveUpRequest();
    this.#asking?.abort("timeout");
    abortSignal();
  }

  /** The run is stopped while this waits to ask again. */
  abort(): void {
    this.state.deadlines.remove(this);
    this.state.calls.delete(this);
    this.#notMade();
  }

  answered(answer: ModelAnswer): void {
    const state = this.state;
    const { finish } = answer;
    const usage = usageOfAnswer(this, answer);
    state.deadlines.remove(this);
    if ((finish === "error" || finish === "interrupted") && state.stopped === undefined && this.#shown === 0) {
      const error = new ModelError(this.model.id, `the answer ended with "${finish}"`, { network: true });
      if (this.#askAgain(error, usage)) return;
    }
    let own;
    try {
      own = withCallIds(withoutEmptyText(answer.parts), state.runId, this.#turn, state);
    } catch (thrown) {
      return this.#settle(usage, this.#end.failed.bind(this.#end, thrown));
    }
    this.#record({ kind: "answer", parts: own, finish, usage, model: this.model.id });
  }

  failed(thrown: unknown): void {
    this.state.deadlines.remove(this);
    const model = this.model.id;
    if (this.state.stopped !== undefined) {
      const usage = usageOfFailure(this, this.#shown, undefined);
      return this.#record({ kind: "stopped", usage, model });
    }
    const error = this.#gaveUpAfter === undefined ? thrown : tookTooLong(model, this.#gaveUpAfter);
    this.#gaveUpAfter = undefined;
    const usage = usageOfFailure(this, this.#shown, error);
    if (ModelError.is(error) && this.#shown === 0 && this.#askAgain(error, usage)) return;
    this.#record({ kind: "failed", error: toErrorData(error), usage, model });
  }

  /** Money or tokens do not allow an attempt. Where one was made before, its failure is what the turn ends with. */
  refused(thrown: unknown): void {
    this.#reservation = undefined;
    if (thrown instanceof NotCalled) return this.#notMade();
    const last = this.#failed?.pop();
    if (last === undefined) return this.#end.failed(thrown);
    if (this.#failed!.length === 0) this.#failed = undefined;
    this.#record({ ...last, kind: "failed", error: failureAtLimit(this.#failure!, thrown) });
  }

  /** The run was stopped before the attempt was made. What those before it used is recorded. */
  #notMade(): void {
    if (this.#failed === undefined) return this.#settle(nothingUsed, () => this.#end.failed(new NotCalled()));
    this.#record({ kind: "stopped", usage: nothingUsed, model: this.model.id });
  }

  /** Goes on with the next attempt, where there is one. */
  #askAgain(error: ModelError, usage: Usage): boolean {
    const asked = this.model;
    const model = asked.id;
    // Where money is limited, nobody pays on without knowing what was spent.
    if (usage.costNanoUsd === undefined && limitsCost(this.state)) return false;
    const waitMs = (this.#attempts ??= new ModelAttempts(this.state.ports)).waitMs(error);
    if (waitMs === undefined) return false;
    this.#failure = error;
    const failed = { model, error: failureBefore(error, asked, this.model, waitMs), usage };
    if (this.#failed === undefined) this.#failed = [failed];
    else this.#failed.push(failed);
    this.state.emit?.({ type: "usage", turn: this.#turn, model, usage, failed: failed.error });
    this.#settle(usage, () => this.#wait(waitMs));
    return true;
  }

  #wait(waitMs: number): void {
    const { calls, deadlines, stopped } = this.state;
    // Whoever was told may have stopped the run at once.
    if (stopped !== undefined) return this.#notMade();
    this.request = requestOf(this.state, this);
    if (waitMs === 0) return this.begin();
    this.#waiting = true;
    calls.add(this);
    deadlines.set(this, waitMs);
  }

  /** Books what an attempt used, under a budget, and goes on. */
  #settle(usage: Usage, next: () => void): void {
    const reservation = this.#reservation;
    if (reservation === undefined) return next();
    this.#reservation = undefined;
    reservation.settle(usage, next, (thrown) => this.#end.failed(thrown));
  }

  #record(record: TurnRecord): void {
    const whole = this.#failed === undefined ? record : { ...record, failedAttempts: this.#failed };
    if (this.#reservation === undefined) this.#end.done(whole);
    else this.#settle(record.usage, this.#end.done.bind(this.#end, whole));
  }

  get bound(): Bound | undefined {
    return this.#reservation?.bound;
  }

  /** Who is asked now. */
  get model(): Model {
    return this.#attempts?.model ?? this.state.ports.model;
  }

  /** What is left of the time that all attempts have. */
  #leftMs(): number {
    return this.#attempts?.leftMs() ?? Infinity;
  }
}

/** Task `model`: the call of a turn, also one that was reserved for before. */
export function beginTurn(state: RunState, turn: number, end: OnEnd<TurnRecord>): void {
  const { reserved } = state;
  state.reserved = undefined;
  if (reserved === undefined) new ModelTurn(state, turn, end).begin();
  else reserved.goOn(end);
}
