import type { Clock } from "../util/clock.js";

const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 500;

/** Waits until a thread may be free: woken by a run that ends in this process, else looking again after a while. */
export class ThreadQueue {
  readonly #clock: Clock;
  readonly #sleepers: Map<string, Set<() => void>> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many threads are waited for. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** A run of the thread ended or paused here. */
  freed(threadId: string): void {
    if (this.#sleepers.size === 0) return;
    const sleepers = this.#sleepers.get(threadId);
    if (sleepers === undefined) return;
    this.#sleepers.delete(threadId);
    for (const wake of sleepers) wake();
  }

  close(): void {
    for (const threadId of [...this.#sleepers.keys()]) this.freed(threadId);
  }

  /** False where the signal was aborted. */
  wait(threadId: string, tries: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const sleepers = this.#sleepers.get(threadId) ?? new Set<() => void>();
      this.#sleepers.set(threadId, sleepers);
      const end = (goOn: boolean): void => {
        timer.clear();
        signal?.removeEventListener("abort", gaveUp);
        if (sleepers.delete(wake) && sleepers.size === 0) this.#sleepers.delete(threadId);
        resolve(goOn);
      };
      const wake = (): void => end(true);
      const gaveUp = (): void => end(false);
      sleepers.add(wake);
      signal?.addEventListener("abort", gaveUp, { once: true });
      const timer = this.#clock.setTimer(wake, Math.min(LAST_LOOK_MS, FIRST_LOOK_MS * 2 ** tries));
    });
  }
}
