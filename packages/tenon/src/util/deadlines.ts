import type { Clock, Timer } from "./clock.js";

/** One thing that must end by `at` (as `Clock.elapsedMs` reads; below 0 where its time does not run yet), linked with its neighbors while it is open: only `Deadlines` sets what it is linked by. */
export interface Deadline {
  at: number;
  expired(): void;
  open: boolean;
  before: Deadline | undefined;
  after: Deadline | undefined;
}

/**
 * Many deadlines behind one timer. A timer is armed for the nearest deadline only and is kept (released, so that it holds
 * no process) when nothing is open, because arming one costs more than a whole short call.
 */
export class Deadlines {
  #last: Deadline | undefined;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #firesAt = Infinity;
  /** Somebody was told to start the time of those that are new. */
  #starting = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(ms: number, expired: () => void): Deadline {
    const deadline: Deadline = { at: 0, expired, open: false, before: undefined, after: undefined };
    this.set(deadline, ms);
    return deadline;
  }

  /** Opens a deadline that is part of something else: that saves an object for each call. It is not open. */
  set(deadline: Deadline, ms: number): void {
    const before = this.#last;
    const { soon } = this.#clock;
    deadline.open = true;
    deadline.before = before;
    if (before !== undefined) before.after = deadline;
    this.#last = deadline;
    if (soon !== undefined) {
      // Below 0, also where the time is over at once.
      deadline.at = -1 - Math.max(0, ms);
      if (this.#starting) return;
      this.#starting = true;
      return soon(this.#start);
    }
    deadline.at = this.#clock.elapsedMs() + ms;
    if (this.#timer === undefined || deadline.at < this.#firesAt) this.#arm(deadline.at);
    else if (before === undefined) this.#timer.hold();
  }

  remove(deadline: Deadline): void {
    if (!deadline.open) return;
    this.#take(deadline);
    if (this.#last === undefined) this.#timer?.release();
  }

  /** Most calls are over by now: those that are not begin to count. They are the last ones. */
  readonly #start = (): void => {
    this.#starting = false;
    if (this.#last === undefined) return;
    const now = this.#clock.elapsedMs();
    let nearest = Infinity;
    for (let deadline: Deadline | undefined = this.#last; deadline !== undefined && deadline.at < 0;) {
      deadline.at = now - deadline.at - 1;
      if (deadline.at < nearest) nearest = deadline.at;
      deadline = deadline.before;
    }
    if (this.#timer === undefined || nearest < this.#firesAt) this.#arm(nearest);
    else this.#timer.hold();
  };

  #take(deadline: Deadline): void {
    const { before, after } = deadline;
    if (before !== undefined) before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    deadline.open = false;
    deadline.before = deadline.after = undefined;
  }

  #arm(at: number): void {
    this.#timer?.clear();
    this.#firesAt = at;
    this.#timer = this.#clock.setTimer(() => this.#fire(), Math.max(0, at - this.#clock.elapsedMs()));
  }

  #fire(): void {
    this.#timer = undefined;
    this.#firesAt = Infinity;
    const now = this.#clock.elapsedMs();
    let nearest = Infinity;
    const open: Deadline[] = [];
    for (let deadline = this.#last; deadline !== undefined; deadline = deadline.before) open.push(deadline);
    for (const deadline of open.reverse()) {
      if (!deadline.open || deadline.at < 0) continue;
      if (deadline.at <= now) {
        this.#take(deadline);
        deadline.expired();
      } else if (deadline.at < nearest) nearest = deadline.at;
    }
    // `expired` may have added deadlines and armed a timer of its own.
    if (nearest < this.#firesAt) this.#arm(nearest);
  }
}
