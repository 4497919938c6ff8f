import type { Maybe } from "../util/class.js";
import { isBusy, toStoreError } from "./sqlite-errors.js";

interface Waiting {
  readonly attempt: (patient: boolean) => unknown;
  readonly until: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const FIRST_DELAY_MS = 4;
const LAST_DELAY_MS = 100;

/**
 * Calls of one store, in the order they came: at once while the file is free; where another process holds it longer than
 * SQLite's own wait, as a promise that tries again without blocking the event loop. Calls made meanwhile stand behind it.
 */
export class SqliteQueue {
  readonly #location: string;
  readonly #waitMs: number;
  readonly #waiting: Waiting[] = [];

  constructor(location: string, waitMs: number) {
    this.#location = location;
    this.#waitMs = waitMs;
  }

  /** `attempt` leaves nothing behind when it throws. It is called with `false` where it must not block at all. */
  run<T>(attempt: (patient: boolean) => T): Maybe<T> {
    if (this.#waiting.length === 0) {
      try {
        return attempt(true);
      } catch (thrown) {
        if (!isBusy(thrown)) throw toStoreError(thrown, this.#location);
      }
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ attempt, until: performance.now() + this.#waitMs, resolve, reject });
      if (this.#waiting.length === 1) this.#later(FIRST_DELAY_MS);
    });
  }

  #later(delayMs: number): void {
    setTimeout(() => this.#work(delayMs), delayMs * (0.5 + Math.random() / 2));
  }

  #work(delayMs: number): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      try {
        const value = first.attempt(false);
        first.resolve(value as never);
      } catch (thrown) {
        if (isBusy(thrown) && performance.now() < first.until) return this.#later(Math.min(delayMs * 2, LAST_DELAY_MS));
        first.reject(toStoreError(thrown, this.#location));
      }
      this.#waiting.shift();
    }
  }
}
