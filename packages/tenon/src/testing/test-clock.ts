import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import type { Clock, Timer } from "../util/clock.js";

// Kept from before a test may put fake timers in their place.
const immediate = setImmediate;

/** How many turns of the event loop what a timer set off gets before time goes on. */
const TURNS = 10;

interface Waiting {
  /** As `elapsedMs` reads. */
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until a test moves it. Made by `testClock`. */
export class TestClock implements Clock {
  #elapsedMs = 0;
  /** The time of day when nothing had elapsed. A jump changes it. */
  #startMs: number;
  /** By time; what was set first goes first. */
  #waiting: Waiting[] = [];
  #moving: Promise<void> = Promise.resolve();
  readonly #starting: Set<Promise<unknown>> = new Set();

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + this.#elapsedMs;
  }

  elapsedMs(): number {
    return Math.floor(this.#elapsedMs);
  }

  setTimer(run: () => void, ms: number): Timer {
    const timer: Waiting = { at: this.#elapsedMs + Math.max(0, ms), run };
    const later = this.#waiting.findIndex(({ at }) => at > timer.at);
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, timer);
    return {
      clear: () => void (this.#waiting = this.#waiting.filter((other) => other !== timer)),
      hold: () => {},
      release: () => {},
    };
  }

  /**
   * Moves the time on by so many milliseconds. What is due on the way fires at its own time, in order, and what it sets off
   * goes on before the next one. Rejects with what a timer throws. One call after the other, also where they are not awaited.
   */
  advance(ms: number): Promise<void> {
    if (typeof ms !== "number" || !(ms >= 0) || ms === Infinity)
      throw new BadInputError("A clock moves forward", shownValue(ms), "Pass a number of milliseconds, zero or more.");
    const moved = this.#moving.then(async () => {
      const until = this.#elapsedMs + ms;
      await settle();
      for (; this.#starting.size > 0; await settle()) await Promise.allSettled(this.#starting);
      while (this.#fire(until)) await settle();
      this.#elapsedMs = Math.max(this.#elapsedMs, until);
      await settle();
    });
    this.#moving = moved.catch(() => {});
    return moved;
  }

  /**
   * Sets the time of day ahead by so many milliseconds at once, or back where there are fewer than none, as an operator or a time
   * server does. Nothing fires, and what waits for a time to pass waits as long as before.
   */
  jump(ms: number): void {
    if (!Number.isFinite(ms))
      throw new BadInputError("A clock jumps by a time", shownValue(ms), "Pass a number of milliseconds.");
    this.#startMs += ms;
  }

  /** Time does not move before this has settled: an app that is being made may load modules first, in real time. */
  holdFor(starting: Promise<unknown>): void {
    const settled: Promise<unknown> = starting.then(
      () => this.#starting.delete(settled),
      () => this.#starting.delete(settled),
    );
    this.#starting.add(settled);
  }

  /** Moves the time on, timer after timer, until `work` has settled. For what must end whatever the test left behind. */
  async runUntil<T>(work: Promise<T>): Promise<T> {
    const state = { settled: false };
    const done = (): void => void (state.settled = true);
    work.then(done, done);
    await settle();
    while (!state.settled && this.#fire(Infinity)) await settle();
    return work;
  }

  /** Moves the time on to the next timer and fires it; false where there is none. Waits for an `advance` that is under way. */
  async toNext(): Promise<boolean> {
    await this.#moving;
    if (!this.#fire(Infinity)) return false;
    await settle();
    return true;
  }

  /** Fires the next timer where it is due by then. */
  #fire(until: number): boolean {
    const next = this.#waiting[0];
    if (next === undefined || next.at > until) return false;
    this.#waiting.shift();
    this.#elapsedMs = Math.max(this.#elapsedMs, next.at);
    next.run();
    return true;
  }
}

/**
 * A clock for `testWith(Desk, { clock })` and for `slow`: timeouts, leases and waiting go by it, and nothing moves it but
 * `clock.advance(ms)`. It starts on the first of January 2030, or when you say.
 */
export function testClock(start: number | Date = Date.UTC(2030, 0, 1)): TestClock {
  const at = start instanceof Date ? start.getTime() : start;
  if (typeof at !== "number" || !Number.isFinite(at))
    throw new BadInputError(
      "A clock starts at a time",
      shownValue(start),
      "Pass milliseconds since 1970, a Date, or nothing.",
    );
  return new TestClock(at);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise<void>((resolve) => immediate(resolve));
}
