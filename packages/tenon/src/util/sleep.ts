import type { Clock } from "./clock.js";

/**
 * Waits so many milliseconds of a clock, or until one of the signals is aborted, which it leaves nothing with. `held: false` lets
 * the process end meanwhile.
 */
export function sleep(
  clock: Clock,
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
  held: boolean = true,
): Promise<void> {
  if (signals.some((signal) => signal?.aborted)) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      timer.clear();
      for (const signal of signals) signal?.removeEventListener("abort", end);
      resolve();
    };
    for (const signal of signals) signal?.addEventListener("abort", end, { once: true });
    const timer = clock.setTimer(end, ms);
    if (!held) timer.release();
  });
}
