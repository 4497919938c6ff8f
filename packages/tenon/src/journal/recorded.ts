import { JournalError } from "../errors/run-errors.js";
import type { JsonValue } from "../protocol/json.js";
import type { Op, RunOp, WaitOp } from "./engine.js";
import type { JournalRecord, Signal } from "./store.js";

/** What the store gave when the run was picked up; a fresh run has neither records nor signals. */
export interface PickedUp {
  readonly records: readonly JournalRecord[];
  readonly signals: readonly Signal[];
}

/** What earlier activations of a run recorded, and the signals that came before this one. */
export class Recorded {
  readonly #byKey: Map<string, JournalRecord> = new Map();
  readonly #signals: Map<string, JsonValue> = new Map();

  constructor({ records, signals }: PickedUp) {
    for (const record of records) this.#byKey.set(record.key, record);
    for (const signal of signals) this.#signals.set(signal.name, signal.value);
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  hasAll(ops: readonly Op[]): boolean {
    return ops.every((op) => this.has(op.key));
  }

  /** The record of an operation. Throws `JournalError` where there is one of another kind. */
  find(op: RunOp | WaitOp): JournalRecord | undefined {
    const record = this.#byKey.get(op.key);
    const type = op.type === "run" ? op.task : "wait";
    if (record === undefined || record.type === type) return record;
    throw new JournalError(
      "The run's journal does not fit its code",
      `${op.key} is recorded as ${record.type}, the code expects ${type}`,
      "Run it with the code that started it, or cancel it.",
    );
  }

  /** The value of a step. */
  step(key: string): JsonValue | undefined {
    return this.#byKey.get(key)?.value;
  }

  /** The value of the first signal of that name. */
  signal(name: string): JsonValue | undefined {
    return this.#signals.get(name);
  }
}
