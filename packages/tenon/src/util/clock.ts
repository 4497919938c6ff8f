/**
 * Time as the framework sees it. Tests give their own.
 *
 * What is stored, shown or compared across processes is a time of day, read with `now`: when a run was made, a lease, the end of
 * a pause, the UTC day of a call. How long something takes inside one process is the difference of two `elapsedMs`: timeouts,
 * deadlines, waiting, active time. A system clock that is set back or ahead changes only the first kind.
 */
export interface Clock {
  /** The time of day, in milliseconds since 1970. The system's clock may be set, so a later reading may be less. */
  now(): number;
  /**
   * Whole milliseconds since a moment that stays the same as long as the process lives. Never less than before, whatever happens
   * to the system's clock. Only the difference of two readings means something, and only in one process.
   */
  elapsedMs(): number;
  /** Calls `run` once, when `elapsedMs` has grown by so many milliseconds. */
  setTimer(run: () => void, ms: number): Timer;
  /**
   * Calls `run` once, before any timer that is set from here on and after all that goes on now. With it a deadline counts from
   * there, and one that is over by then reads no clock; without it a deadline counts from when it is set.
   */
  readonly soon?: ((run: () => void) => void) | undefined;
}

export interface Timer {
  clear(): void;
  /** A timer that is not held lets the process end. */
  hold(): void;
  release(): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => Math.floor(performance.now()),
  // Looked up each time, as all of these are: a test may stand in for them.
  soon: (run) => void (typeof setImmediate === "function" ? setImmediate(run) : setTimeout(run, 0)),
  setTimer(run, ms) {
    const handle = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
    return {
      clear: () => clearTimeout(handle),
      hold: () => void handle.ref?.(),
      release: () => void handle.unref?.(),
    };
  },
};
