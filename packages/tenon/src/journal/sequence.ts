import { JournalError } from "../errors/run-errors.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { Op, Scope } from "./engine.js";
import type { RunRow } from "./store.js";

/** What serves the operations of a run's sequences. */
export interface Served {
  readonly run: RunRow;
  readonly id: string;
  /** Closes `sequence` when a promise that it gave resolves. */
  serve(ops: readonly Op[], sequence: Sequence): Maybe<readonly unknown[]>;
  recordedBefore(key: string): boolean;
}

/** One sequence of an activation: keeps the rule that no two `all` are open in it at once. */
export class Sequence implements Scope {
  readonly #activation: Served;
  #open = false;

  constructor(activation: Served) {
    this.#activation = activation;
  }

  get runId(): string {
    return this.#activation.run.id;
  }

  get activation(): string {
    return this.#activation.id;
  }

  recordedBefore(key: string): boolean {
    return this.#activation.recordedBefore(key);
  }

  all(ops: readonly Op[]): Maybe<readonly unknown[]> {
    if (this.#open) throw new JournalError("Two steps are open in one sequence", ops[0]?.key, "Wait for the first, or start both with one `all`.");
    const results = this.#activation.serve(ops, this);
    if (isPromise(results)) this.#open = true;
    return results;
  }

  /** The open `all` has its results. */
  close(): void {
    this.#open = false;
  }
}
