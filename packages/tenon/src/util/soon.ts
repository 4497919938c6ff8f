/** Runs a function when all microtasks are done: what goes on by itself has gone on by then. */
export const soon: (run: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : (run) => void setTimeout(run, 0);
