import { isPromise } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import type { ActiveRuns } from "./active-runs.js";
import type { Lease, Renewed, Store } from "./store.js";
import type { ThreadQueue } from "./thread-queue.js";

/** A cancel or a decision of another process is seen within this time. */
const TICK_MS = 1_500;

/**
 * Keeps the leases of all active runs, and the places in threads' queues, with one timer, which runs only while there are any
 * and never holds the process.
 * The same look tells which runs were lost, which were answered and which are to be canceled.
 */
export class Leases {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #by: string;
  readonly #leaseMs: number;
  readonly #active: ActiveRuns;
  readonly #queue: ThreadQueue;
  #timer: { clear(): void } | undefined;

  constructor(store: Store, clock: Clock, by: string, leaseMs: number, active: ActiveRuns, queue: ThreadQueue) {
    this.#store = store;
    this.#clock = clock;
    this.#by = by;
    this.#leaseMs = leaseMs;
    this.#active = active;
    this.#queue = queue;
  }

  fresh(now: number): Lease {
    return { by: this.#by, until: now + this.#leaseMs };
  }

  /** Sees to it that the timer runs. */
  watch(): void {
    if (this.#timer !== undefined) return;
    const timer = this.#clock.setTimer(() => this.#tick(), Math.min(TICK_MS, this.#leaseMs / 3));
    timer.release();
    this.#timer = timer;
  }

  stop(): void {
    this.#timer?.clear();
    this.#timer = undefined;
  }

  #tick(): void {
    this.#timer = undefined;
    const runs = this.#active.all().filter((activation) => !activation.over);
    if (runs.length === 0 && this.#queue.sleeping === 0) return;
    try {
      const renewed = this.#store.renew(
        runs.map(({ run }) => ({ runId: run.id, epoch: run.epoch })),
        this.fresh(this.#clock.now()),
      );
      // A store that cannot be written now is asked again at the next tick; the lease decides who may write.
      if (isPromise(renewed)) renewed.then((result) => this.#apply(result)).catch(() => {});
      else this.#apply(renewed);
    } catch {
      // As above.
    }
    this.watch();
  }

  #apply({ lost, cancels, woken }: Renewed): void {
    for (const id of lost) this.#active.get(id)?.detach("lease-lost");
    for (const { runId, signals } of woken)
      for (const { name, value } of signals) this.#active.get(runId)?.deliver(name, value);
    for (const id of cancels) this.#active.get(id)?.cancel();
  }
}
