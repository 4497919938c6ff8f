import { JournalError } from "../errors/run-errors.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { Op, Scope, StepOp } from "./engine.js";
import { OpenResults } from "./open-results.js";
import type { RunRow } from "./store.js";

/** What serves the operations of a run's sequences. */
export interface Served {
  readonly run: RunRow;
  readonly id: string;
  recordedBefore(key: string): boolean;
  /** Writes what new operations may depend on: a promise where that takes time, or where nothing is to go on. */
  ready(ops: readonly Op[]): Promise<void> | undefined;
  /** The result of an operation, or a promise of it. */
  start(op: Op): unknown;
  /** A promise of `start` gave its result, which is recorded now. False where nothing is to go on. */
  took(op: Op, result: unknown): boolean;
  /** A promise of `start` was rejected. */
  dropped(op: Op): void;
  step(op: StepOp): Promise<unknown>;
}

/** One sequence of an activation: keeps the rule that no two `all` are open in it at once. */
export class Sequence implements Scope {
  readonly #served: Served;
  #open = false;

  constructor(served: Served) {
    this.#served = served;
  }

  get runId(): string {
    return this.#served.run.id;
  }

  get activation(): string {
    return this.#served.id;
  }

  recordedBefore(key: string): boolean {
    return this.#served.recordedBefore(key);
  }

  step(op: StepOp): Promise<unknown> {
    return this.#served.step(op);
  }

  all(ops: readonly Op[]): Maybe<readonly unknown[]> {
    if (this.#open)
      throw new JournalError(
        "Two steps are open in one sequence",
        ops[0]?.key,
        "Wait for the first, or start both with one `all`.",
      );
    const ready = this.#served.ready(ops);
    const results = ready === undefined ? this.#serve(ops) : ready.then(() => this.#serveLate(ops));
    if (isPromise(results)) this.#open = true;
    return results;
  }

  /** The open `all` has its results. */
  close(): void {
    this.#open = false;
  }

  #serveLate(ops: readonly Op[]): Maybe<readonly unknown[]> {
    const results = this.#serve(ops);
    if (!isPromise(results)) this.#open = false;
    return results;
  }

  #serve(ops: readonly Op[]): Maybe<readonly unknown[]> {
    const results: unknown[] = new Array(ops.length);
    let open: OpenResults | undefined;
    for (let i = 0; i < ops.length; i++) {
      const op = ops[i]!;
      const value = this.#served.start(op);
      if (!isPromise(value)) results[i] = value;
      else if (ops.length === 1) return this.#one(op, value, results);
      else this.#oneOf((open ??= new OpenResults(results, this)), op, value, i);
    }
    return open === undefined ? results : open.all;
  }

  /** Each operation costs one reaction, and there is no promise between it and whoever waits for all. */
  #one(op: Op, value: Promise<unknown>, results: unknown[]): Promise<readonly unknown[]> {
    return value.then(
      (settled) => {
        if (!this.#served.took(op, settled)) return new Promise(() => {});
        results[0] = settled;
        this.#open = false;
        return results;
      },
      (thrown: unknown) => {
        this.#served.dropped(op);
        throw thrown;
      },
    );
  }

  #oneOf(open: OpenResults, op: Op, value: Promise<unknown>, at: number): void {
    open.left++;
    value.then(
      (settled) => {
        if (this.#served.took(op, settled)) open.fill(at, settled);
      },
      (thrown: unknown) => {
        this.#served.dropped(op);
        open.fail(thrown);
      },
    );
  }
}
