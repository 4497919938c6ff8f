/** Time as the framework sees it. Tests give their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  setTimer(run: () => void, ms: number): Timer;
}

export interface Timer {
  clear(): void;
  /** A timer that is not held lets the process end. */
  hold(): void;
  release(): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(run, ms) {
    const handle = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
    return {
      clear: () => clearTimeout(handle),
      hold: () => void handle.ref?.(),
      release: () => void handle.unref?.(),
    };
  },
};
