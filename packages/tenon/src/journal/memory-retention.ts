import type { MemoryLedger } from "../finops/memory-ledger.js";
import { EndedRuns } from "./ended-runs.js";
import type { MemoryPauses } from "./memory-pauses.js";
import type { MemoryRun, MemoryThread } from "./memory-run.js";
import type { MemoryThreads } from "./memory-threads.js";
import type { RunRow } from "./store.js";

/** Which ended runs a `MemoryStore` keeps, and how one is forgotten. */
export class MemoryRetention {
  readonly #endedRuns: EndedRuns;
  readonly #threads: MemoryThreads;
  readonly #pauses: MemoryPauses;
  readonly #ledger: MemoryLedger;

  constructor(keep: number, threads: MemoryThreads, pauses: MemoryPauses, ledger: MemoryLedger) {
    this.#endedRuns = new EndedRuns(keep);
    this.#threads = threads;
    this.#pauses = pauses;
    this.#ledger = ledger;
  }

  /** A run ended just now: its pauses are answered, its thread is free, and the oldest of too many runs is forgotten. */
  ended(run: MemoryRun, at: number): void {
    this.#pauses.lapse(run, "cancelled", at);
    this.#threads.ended(run);
    // Runs of a thread end one after the other, so the oldest of all is also the oldest of its thread.
    const forgotten = this.#endedRuns.add(run);
    if (forgotten !== undefined) this.#forget(forgotten);
  }

  /** See `Store.prune`. */
  prune(endedBefore: number, limit: number): number {
    this.#threads.clearDead(endedBefore);
    const old = this.#endedRuns.take(
      Math.trunc(limit),
      (run) =>
        run.row.endedAt! < endedBefore && this.#pauses.of(run).length === 0 && !this.#threads.isLastAndWaitedFor(run),
    );
    for (const run of old) this.#forget(run);
    return old.length;
  }

  /** See `Store.erase`. */
  erase(thread: MemoryThread | undefined): { readonly erased: number } | { readonly open: RunRow } {
    if (thread?.holder !== undefined) return { open: thread.holder.row };
    const runs = this.#endedRuns.take(Infinity, (run) => run.thread === thread);
    for (const run of runs) this.#forget(run);
    this.#threads.clearQueue(thread);
    return { erased: runs.length };
  }

  #forget(run: MemoryRun): void {
    this.#pauses.forget(run);
    this.#ledger.forget(run.key);
    this.#threads.forget(run);
    run.forget();
  }
}
