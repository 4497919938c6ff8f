import type { Lapsed, Pause, PauseAudit } from "../protocol/pause.js";
import { canonicalJson } from "../util/canonical-json.js";
import type { Signal } from "./store.js";
import type { MemoryPause, MemoryRun } from "./memory-run.js";
import type { SignalResult } from "./store.js";

/** The pauses of a `MemoryStore` and their answers. */
export class MemoryPauses {
  /** Of all runs, in the order they opened. */
  readonly #open: Set<MemoryPause> = new Set();

  /** Opens pauses, each once by its id. Of a run that is to be ended, only what is in doubt waits. */
  open(run: MemoryRun, opened: readonly Pause[]): void {
    const pauses = (run.pauses ??= new Map<string, MemoryPause>());
    for (const pause of opened) {
      if (pauses.has(pause.id)) continue;
      const entry: MemoryPause = { run, pause };
      pauses.set(pause.id, entry);
      this.#open.add(entry);
      if (run.cancelAsked && pause.kind !== "in-doubt") this.#close(entry, { lapsed: "cancelled" }, pause.openedAt);
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

  /** Answers pauses of a run, all or none. One whose time is over is answered as expired first. */
  answer(run: MemoryRun, signals: readonly Signal[]): SignalResult {
    const fresh = new Map<string, Signal>();
    for (const signal of signals) {
      const { name, value, at } = signal;
      const entry = run.pauses?.get(name);
      if (entry === undefined) return { kind: "refused", name, why: "unknown" };
      if (isOver(entry, at) && this.#open.has(entry)) this.#close(entry, { lapsed: "expired" }, at);
      const known = run.signals?.get(name) ?? fresh.get(name);
      if (known !== undefined) {
        if (canonicalJson(known.value) !== canonicalJson(value))
          return { kind: "refused", name, why: "answered", known: known.value };
      } else fresh.set(name, signal);
    }
    for (const signal of fresh.values()) this.#take(run.pauses!.get(signal.name)!, signal);
    return { kind: "recorded" };
  }

  /** Answers the open pauses of a run that has ended, or is to be ended; what is in doubt stays open. */
  lapse(run: MemoryRun, lapsed: Lapsed["lapsed"], at: number): void {
    if (run.pauses === undefined) return;
    for (const entry of run.pauses.values())
      if (this.#open.has(entry) && entry.pause.kind !== "in-doubt") this.#close(entry, { lapsed }, at);
  }

  expire(now: number): void {
    for (const entry of this.#open) if (isOver(entry, now)) this.#close(entry, { lapsed: "expired" }, now);
  }

  /** All pauses of a run with what became of them. */
  audit(run: MemoryRun): readonly PauseAudit[] {
    return [...(run.pauses?.values() ?? [])].map(({ pause }) => {
      const signal = run.signals?.get(pause.id);
      return { pause, decision: signal?.value as PauseAudit["decision"], decidedAt: signal?.at };
    });
  }

  /** Nothing of a run is kept. */
  forget(run: MemoryRun): void {
    if (run.pauses !== undefined) for (const entry of run.pauses.values()) this.#open.delete(entry);
  }

  #close(entry: MemoryPause, { lapsed }: Lapsed, at: number): void {
    const { id } = entry.pause;
    this.#take(entry, { id, name: id, value: { lapsed }, at });
  }

  #take(entry: MemoryPause, signal: Signal): void {
    (entry.run.signals ??= new Map<string, Signal>()).set(signal.name, signal);
    this.#open.delete(entry);
    entry.run.woken = true;
  }
}

function isOver({ pause: { expiresAt } }: MemoryPause, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}
