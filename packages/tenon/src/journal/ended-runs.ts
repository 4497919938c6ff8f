import type { MemoryRun } from "./memory-run.js";

/** The ended runs that a `MemoryStore` still knows, in the order they ended. */
export class EndedRuns {
  readonly #keep: number;
  #count = 0;
  #first: MemoryRun | undefined;
  #last: MemoryRun | undefined;

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** Adds a run that ended just now. Gives the run that is one too many, taken out. */
  add(run: MemoryRun): MemoryRun | undefined {
    if (this.#last === undefined) this.#first = run;
    else this.#last.endedNext = run;
    this.#last = run;
    this.#count++;
    return this.#count > this.#keep ? this.#takeFirst() : undefined;
  }

  /** Takes at most `limit` runs that `wanted` says out of the list, oldest first. */
  take(limit: number, wanted: (run: MemoryRun) => boolean): readonly MemoryRun[] {
    const taken: MemoryRun[] = [];
    let before: MemoryRun | undefined;
    for (let run = this.#first; run !== undefined && taken.length < limit;) {
      const next = run.endedNext;
      if (wanted(run)) {
        taken.push(run);
        run.endedNext = undefined;
        this.#count--;
        if (before === undefined) this.#first = next;
        else before.endedNext = next;
        if (next === undefined) this.#last = before;
      } else before = run;
      run = next;
    }
    return taken;
  }

  /** What is forgotten points to nothing more: an old dead object keeps its young neighbor alive, and that one the next. */
  #takeFirst(): MemoryRun {
    const first = this.#first!;
    this.#first = first.endedNext;
    if (this.#first === undefined) this.#last = undefined;
    this.#count--;
    first.endedNext = undefined;
    return first;
  }
}
