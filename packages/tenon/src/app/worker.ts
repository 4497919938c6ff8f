import { checkOptions, maybe, wholeNumber } from "../config/options.js";
import { AppClosedError, BadInputError } from "../errors/run-errors.js";
import { toErrorData } from "../errors/tenon-error.js";
import type { RunRow } from "../journal/store.js";
import type { ErrorData } from "../protocol/outcome.js";
import type { Clock } from "../util/clock.js";
import { sleep } from "../util/sleep.js";
import type { RunControl } from "./run-control.js";

/** How an app works. */
export interface WorkOptions {
  /** Milliseconds between two looks for runs that nobody has; default 1,000. */
  readonly pollMs?: number | undefined;
  /** Ends the work: no more runs are taken. Those that it has go on. */
  readonly signal?: AbortSignal | undefined;
  /** Hears of a run that cannot be continued, and why; again only when the reason is another one. */
  readonly onSkipped?: ((runId: string, error: ErrorData) => void) | undefined;
}

const POLL_MS = 1_000;
/** A run that cannot be continued is tried again at least so often, in milliseconds. */
const LONGEST_MS = 60_000;

/** A run that could not be continued. */
interface Skipped {
  readonly reason: string;
  readonly tries: number;
  /** Not tried again before, as `Clock.elapsedMs` reads. */
  readonly until: number;
}

/** Continues, pass after pass, the runs that nobody has. */
export class Worker {
  readonly #control: RunControl;
  readonly #clock: Clock;
  readonly #options: WorkOptions;
  readonly #pollMs: number;
  readonly #onFault: () => void;
  /** The runs that are being continued. */
  readonly #taken: Set<string> = new Set();
  readonly #skipped: Map<string, Skipped> = new Map();

  /** Throws `BadInputError` for options that it does not have. `onFault` hears that `onSkipped` threw. */
  constructor(control: RunControl, clock: Clock, options: WorkOptions, onFault: () => void) {
    const faults = checkOptions(options, workRules);
    if (faults.length > 0)
      throw new BadInputError("The options cannot be used", faults.join("; "), "Mend them; nothing was continued.");
    this.#control = control;
    this.#clock = clock;
    this.#options = options;
    this.#pollMs = options.pollMs ?? POLL_MS;
    this.#onFault = onFault;
  }

  /** Works until `closing` or its own signal is aborted. */
  async run(closing: AbortSignal): Promise<void> {
    const { signal } = this.#options;
    const ended = (): boolean => closing.aborted || signal?.aborted === true;
    while (!ended()) {
      try {
        this.#takeAll(await this.#control.recovery.runnable());
      } catch {
        // A store that cannot be used now is asked again at the next pass; `health` tells of it.
      }
      await sleep(this.#clock, this.#pollMs, [closing, signal], false);
    }
  }

  #takeAll(runs: readonly RunRow[]): void {
    if (this.#options.signal?.aborted) return;
    const now = this.#clock.elapsedMs();
    for (const run of runs) {
      if (this.#taken.has(run.id) || (this.#skipped.get(run.id)?.until ?? 0) > now) continue;
      this.#taken.add(run.id);
      void this.#take(run).finally(() => this.#taken.delete(run.id));
    }
    // What is not there any more was continued elsewhere, or has ended.
    if (this.#skipped.size === 0) return;
    const there = new Set(runs.map(({ id }) => id));
    for (const runId of this.#skipped.keys()) if (!there.has(runId)) this.#skipped.delete(runId);
  }

  async #take(run: RunRow): Promise<void> {
    try {
      await this.#control.recovery.takeUp(run);
      this.#skipped.delete(run.id);
    } catch (thrown) {
      if (!AppClosedError.is(thrown)) this.#skip(run.id, toErrorData(thrown));
    }
  }

  /** It waits one pass, then two, then four, at most a minute. */
  #skip(runId: string, error: ErrorData): void {
    const before = this.#skipped.get(runId);
    const reason = `${error.code}: ${error.message}`;
    const tries = before === undefined ? 0 : before.tries + 1;
    const wait = Math.max(this.#pollMs, Math.min(LONGEST_MS, this.#pollMs * 2 ** tries));
    this.#skipped.set(runId, { reason, tries, until: this.#clock.elapsedMs() + wait });
    if (before?.reason === reason) return;
    try {
      const given: unknown = this.#options.onSkipped?.(runId, error);
      if (given instanceof Promise) given.catch(this.#onFault);
    } catch {
      this.#onFault();
    }
  }
}

const workRules = {
  pollMs: maybe(wholeNumber("pollMs", 1, 2 ** 31 - 1, "milliseconds")),
  signal: maybe((value) => (value instanceof AbortSignal ? undefined : "signal must be an AbortSignal")),
  onSkipped: maybe((value) => (typeof value === "function" ? undefined : "onSkipped must be a function")),
};
