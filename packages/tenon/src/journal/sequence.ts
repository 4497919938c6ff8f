import type { Op, OnEnd, Scope, StepOp, Steps } from "./engine.js";
import type { JournalRecord, RunRow } from "./store.js";

/** What serves the operations of a run's sequences. */
export interface Served {
  readonly run: RunRow;
  readonly id: string;
  recordedBefore(key: string): boolean;
  /** Writes what new operations may depend on: a promise where that takes time, or where nothing is to go on. */
  ready(ops: readonly Op[]): Promise<void> | undefined;
  /** The record of an operation that an earlier activation made. */
  recorded(op: Op): JournalRecord | undefined;
  /** Starts an operation without a record, and tells `end` its result. */
  start(op: Op, end: OnEnd<unknown>): void;
  /** An operation has its result, which is recorded now. `late`: not at once. False where nothing is to go on. */
  took(op: Op, result: unknown, late: boolean): boolean;
  /** An operation failed. */
  dropped(op: Op): void;
  /** See `Program.next`. */
  next(op: Op, result: unknown): Op | undefined;
  step(op: StepOp): Promise<unknown>;
  /** See `Scope.stop`. */
  cancel(): void;
}

/** One sequence of an activation: takes its steps one after the other, and starts the operations of each. */
export class Sequence<R> implements Scope {
  readonly #served: Served;
  #steps!: Steps<R>;
  #end!: OnEnd<R>;
  #results!: unknown[];
  /** How many operations of the step have no result yet, and whether they are still being started. */
  #left = 0;
  #starting = false;

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

  stop(): void {
    this.#served.cancel();
  }

  /** Goes on until the steps end. Call once; `steps` were made with this scope. */
  run(steps: Steps<R>, end: OnEnd<R>): void {
    this.#steps = steps;
    this.#end = end;
    this.#goOn([]);
  }

  /** An operation of the step has its result. */
  took(op: Op, at: number, result: unknown): void {
    if (this.#served.took(op, result, !this.#starting)) this.#fill(op, at, result);
  }

  /** An operation of the step failed: the first one that does ends the sequence. */
  dropped(op: Op, thrown: unknown): void {
    this.#served.dropped(op);
    this.#fail(thrown);
  }

  /** Steps that have all their results at once are taken here, one after the other, however many they are. */
  #goOn(before: readonly unknown[]): void {
    for (let results = before; ; results = this.#results) {
      let step: IteratorResult<readonly Op[], R>;
      try {
        step = this.#steps.next(results);
      } catch (thrown) {
        return this.#fail(thrown);
      }
      if (step.done === true) return this.#end.done(step.value);
      const ops = step.value;
      const ready = this.#served.ready(ops);
      if (ready !== undefined) return this.#goOnOnceReady(ready, ops);
      if (!this.#start(ops)) return;
    }
  }

  // No closure above: a function that has one pays for it in each call, also where none is made.
  #goOnOnceReady(ready: Promise<void>, ops: readonly Op[]): void {
    void ready.then(() => this.#start(ops) && this.#goOn(this.#results));
  }

  /** Starts the operations of a step. Whether all have their results already. */
  #start(ops: readonly Op[]): boolean {
    this.#results = new Array<unknown>(ops.length);
    this.#left = ops.length;
    this.#starting = true;
    try {
      for (let i = 0; i < ops.length; i++) {
        const op = ops[i]!;
        const record = this.#served.recorded(op);
        if (record === undefined) this.#served.start(op, new OpenOp(this, op, i));
        else this.#fill(op, i, record.value);
      }
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.#starting = false;
    return this.#left === 0;
  }

  #fill(op: Op, at: number, result: unknown): void {
    const next = this.#served.next(op, result);
    if (next !== undefined) return this.#follow(next, at);
    this.#results[at] = result;
    if (--this.#left === 0 && !this.#starting) this.#goOn(this.#results);
  }

  /** Starts what follows in the place of an operation. */
  #follow(op: Op, at: number): void {
    const start = (): void => this.#served.start(op, new OpenOp(this, op, at));
    const ready = this.#served.ready([op]);
    if (ready === undefined) start();
    else void ready.then(start);
  }

  #fail(thrown: unknown): void {
    if (this.#left === Infinity) return;
    // No result of this step is the last one any more.
    this.#left = Infinity;
    this.#end.failed(thrown);
  }
}

/** An operation that was started. */
class OpenOp<R> implements OnEnd<unknown> {
  readonly op: Op;
  readonly #sequence: Sequence<R>;
  readonly #at: number;

  constructor(sequence: Sequence<R>, op: Op, at: number) {
    this.#sequence = sequence;
    this.op = op;
    this.#at = at;
  }

  done(result: unknown): void {
    this.#sequence.took(this.op, this.#at, result);
  }

  failed(thrown: unknown): void {
    this.#sequence.dropped(this.op, thrown);
  }
}
