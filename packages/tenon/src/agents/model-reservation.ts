import { callBound } from "../finops/call-bound.js";
import type { Bound } from "../finops/ledger.js";
import type { ReservationEnd, Reservations, WaitingReservation } from "../finops/reservations.js";
import { boundOf, sentBytes } from "../llm/call-size.js";
import type { Model, ModelRequest } from "../llm/model.js";
import { requestBytes } from "../llm/request-bytes.js";
import type { Usage } from "../protocol/usage.js";
import { isPromise } from "../util/class.js";
import { limitsOfRun, reserveWaitMs } from "./limits-of-run.js";
import type { RunState } from "./run-state.js";
import { modelKey } from "./turn-record.js";

/** What a model call does with its reservation. */
export interface ReservedCall {
  /** It may be made. */
  call(): void;
  /** It is not made. */
  refused(thrown: unknown): void;
}

/** What a call that waits for money fails with once its run is stopped: nothing was called, and nothing is recorded. */
export class NotCalled extends Error {}

/** The money and tokens of one model call, from before it is made until what it used is booked. */
export class ModelReservation implements ReservationEnd {
  readonly #state: RunState;
  readonly #reservations: Reservations;
  readonly #turn: number;
  readonly #key: string;
  readonly #model: Model;
  readonly #next: ReservedCall;
  #waiting: WaitingReservation | undefined;
  #attempt = 0;
  #over = false;
  #bound: Bound | undefined;

  constructor(state: RunState, reservations: Reservations, turn: number, model: Model, next: ReservedCall) {
    this.#model = model;
    this.#state = state;
    this.#reservations = reservations;
    this.#turn = turn;
    this.#key = modelKey(turn);
    this.#next = next;
  }

  /** What is kept for the call. */
  get bound(): Bound | undefined {
    return this.#bound;
  }

  /** `leftMs`: what is left of the call's own deadline. */
  begin(request: ModelRequest, leftMs: number): void {
    const { agent, prices, run, clock } = this.#state.ports;
    const model = this.#model;
    const price = model.free ? undefined : prices.of(model);
    const strict = agent.budget?.strict === true;
    const bytes = strict ? sentBytes(model, request) : requestBytes(request);
    this.#bound = callBound(bytes, boundOf(model, agent.settings).tokens, price, strict);
    this.#state.calls.add(this);
    this.#waiting = this.#reservations.reserve(
      {
        runId: run.id,
        key: this.#key,
        at: clock.now(),
        workflow: run.workflow,
        owner: run.owner,
        agent: agent.name,
        kind: "model",
        name: model.id,
        bound: this.#bound,
        limits: limitsOfRun(this.#state),
        begun: this.#turn > 1,
      },
      Math.min(leftMs, reserveWaitMs(this.#state)),
      this,
    );
    // The run was stopped while it was being asked for.
    if (this.#over) this.#waiting.leave();
  }

  reserved(attempt: number): void {
    if (this.#over) return;
    this.#end();
    this.#attempt = attempt;
    this.#next.call();
  }

  failed(thrown: unknown): void {
    if (this.#over) return;
    this.#end();
    this.#next.refused(thrown);
  }

  /** The run is stopped while its call waits. */
  abort(): void {
    if (this.#over) return;
    this.#end();
    this.#waiting?.leave();
    this.#next.refused(new NotCalled());
  }

  /** Books what the call used, and goes on once that is written. */
  settle(usage: Usage, done: () => void, failed: (thrown: unknown) => void): void {
    try {
      const { id: runId } = this.#state.ports.run;
      const settled = this.#reservations.settle({ runId, key: this.#key, attempt: this.#attempt, usage });
      if (isPromise(settled)) return void settled.then(done, failed);
    } catch (thrown) {
      return failed(thrown);
    }
    done();
  }

  #end(): void {
    this.#over = true;
    this.#state.calls.delete(this);
  }
}
