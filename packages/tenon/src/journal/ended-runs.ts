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

  /** Adds a run that ended just now. Gives the run that is one too many, forgotten. */
  add(run: MemoryRun): MemoryRun | undefined {
    if (this.#last === undefined) this.#first = run;
    else this.#last.endedNext = run;
    this.#last = run;
    this.#count++;
    return this.#count > this.#keep ? this.#forgetFirst() : undefined;
  }

  /** What is forgotten points to nothing more: an old dead object keeps its young neighbor alive, and that one the next. */
  #forgetFirst(): MemoryRun {
    const first = this.#first!;
    this.#first = first.endedNext;
    if (this.#first === undefined) this.#last = undefined;
    this.#count--;
    first.endedNext = undefined;
    first.forget();
    return first;
  }
}
