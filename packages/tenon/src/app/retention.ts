import { durationFault, durationMs, type Duration } from "../config/duration.js";
import { checkOptions, filledText, maybe } from "../config/options.js";
import { BadInputError, RunNotFoundError } from "../errors/run-errors.js";
import type { EmbeddedEngine } from "../journal/embedded-engine.js";
import type { Clock } from "../util/clock.js";
import { soon } from "../util/soon.js";
import type { RunControl } from "./run-control.js";

/** Which runs `prune` forgets. */
export interface PruneOptions {
  /** Those that ended longer ago. */
  readonly olderThan: Duration;
}

/** What `erase` forgets: one thread, or all threads of an owner. */
export type EraseTarget =
  | { readonly threadId: string; readonly owner?: undefined }
  | { readonly owner: string; readonly threadId?: undefined };

/** What was erased. */
export interface Erased {
  readonly threads: number;
  readonly runs: number;
  /** How many of the runs had not ended and were canceled first. */
  readonly cancelled: number;
}

/** So many runs are forgotten in one transaction. */
const BATCH = 200;

/** Forgets runs: old ones, and those that somebody wants to be gone. */
export class Retention {
  readonly #engine: EmbeddedEngine;
  readonly #control: RunControl;
  readonly #clock: Clock;

  constructor(engine: EmbeddedEngine, control: RunControl, clock: Clock) {
    this.#engine = engine;
    this.#control = control;
    this.#clock = clock;
  }

  async prune(options: PruneOptions): Promise<number> {
    const faults = checkOptions(options, pruneRules);
    if (faults.length > 0)
      throw new BadInputError("Nothing was forgotten", faults.join("; "), 'Pass `{ olderThan: "30d" }`.');
    const endedBefore = this.#clock.now() - durationMs(options.olderThan)!;
    for (let all = 0; ; await othersGoOn()) {
      this.#engine.assertOpen();
      const some = await this.#engine.store.prune(endedBefore, BATCH);
      all += some;
      if (some < BATCH) return all;
    }
  }

  async erase(target: EraseTarget): Promise<Erased> {
    const faults = checkOptions(target, eraseRules);
    const { threadId, owner } = faults.length > 0 ? ({} as EraseTarget) : target;
    if (faults.length > 0 || (threadId === undefined) === (owner === undefined))
      throw new BadInputError(
        "It is not clear what to erase",
        faults.join("; ") || undefined,
        "Pass either `{ threadId }` or `{ owner }`.",
      );
    this.#engine.assertOpen();
    if (threadId !== undefined) return this.#eraseThread(threadId);
    const threads = new Set<string>();
    let runs = 0;
    let cancelled = 0;
    for (let left = true; left; await othersGoOn()) {
      left = false;
      for (const id of await this.#engine.store.threadsOf(owner)) {
        const erased = await this.#eraseThread(id);
        // A thread that is only waited for has nothing to erase yet; a run that starts in it meanwhile is met again.
        if (erased.runs === 0) continue;
        left = true;
        threads.add(id);
        runs += erased.runs;
        cancelled += erased.cancelled;
      }
    }
    return { threads: threads.size, runs, cancelled };
  }

  /** Runs that start meanwhile are ended too, until the thread is gone in one transaction. */
  async #eraseThread(threadId: string): Promise<Erased> {
    for (let cancelled = 0; ;) {
      this.#engine.assertOpen();
      const done = await this.#engine.store.erase(threadId);
      if ("erased" in done) return { threads: Math.min(done.erased, 1), runs: done.erased, cancelled };
      try {
        if ((await this.#control.cancel(done.open.id)).status === "cancelled") cancelled++;
      } catch (thrown) {
        // Somebody else erased it.
        if (!RunNotFoundError.is(thrown)) throw thrown;
      }
    }
  }
}

const othersGoOn = (): Promise<void> => new Promise(soon);

const pruneRules = { olderThan: durationFault("olderThan") };

const eraseRules = { threadId: maybe(filledText("threadId")), owner: maybe(filledText("owner")) };
