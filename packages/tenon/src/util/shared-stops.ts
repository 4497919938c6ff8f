import { untilAborted } from "./abort.js";

interface Shared {
  readonly controller: AbortController;
  followers: number;
}

/** Stops of what several wait for together: the work of a key is stopped when the last one who waits for it has left. */
export class SharedStops {
  readonly #shared: Map<string, Shared> = new Map();

  /**
   * Waits for `work`, which gets the signal that everybody of the key shares. Where `own` aborts: rejects with its reason if others
   * still wait, else stops the work and gives what it comes to.
   */
  async during<T>(key: string, own: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    let shared = this.#shared.get(key);
    if (shared === undefined) this.#shared.set(key, (shared = { controller: new AbortController(), followers: 0 }));
    shared.followers++;
    try {
      const working = work(shared.controller.signal);
      const ended = await untilAborted(working, own);
      if (!ended && shared.followers > 1) throw own.reason;
      if (!ended) shared.controller.abort(own.reason);
      return await working;
    } finally {
      if (--shared.followers === 0 && this.#shared.get(key) === shared) this.#shared.delete(key);
    }
  }
}
