import type { Clock, Timer } from "../util/clock.js";

/** One process's view of a clock: when the process ends, its timers go with it. */
export class CrashClock implements Clock {
  readonly #clock: Clock;
  readonly #timers: Set<Timer> = new Set();
  #dead = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  elapsedMs(): number {
    return this.#clock.elapsedMs();
  }

  setTimer(run: () => void, ms: number): Timer {
    if (this.#dead) return none;
    const timer = this.#clock.setTimer(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
    return {
      clear: () => {
        this.#timers.delete(timer);
        timer.clear();
      },
      hold: () => timer.hold(),
      release: () => timer.release(),
    };
  }

  stop(): void {
    this.#dead = true;
    for (const timer of this.#timers) timer.clear();
    this.#timers.clear();
  }
}

const none: Timer = { clear() {}, hold() {}, release() {} };
