import type { Pause } from "../protocol/pause.js";
import { canonicalJson } from "../util/canonical-json.js";
import type { Signal } from "./store.js";
import type { MemoryPause, MemoryRun } from "./memory-run.js";
import type { SignalResult } from "./store.js";

/** The pauses of a `MemoryStore` and their answers. */
export class MemoryPauses {
  /** Of all runs, in the order they opened. */
  readonly #open: Set<MemoryPause> = new Set();

  /** Opens pauses, each once by its id. */
  open(run: MemoryRun, opened: readonly Pause[]): void {
    const pauses = (run.pauses ??= new Map<string, MemoryPause>());
    for (const pause of opened) {
      if (pauses.has(pause.id)) continue;
      const entry: MemoryPause = { run, pause };
      pauses.set(pause.id, entry);
      this.#open.add(entry);
    }
  }

  /** The open pauses of one run, oldest first. */
  of(run: MemoryRun): readonly Pause[] {
    const open: Pause[] = [];
    if (run.pauses !== undefined)
      for (const entry of run.pauses.values()) if (this.#open.has(entry)) open.push(entry.pause);
    return open;
  }

  list(runId: string | undefined, threadId: string | undefined): readonly Pause[] {
    const found: Pause[] = [];
    for (const { run, pause } of this.#open) {
      if ((runId === undefined || run.row.id === runId) && (threadId === undefined || run.row.threadId === threadId))
        found.push(pause);
    }
    return found;
  }

  /** Answers pauses of a run, all or none. */
  answer(run: MemoryRun, signals: readonly Signal[]): SignalResult {
    const fresh = new Map<string, Signal>();
    for (const signal of signals) {
      const { name, value } = signal;
      if (run.pauses?.has(name) !== true) return { kind: "refused", name, why: "unknown" };
      const known = run.signals?.get(name) ?? fresh.get(name);
      if (known === undefined) fresh.set(name, signal);
      else if (canonicalJson(known.value) !== canonicalJson(value)) return { kind: "refused", name, why: "answered" };
    }
    if (run.ended && fresh.size > 0) return { kind: "ended" };
    for (const [name, signal] of fresh) {
      (run.signals ??= new Map<string, Signal>()).set(name, signal);
      this.#open.delete(run.pauses!.get(name)!);
      run.woken = true;
    }
    return { kind: "recorded" };
  }

  /** Closes the open pauses of a run that ended. */
  close(run: MemoryRun): void {
    if (run.pauses !== undefined) for (const entry of run.pauses.values()) this.#open.delete(entry);
  }
}
