import { exitCodes } from "./exit-codes.js";

/** Turns Ctrl-C into the abort of what runs now; a second one while that is ending ends the process. */
export class Interrupts {
  #running: AbortController | undefined;
  readonly #atRest: () => void;

  /** `atRest` hears Ctrl-C while nothing runs. */
  constructor(atRest: () => void) {
    this.#atRest = atRest;
    process.on("SIGINT", this.interrupt);
  }

  readonly interrupt = (): void => {
    if (this.#running === undefined) return this.#atRest();
    if (this.#running.signal.aborted) process.exit(exitCodes.canceled);
    this.#running.abort();
  };

  /** Does something that Ctrl-C aborts. */
  async during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = new AbortController();
    this.#running = running;
    try {
      return await work(running.signal);
    } finally {
      this.#running = undefined;
    }
  }

  /** While a person is asked, Ctrl-C is theirs. */
  async resting<T>(ask: () => Promise<T>): Promise<T> {
    const running = this.#running;
    this.#running = undefined;
    try {
      return await ask();
    } finally {
      this.#running = running;
    }
  }
}
