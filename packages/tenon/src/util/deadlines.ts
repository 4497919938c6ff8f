import type { Clock, Timer } from "./clock.js";

/** One thing that must end by `at`. */
export interface Deadline {
  readonly at: number;
  readonly expired: () => void;
}

/**
 * Many deadlines behind one timer. A timer is armed for the nearest deadline only and is kept (released, so that it holds
 * no process) when nothing is open, because arming one costs more than a whole short call.
 */
export class Deadlines {
  readonly #open = new Set<Deadline>();
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #firesAt = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(ms: number, expired: () => void): Deadline {
    const deadline: Deadline = { at: this.#clock.now() + ms, expired };
    this.#open.add(deadline);
    if (this.#timer === undefined || deadline.at < this.#firesAt) this.#arm(deadline.at);
    else if (this.#open.size === 1) this.#timer.hold();
    return deadline;
  }

  remove(deadline: Deadline): void {
    if (this.#open.delete(deadline) && this.#open.size === 0) this.#timer?.release();
  }

  #arm(at: number): void {
    this.#timer?.clear();
    this.#firesAt = at;
    this.#timer = this.#clock.setTimer(() => this.#fire(), Math.max(0, at - this.#clock.now()));
  }

  #fire(): void {
    this.#timer = undefined;
    this.#firesAt = Infinity;
    const now = this.#clock.now();
    let nearest = Infinity;
    for (const deadline of [...this.#open]) {
      if (deadline.at <= now) {
        this.#open.delete(deadline);
        deadline.expired();
      } else if (deadline.at < nearest) nearest = deadline.at;
    }
    // `expired` may have added deadlines and armed a timer of its own.
    if (nearest < this.#firesAt) this.#arm(nearest);
  }
}
