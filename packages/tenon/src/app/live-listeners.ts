import type { RunEvents, RunListener } from "./run-events.js";

/** Who hears the events of runs that are active in this process, now or later. */
export class LiveListeners {
  /** By run: each listener with what takes it from the events it is added to now. */
  readonly #byRun: Map<string, Map<RunListener, (() => void) | undefined>> = new Map();

  /** `events` are those of the run where it is active now. The function that is given takes the listener away. */
  add(runId: string, listener: RunListener, events: RunEvents | undefined): () => void {
    const those = this.#byRun.get(runId) ?? new Map<RunListener, (() => void) | undefined>();
    this.#byRun.set(runId, those);
    those.set(listener, events?.add(listener));
    return () => {
      those.get(listener)?.();
      those.delete(listener);
      if (those.size === 0 && this.#byRun.get(runId) === those) this.#byRun.delete(runId);
    };
  }

  /** A run becomes active here. */
  begin(runId: string, events: RunEvents): void {
    if (this.#byRun.size === 0) return;
    const listeners = this.#byRun.get(runId);
    for (const [listener, remove] of listeners ?? []) {
      remove?.();
      listeners!.set(listener, events.add(listener));
    }
  }
}
