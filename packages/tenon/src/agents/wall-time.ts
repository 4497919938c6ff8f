import { ACTIVE_MARK_MS } from "../config/defaults.js";
import { LimitExceededError } from "../errors/run-errors.js";
import type { WallTimeLimit } from "../finops/agent-budget.js";
import type { OnEnd, Scope } from "../journal/engine.js";
import type { OpenCalls } from "../tools/open-calls.js";
import type { Clock } from "../util/clock.js";
import type { Deadline, Deadlines } from "../util/deadlines.js";

/** What each record of a run has beside its own, where its active time is limited: that time when it was made. */
interface Timed {
  readonly activeMs?: number | undefined;
}

/**
 * How long a run was active, over all activations, and its end once that is too long. The journal knows it by what each record
 * says, and by a mark for every five seconds (`active:<n>`), because a crash may come in the middle of a long call. While no task
 * runs nothing is set: a run that only waits is not active.
 */
export class WallTime implements Deadline {
  /** The time is over, and that is why the run was stopped. */
  over = false;
  readonly #limit: WallTimeLimit;
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  readonly #calls: OpenCalls;
  #scope: Scope | undefined;
  /** What was active until `#since`, in milliseconds. */
  #spentMs = 0;
  #since: number;
  #marks = 0;
  #running = 0;
  // Its own deadline, see `Deadlines.set`.
  at = 0;
  open = false;
  before: Deadline | undefined;
  after: Deadline | undefined;

  constructor(
    limit: WallTimeLimit,
    { clock, deadlines }: { readonly clock: Clock; readonly deadlines: Deadlines },
    calls: OpenCalls,
  ) {
    this.#limit = limit;
    this.#clock = clock;
    this.#deadlines = deadlines;
    this.#calls = calls;
    this.#since = clock.elapsedMs();
  }

  get error(): LimitExceededError {
    const { name, maxMs } = this.#limit;
    return new LimitExceededError(
      `The run was active for ${maxMs} ms without an answer`,
      name,
      maxMs,
      "Raise the limit, or look in the run what takes so long.",
    );
  }

  /** Call before the first operation, with the scope of the run: reads the marks of earlier activations. */
  begin(scope: Scope): void {
    this.#scope = scope;
    while (scope.recordedBefore(markKey(this.#marks + 1))) this.#marks++;
    this.#atLeast(this.#marks * ACTIVE_MARK_MS);
  }

  /** A task begins: the deadline is set while one runs, and its record says how long the run was active by then. */
  timed(end: OnEnd<object>): OnEnd<object> {
    if (this.#running++ === 0) this.#set();
    return {
      done: (result) => {
        this.#ended();
        const timed: Timed = { activeMs: this.#activeMs() };
        end.done({ ...result, ...timed });
      },
      failed: (thrown) => {
        this.#ended();
        end.failed(thrown);
      },
    };
  }

  /** The record of a task, made now or by an earlier activation. */
  heard({ activeMs = 0 }: Timed): void {
    this.#atLeast(activeMs);
  }

  /** Time for a mark, or for the end. */
  expired(): void {
    const activeMs = this.#activeMs();
    while ((this.#marks + 1) * ACTIVE_MARK_MS <= activeMs) this.#mark(++this.#marks);
    this.#atLeast(activeMs);
    if (this.#running > 0 && !this.over && this.#calls.stopped === undefined) this.#set();
  }

  /** It was active for that long; the time since it was picked up is not lost where that is more. */
  #atLeast(ms: number): void {
    if (ms > this.#activeMs()) {
      this.#spentMs = ms;
      this.#since = this.#clock.elapsedMs();
      if (this.open) this.#set();
    }
    // Whoever stopped it before says how it ends.
    if (this.over || this.#calls.stopped !== undefined || this.#activeMs() < this.#limit.maxMs) return;
    this.over = true;
    this.#scope!.stop();
  }

  #activeMs(): number {
    return this.#spentMs + this.#clock.elapsedMs() - this.#since;
  }

  #set(): void {
    const next = Math.min(this.#limit.maxMs, (this.#marks + 1) * ACTIVE_MARK_MS);
    this.#deadlines.remove(this);
    this.#deadlines.set(this, Math.max(0, next - this.#activeMs()));
  }

  #ended(): void {
    if (--this.#running === 0) this.#deadlines.remove(this);
  }

  /** What cannot be written ends the activation, which hears of it by itself. */
  #mark(n: number): void {
    const key = markKey(n);
    this.#scope!.step({ key, run: async () => ({ activeMs: n * ACTIVE_MARK_MS }) }).catch(() => {});
  }
}

function markKey(n: number): string {
  return `active:${n}`;
}
