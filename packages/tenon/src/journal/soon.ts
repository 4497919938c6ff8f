/** Runs something in the next turn of the event loop, after all microtasks. */
export const soon: (run: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : (run) => void setTimeout(run, 0);
