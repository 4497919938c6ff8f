import { pricedUsage } from "../finops/priced-usage.js";
import type { OnEnd } from "../journal/engine.js";
import { ModelError } from "../errors/environment-errors.js";
import { toErrorData } from "../errors/tenon-error.js";
import { backOffMs, isRefused, mayPass } from "../llm/back-off.js";
import type { AnswerPart, Model, ModelAnswer, ModelEnd, ModelRequest, StoppedTogether } from "../llm/model.js";
import { toUsage } from "../llm/v4-usage.js";
import type { FinishReason, Usage } from "../protocol/usage.js";
import type { AbortReason } from "../util/abort.js";
import type { Deadline } from "../util/deadlines.js";
import { ModelReservation, NotCalled, type ReservedCall } from "./model-reservation.js";
import type { RunState } from "./run-state.js";
import type { FailedAttempt, TurnRecord } from "./turn-record.js";
import { withCallIds } from "./wire-ids.js";

/** What is given up, to be stopped by itself. */
interface OpenRequest {
  abort(reason: AbortReason): void;
}

/**
 * One model call: streams where somebody listens, else generates; both give the same record. An attempt that fails before anything
 * of its answer was told is made again, or made with a fallback. A failure or a stop is a record too, with what it used as far as
 * that can be told. It is its own deadline: of an attempt, or of the waiting for the next one.
 */
export class ModelTurn implements ModelEnd, Deadline, StoppedTogether, ReservedCall {
  at: number = 0;
  open: boolean = false;
  before: Deadline | undefined;
  after: Deadline | undefined;
  readonly #state: RunState;
  readonly #turn: number;
  #end: OnEnd<TurnRecord>;
  #reserved: (() => void) | undefined;
  /** What was reserved for the attempt, under a budget. */
  #reservation: ModelReservation | undefined;
  readonly #until: number;
  #model: Model;
  /** The fallback that is next. */
  #next = 0;
  /** How often the model was asked again. */
  #retries = 0;
  #failed: FailedAttempt[] | undefined;
  #request: ModelRequest;
  #asking: OpenRequest | undefined;
  #waiting = false;
  /** How long the attempt was waited for, once it was given up. */
  #gaveUpAfter: number | undefined;
  /** The text that was streamed so far. */
  #shown = "";

  constructor(state: RunState, turn: number, end: OnEnd<TurnRecord>) {
    const { agent, clock, model } = state.ports;
    const { deadlineMs } = agent.modelCall;
    this.#state = state;
    this.#turn = turn;
    this.#end = end;
    this.#model = model;
    this.#until = deadlineMs === undefined ? Infinity : clock.now() + deadlineMs;
    this.#request = this.#fresh();
  }

  /** Only reserves, for the same turn to be made later: `end` hears why it must not be. */
  reserve(reserved: () => void): void {
    this.#reserved = reserved;
    this.begin();
  }

  /** Makes the call that was reserved for. */
  goOn(end: OnEnd<TurnRecord>): void {
    this.#end = end;
    this.#request = this.#fresh();
    this.call();
  }

  begin(): void {
    const { reservations } = this.#state.ports;
    if (reservations === undefined) return this.call();
    this.#reservation = new ModelReservation(this.#state, reservations, this.#turn, this.#model, this);
    this.#reservation.begin(this.#request);
  }

