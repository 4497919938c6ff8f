import type { JsonValue } from "../protocol/json.js";
import type { Outcome } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import type { AppendResult, JournalRecord, RunRow, Store } from "./store.js";

/** Hears that nothing can be written any more: another process has the run, or the store failed. */
export interface WriteFaults {
  /** Nothing is to be written any more. */
  readonly over: boolean;
  fenced(): void;
  broken(thrown: unknown): void;
}

const tick = Promise.resolve();
const none: readonly JournalRecord[] = Object.freeze([]);

/** Made anew each time: whoever waits for it is forgotten with it. */
const never = (): Promise<void> => new Promise(() => {});

/**
 * Results of one activation on their way to the store, written together in one transaction. After a fault nothing is
 * written and nothing that waits for a write goes on.
 */
export class WriteBatch {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #run: RunRow;
  readonly #activation: string;
  readonly #faults: WriteFaults;
  #records: JournalRecord[] | undefined;
  #opened: Pause[] | undefined;
  #writing: Promise<void> | undefined;
  #soon = false;

  constructor(store: Store, clock: Clock, run: RunRow, activation: string, faults: WriteFaults) {
    this.#store = store;
    this.#clock = clock;
    this.#run = run;
    this.#activation = activation;
    this.#faults = faults;
  }

  /** Whether something is still to be written, or being written. */
  get open(): boolean {
    return this.#records !== undefined || this.#writing !== undefined;
  }

  add(key: string, type: string, value: JsonValue): void {
    const record: JournalRecord = { key, type, v: 1, activation: this.#activation, value };
    if (this.#records === undefined) this.#records = [record];
    else this.#records.push(record);
  }

  addPause(pause: Pause): void {
    if (this.#opened === undefined) this.#opened = [pause];
    else this.#opened.push(pause);
  }

  /** Writes what is there when the current microtasks are done. */
  writeSoon(): void {
    if (this.#soon) return;
    this.#soon = true;
    void tick.then(() => {
      this.#soon = false;
      if (!this.#faults.over) void this.write();
    });
  }

  /** Writes what there is, and the end of the run with it; a promise only where the store makes one wait. */
  write(end?: Outcome): Promise<void> | undefined {
    if (this.#writing !== undefined) return this.#writing.then(this.write.bind(this, end));
    if (this.#records === undefined && this.#opened === undefined && end === undefined) return undefined;
    const records = this.#records ?? none;
    const opened = this.#opened;
    this.#records = undefined;
    this.#opened = undefined;
    let written: Maybe<AppendResult>;
    try {
      written = this.#store.append({
        runId: this.#run.id,
        epoch: this.#run.epoch,
        records,
        distinct: true,
        opened,
        end: end === undefined ? undefined : { outcome: end, at: this.#clock.now() },
      });
    } catch (thrown) {
      return this.#broken(thrown);
    }
    // No closure here: a function that has one pays for it in each call, also where none is made.
    return isPromise(written) ? this.#whenWritten(written) : this.#written(written);
  }

  #whenWritten(writing: Promise<AppendResult>): Promise<void> {
    return (this.#writing = writing.then(
      (result) => {
        this.#writing = undefined;
        return this.#written(result);
      },
      (thrown: unknown) => {
        this.#writing = undefined;
        return this.#broken(thrown);
      },
    ));
  }

  #written(result: AppendResult): Promise<void> | undefined {
    if (result === "written") return undefined;
    this.#faults.fenced();
    return never();
  }

  #broken(thrown: unknown): Promise<void> {
    this.#faults.broken(thrown);
    return never();
  }
}
