import { boundUsage } from "../finops/lost-usage.js";
import type { Booking } from "../finops/ledger.js";
import type { ReservationEnd, WaitingReservation } from "../finops/reservations.js";
import type { Usage } from "../protocol/usage.js";
import type { BoundTool } from "../tools/bound-tool.js";
import { isPromise, type Maybe } from "../util/class.js";
import { limitsOfRun, reserveWaitMs } from "./limits-of-run.js";
import type { ReportedCosts, RunState } from "./run-state.js";
import { isOpen, type CallRecord, type OpenRecord } from "./turn-record.js";

/** What one attempt of a call may cost, where its tool says so, and what it did cost: booked under the call's id. */
export class CallMoney implements ReservationEnd, ReportedCosts {
  readonly #state: RunState;
  readonly #callId: string;
  readonly #tool: BoundTool;
  #go: ((refused: unknown) => void) | undefined;
  #waiting: WaitingReservation | undefined;
  #attempt = 0;
  #settled = false;
  #started = true;
  /** What of the attempt is booked, in nano-USD: as it was reported, or in full. */
  #booked = 0;
  readonly #pending: Promise<void>[] = [];

  /** That of an attempt which begins, known to the run by its call id: a handler may report after its call has a result. */
  static of(state: RunState, callId: string, tool: BoundTool): CallMoney {
    const money = new CallMoney(state, callId, tool);
    (state.costs ??= new Map()).set(callId, money);
    return money;
  }

  private constructor(state: RunState, callId: string, tool: BoundTool) {
    this.#state = state;
    this.#callId = callId;
    this.#tool = tool;
  }

  /** Reserves what the call may cost, and goes on: with why it must not be made, where it must not. */
  reserve(maxCostNanoUsd: number, go: (refused: unknown) => void): void {
    this.#go = go;
    this.#state.calls.add(this);
    this.#waiting = this.#state.ports.reservations!.reserve(
      {
        ...this.#booking(),
        begun: true,
        bound: { costNanoUsd: maxCostNanoUsd, inputTokens: 0, outputTokens: 0 },
        limits: limitsOfRun(this.#state),
      },
      reserveWaitMs(this.#state),
      this,
    );
    if (this.#go === undefined && this.#attempt === 0) this.#waiting.leave();
  }

  reserved(attempt: number): void {
    this.#attempt = attempt;
    this.#goOn(undefined);
  }

  failed(thrown: unknown): void {
    this.#goOn(thrown);
  }

  /** The run is stopped while the call waits. */
  abort(): void {
    this.#waiting?.leave();
    this.#goOn(new Error("the run was stopped"));
  }

  /** What the attempt has reported so far is booked at once; but under a reservation when it ends. */
  reported(costNanoUsd: number): void {
    if (this.#attempt !== 0 && !this.#settled) return;
    const more = costNanoUsd - this.#booked;
    if (more <= 0) return;
    this.#booked = costNanoUsd;
    try {
      const booking = this.#state.ports.reservations!.book(this.#booking(), spent(more));
      if (isPromise(booking)) this.#pending.push(booking);
    } catch (thrown) {
      this.#pending.push(Promise.reject(thrown));
    }
    // Whoever waits for them hears of it.
    for (const one of this.#pending) one.catch(() => {});
  }

  /** The handler of the attempt was not called: it costs nothing. */
  notStarted(): void {
    this.#started = false;
  }

  /**
   * Books what of the attempt is not booked. One that nothing is known of is booked in full, as an estimate: what it has reported so
   * far is part of that, and so is what it still reports.
   */
  settle(record: CallRecord | OpenRecord): Maybe<void> {
    const { costNanoUsd } = record;
    this.#settled = true;
    if (this.#attempt === 0) {
      if (costNanoUsd !== undefined) this.reported(costNanoUsd);
      return this.#pending.length === 0 ? undefined : Promise.all(this.#pending).then(() => {});
    }
    const reported = costNanoUsd ?? 0;
    const most = this.#tool.maxCostNanoUsd!;
    const inFull = this.#started && isDoubtful(record) && reported < most;
    this.#booked = inFull ? most : reported;
    const usage = inFull
      ? boundUsage({ costNanoUsd: this.#booked, inputTokens: 0, outputTokens: 0 })
      : spent(this.#booked);
    const { runId } = this.#state;
    return this.#state.ports.reservations!.settle({ runId, key: this.#key, attempt: this.#attempt, usage });
  }

  get #key(): string {
    return `call:${this.#callId}`;
  }

  #booking(): Booking {
    const { run, agent, clock } = this.#state.ports;
    const { id: runId, workflow, owner } = run;
    const { name } = this.#tool;
    return { runId, key: this.#key, at: clock.now(), workflow, owner, agent: agent.name, kind: "tool", name };
  }

  #goOn(refused: unknown): void {
    const go = this.#go;
    if (go === undefined) return;
    this.#go = undefined;
    this.#state.calls.delete(this);
    go(refused);
  }
}

/** Whether nobody knows what the attempt did. */
function isDoubtful(record: CallRecord | OpenRecord): boolean {
  if (isOpen(record)) return record.kind === "doubt";
  const { result } = record;
  return (
    result.kind === "error" &&
    (result.code === "timeout" || result.code === "unknown_outcome" || result.code === "cancelled")
  );
}

function spent(costNanoUsd: number): Usage {
  const tokens = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  return { ...tokens, costNanoUsd, costSource: "api", estimated: false };
}