  /** An attempt. */
  call(): void {
    const reserved = this.#reserved;
    if (reserved !== undefined) {
      this.#reserved = undefined;
      return reserved();
    }
    const { emit, ports, deadlines } = this.#state;
    const turn = this.#turn;
    const onDelta =
      emit === undefined
        ? undefined
        : (type: "text-delta" | "reasoning-delta", text: string): void => {
            this.#shown += text;
            emit({ type, turn, text });
          };
    const { timeoutMs } = ports.agent.modelCall;
    deadlines.set(this, this.#until === Infinity ? timeoutMs : Math.min(timeoutMs, this.#left()));
    this.#model.call(this.#request, onDelta, this);
  }

  /** The provider's request is open. */
  add(request: OpenRequest): void {
    this.#asking = request;
    this.#state.calls.add(request);
  }

  delete(request: OpenRequest): void {
    this.#asking = undefined;
    this.#state.calls.delete(request);
  }

  /** The attempt took too long, or the waiting is over. */
  expired(): void {
    if (this.#waiting) {
      this.#waiting = false;
      this.#state.calls.delete(this);
      return this.begin();
    }
    const { agent, clock } = this.#state.ports;
    const { timeoutMs, deadlineMs = timeoutMs } = agent.modelCall;
    this.#gaveUpAfter = clock.now() >= this.#until ? deadlineMs : timeoutMs;
    const abortSignal = this.#state.giveUpRequest();
    this.#asking?.abort("timeout");
    abortSignal();
  }

  /** The run is stopped while this waits to ask again. */
  abort(): void {
    this.#state.deadlines.remove(this);
    this.#state.calls.delete(this);
    this.#record({ kind: "stopped", usage: nothing, model: this.#model.id });
  }

  answered(answer: ModelAnswer): void {
    const state = this.#state;
    const { finish } = answer;
    const usage = this.#priced(answer.usage);
    state.deadlines.remove(this);
    if ((finish === "error" || finish === "interrupted") && state.stopped === undefined && this.#shown === "") {
      const error = new ModelError(this.#model.id, `the answer ended with "${finish}"`, { network: true });
      if (this.#askAgain(error, usage)) return;
    }
    let own;
    try {
      own = withCallIds(withoutEmptyText(answer.parts), state.runId, this.#turn, state);
    } catch (thrown) {
      return this.#end.failed(thrown);
    }
    this.#answered(own, finish, usage);
  }

  failed(thrown: unknown): void {
    this.#state.deadlines.remove(this);
    const model = this.#model.id;
    if (this.#state.stopped !== undefined) return this.#record({ kind: "stopped", usage: this.#used(false), model });
    const error = this.#gaveUpAfter === undefined ? thrown : tookTooLong(model, this.#gaveUpAfter);
    this.#gaveUpAfter = undefined;
    const usage = this.#used(this.#shown === "" && ModelError.is(error) && isRefused(error));
    if (ModelError.is(error) && this.#shown === "" && this.#askAgain(error, usage)) return;
    this.#record({ kind: "failed", error: toErrorData(error), usage, model });
  }

  /** Money or tokens do not allow an attempt. Where one was made before, its failure is what the turn ends with. */
  refused(thrown: unknown): void {
    const last = thrown instanceof NotCalled ? undefined : this.#failed?.pop();
    if (last === undefined) return this.#end.failed(thrown);
    this.#reservation = undefined;
    if (this.#failed!.length === 0) this.#failed = undefined;
    this.#record({ kind: "failed", error: last.error, usage: last.usage, model: last.model });
  }

  /** Goes on with the next attempt, where there is one. */
  #askAgain(error: ModelError, usage: Usage): boolean {
    const model = this.#model.id;
    const waitMs = this.#waitMs(error);
    if (waitMs === undefined) return false;
    const failed: FailedAttempt = { model, error: toErrorData(error), usage };
    if (this.#failed === undefined) this.#failed = [failed];
    else this.#failed.push(failed);
    this.#state.emit?.({ type: "usage", turn: this.#turn, model, usage, failed: failed.error });
    this.#settle(usage, () => this.#wait(waitMs));
    return true;
  }

  #wait(waitMs: number): void {
    const { calls, deadlines, stopped } = this.#state;
    // Whoever was told may have stopped the run at once.
    if (stopped !== undefined) return this.#record({ kind: "stopped", usage: nothing, model: this.#model.id });
    this.#request = this.#fresh();
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

  /** How long to wait for the next attempt, which may be a fallback's; `undefined` where there is none. */
  #waitMs(error: ModelError): number | undefined {
    const left = this.#left();
    if (this.#retries < this.#state.ports.agent.modelCall.retries && mayPass(error)) {
      const { retryAfterMs } = error.data;
      const waitMs = backOffMs(this.#retries, typeof retryAfterMs === "number" ? retryAfterMs : undefined);
      if (waitMs !== undefined && waitMs < left) {
        this.#retries++;
        return waitMs;
      }
    }
    const fallback = this.#state.ports.model.fallbacks?.[this.#next];
    if (fallback === undefined || left <= 0) return undefined;
    this.#next++;
    this.#retries = 0;
    this.#model = fallback;
    return 0;
  }

  #left(): number {
    return this.#until === Infinity ? Infinity : this.#until - this.#state.ports.clock.now();
  }

  #fresh(): ModelRequest {
    const { past, messages, memo, ports, requestSignal } = this.#state;
    const { agent, tools } = ports;
    return {
      system: agent.system,
      past,
      messages,
      tools: tools.declarations,
      signal: requestSignal,
      calls: this,
      memo,
      settings: agent.settings,
    };
  }

  #answered(parts: (TurnRecord & { kind: "answer" })["parts"], finish: FinishReason, usage: Usage): void {
    this.#record({ kind: "answer", parts, finish, usage, model: this.#model.id });
  }

  #record(record: TurnRecord): void {
    const whole = this.#failed === undefined ? record : { ...record, failedAttempts: this.#failed };
    this.#settle(record.usage, () => this.#end.done(whole));
  }

  #priced(usage: Usage): Usage {
    if (usage.costNanoUsd !== undefined) return usage;
    return pricedUsage(usage, this.#state.ports.prices.of(this.#model));
  }

  /** An estimate: what was asked, and what came of the answer. What a provider refused costs nothing. */
  #used(refused: boolean): Usage {
    const free = refused || this.#model.free;
    const parts: readonly AnswerPart[] = [{ type: "text", text: this.#shown }];
    return this.#priced(toUsage({ usage: undefined, metadata: undefined, free }, this.#request, parts));
  }
}

/** What a call used that was stopped before it was made. */
const nothing: Usage = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costNanoUsd: 0,
  costSource: "free",
  estimated: false,
});

function tookTooLong(model: string, timeoutMs: number): ModelError {
  return new ModelError(model, `it took longer than ${timeoutMs} ms`, { timeoutMs });
}

function withoutEmptyText(parts: readonly AnswerPart[]): readonly AnswerPart[] {
  for (const part of parts) {
    if (part.type === "text" && part.text === "")
      return parts.filter((other) => other.type !== "text" || other.text !== "");
  }
  return parts;
}

/** Task `model`: the call of a turn, also one that was reserved for before. */
export function beginTurn(state: RunState, turn: number, end: OnEnd<TurnRecord>): void {
  const { reserved } = state;
  state.reserved = undefined;
  if (reserved === undefined) new ModelTurn(state, turn, end).begin();
  else reserved.goOn(end);
}
