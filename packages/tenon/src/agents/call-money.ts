import { boundUsage } from "../finops/lost-usage.js";
import type { Booking } from "../finops/ledger.js";
import type { ReservationEnd, WaitingReservation } from "../finops/reservations.js";
import type { Usage } from "../protocol/usage.js";
import type { BoundTool } from "../tools/bound-tool.js";
import type { Maybe } from "../util/class.js";
import { limitsOfRun } from "./limits-of-run.js";
import type { RunState } from "./run-state.js";
import { isOpen, type CallRecord, type OpenRecord } from "./turn-record.js";

/** What one attempt of a call may cost, where its tool says so, and what it did cost: booked under the call's id. */
export class CallMoney implements ReservationEnd {
  readonly #state: RunState;
  readonly #callId: string;
  readonly #tool: BoundTool;
  #go: ((refused: unknown) => void) | undefined;
  #waiting: WaitingReservation | undefined;
  #attempt = 0;

  constructor(state: RunState, callId: string, tool: BoundTool) {
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

  /** Books what the attempt cost. One that nothing is known of is booked in full, as an estimate. */
  settle(record: CallRecord | OpenRecord): Maybe<void> {
    const { costNanoUsd } = record;
    const reservations = this.#state.ports.reservations!;
    const { runId } = this.#state;
    if (this.#attempt === 0)
      return costNanoUsd === undefined ? undefined : reservations.book(this.#booking(), spent(costNanoUsd));
    const usage =
      costNanoUsd === undefined && isDoubtful(record)
        ? boundUsage({ costNanoUsd: this.#tool.maxCostNanoUsd!, inputTokens: 0, outputTokens: 0 })
        : spent(costNanoUsd ?? 0);
    return reservations.settle({ runId, key: this.#key, attempt: this.#attempt, usage });
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
