import { JournalError } from "../errors/run-errors.js";
import type { JsonValue } from "../protocol/json.js";
import type { Outcome } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import type { Op, Program, RunOp, WaitOp } from "./engine.js";
import { OpenResults } from "./open-results.js";
import { Sequence, type Served } from "./sequence.js";
import type { JournalRecord, ParkResult, RunRow, Signal, Store } from "./store.js";
import { WriteBatch, type WriteFaults } from "./write-batch.js";

/** How one activation of a run came to its end. */
export type Settled =
  | { readonly kind: "ended"; readonly outcome: Outcome }
  | { readonly kind: "paused"; readonly pauses: readonly Pause[] }
  /** Another process has the run, or this one let go of it: nothing more is written here. */
  | { readonly kind: "detached"; readonly reason: "lease-lost" | "closed" };

/** Hears once, synchronously, how an activation came to its end; `undefined` where its store failed. */
export type OnOver = (activation: Activation, settled: Settled | undefined) => void;

/** What the store gave when the run was picked up; a fresh run has neither records nor signals. */
export interface PickedUp {
  readonly records: readonly JournalRecord[];
  readonly signals: readonly Signal[];
}

interface OpenWait {
  readonly op: WaitOp;
  readonly resolve: (value: unknown) => void;
}

/** Sequences go on within microtasks, so a turn of the event loop later a run that only waits is seen to do so. */
const soon: (run: () => void) => void = typeof setImmediate === "function" ? setImmediate : (run) => void setTimeout(run, 0);

const tick = Promise.resolve();

/**
 * One pick-up of a run: serves the operations of its sequences from the records, runs what has none, and writes the results.
 *
 * A result is written before anything that depends on it starts: it stays in a batch until the next operation starts, the
 * run ends, or (where siblings are still running) the current microtasks are done. So what belongs together shares one
 * transaction, and the last answer is written together with the end of the run.
 */
export class Activation implements Served, WriteFaults {
  readonly run: RunRow;
  readonly id: string;
  readonly done: Promise<Settled>;
  /** Set by `begin`. */
  program!: Program;
  /** Where `ActiveRuns` has it. */
  place = 0;
  readonly #store: Store;
  readonly #known: Map<string, JournalRecord> | undefined;
  readonly #signals: Map<string, JsonValue> | undefined;
  #waits: Map<string, OpenWait> | undefined;
  readonly #batch: WriteBatch;
  #running = 0;
  #flushing = false;
  #over = false;
  #canceled = false;
  #resolve!: (settled: Settled) => void;
  #reject!: (error: unknown) => void;
  readonly #onOver: OnOver;

  constructor(store: Store, clock: Clock, run: RunRow, id: string, pickedUp: PickedUp | undefined, onOver: OnOver) {
    this.#store = store;
    this.#batch = new WriteBatch(store, clock, run, id, this);
    this.run = run;
    this.id = id;
    if (pickedUp !== undefined) {
      this.#known = new Map();
      for (const record of pickedUp.records) this.#known.set(record.key, record);
      this.#signals = new Map();
      for (const signal of pickedUp.signals) this.#signals.set(signal.name, signal.value);
    }
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#onOver = onOver;
  }

  /** Whether nothing more will be written by this activation. */
  get over(): boolean {
    return this.#over;
  }

  /** Starts the program. Call once. `canceled`: somebody asked to cancel the run before it was picked up. */
  begin(program: Program, canceled: boolean): void {
    this.program = program;
    if (canceled) this.cancel();
    let ending: Maybe<Outcome>;
    try {
      ending = program.main(new Sequence(this));
    } catch (thrown) {
      return this.#end(program.failed(thrown));
    }
    if (!isPromise(ending)) return this.#end(ending);
    ending.then(
      (outcome) => this.#end(outcome),
      (thrown: unknown) => {
        if (!this.#over) this.#end(program.failed(thrown));
      },
    );
  }

  recordedBefore(key: string): boolean {
    return this.#known !== undefined && this.#known.has(key);
  }

  /** Serves one `all` of a sequence. */
  serve(ops: readonly Op[], sequence: Sequence): Maybe<readonly unknown[]> {
    if (this.#over) return new Promise(() => {});
    if (this.#batch.open && this.#hasNew(ops)) {
      const written = this.#batch.write();
      if (written !== undefined) return written.then(() => this.#serveLate(ops, sequence));
    }
    return this.#serve(ops, sequence);
  }

  /** A signal arrived while the run is active here. */
  deliver(name: string, value: JsonValue): void {
    const wait = this.#waits?.get(name);
    if (wait === undefined || this.#over) return;
    this.#waits!.delete(name);
    this.#batch.add(wait.op.key, "wait", value);
    wait.resolve(value);
  }

  /** Ends the run as canceled: running tasks settle, open waits give `undefined`. */
  cancel(): void {
    if (this.#over || this.#canceled) return;
    this.#canceled = true;
    this.program.abort("cancel");
    const waits = this.#waits;
    this.#waits = undefined;
    if (waits !== undefined) for (const wait of waits.values()) wait.resolve(undefined);
  }

  /** Stops writing: what settles from here on is lost to the journal. */
  detach(reason: "lease-lost" | "closed"): void {
    if (this.#over) return;
    this.#over = true;
    this.program.abort(reason);
    this.#settle({ kind: "detached", reason });
  }

  /** Writes what has settled so far, for a process that lets go of the run. */
  writeSettled(): Maybe<void> {
    const written = this.#over ? undefined : this.#batch.write();
    // A write that fails never comes back; the activation is over then.
    const over = (): void => {};
    return written === undefined ? undefined : Promise.race([written, this.done.then(over, over)]);
  }

  #settle(settled: Settled): void {
    this.#onOver(this, settled);
    this.#resolve(settled);
  }

  #hasNew(ops: readonly Op[]): boolean {
    if (this.#known === undefined) return true;
    for (const op of ops) if (!this.#known.has(op.key)) return true;
    return false;
  }

  /** `serve` after a write that took its time: the sequence is open already. */
  #serveLate(ops: readonly Op[], sequence: Sequence): Maybe<readonly unknown[]> {
    const results = this.#serve(ops, sequence);
    if (!isPromise(results)) sequence.close();
    return results;
  }

  #serve(ops: readonly Op[], sequence: Sequence): Maybe<readonly unknown[]> {
    const results: unknown[] = new Array(ops.length);
    let open: OpenResults | undefined;
    for (let i = 0; i < ops.length; i++) {
      const op = ops[i]!;
      const value = this.#start(op);
      if (!isPromise(value)) results[i] = value;
      else if (ops.length === 1) return this.#one(op, value, results, sequence);
      else this.#oneOf((open ??= new OpenResults(results, sequence)), op, value, i);
    }
    return open === undefined ? results : open.all;
  }

  /** Each operation costs one reaction, and there is no promise between it and whoever waits for all. */
  #one(op: Op, value: Promise<unknown>, results: unknown[], sequence: Sequence): Promise<readonly unknown[]> {
    return value.then(
      (settled) => {
        if (!this.#took(op, settled)) return new Promise(() => {});
        results[0] = settled;
        sequence.close();
        return results;
      },
      (thrown: unknown) => {
        if (op.type === "run") this.#running--;
        throw thrown;
      },
    );
  }

  #oneOf(open: OpenResults, op: Op, value: Promise<unknown>, at: number): void {
    open.left++;
    value.then(
      (settled) => {
        if (this.#took(op, settled)) open.fill(at, settled);
      },
      (thrown: unknown) => {
        if (op.type === "run") this.#running--;
        open.fail(thrown);
      },
    );
  }

  /** Records what a task gave. False where nothing is written any more: then nothing goes on either. */
  #took(op: Op, settled: unknown): boolean {
    if (op.type !== "run") return true;
    this.#running--;
    if (this.#over) return false;
    this.#batch.add(op.key, op.task, settled as JsonValue);
    if (this.#running > 0) this.#flushSoon();
    else if (this.#waits !== undefined) soon(() => this.#parkIfWaiting());
    return true;
  }

  #start(op: Op): unknown {
    if (op.type === "child") return this.program.child(op, new Sequence(this));
    const known = this.#known?.get(op.key);
    const type = op.type === "run" ? op.task : "wait";
    if (known !== undefined) {
      if (known.type === type) return known.value;
      throw new JournalError("The run's journal does not fit its code", `${op.key} is recorded as ${known.type}, the code expects ${type}`, "Run it with the code that started it, or cancel it.");
    }
    return op.type === "run" ? this.#startRun(op) : this.#openWait(op);
  }

  #startRun(op: RunOp): unknown {
    const value = this.program.task(op);
    if (!isPromise(value)) {
      this.#batch.add(op.key, op.task, value as JsonValue);
      return value;
    }
    this.#running++;
    return value;
  }

  #openWait(op: WaitOp): unknown {
    const early = this.#signals?.get(op.signal);
    if (early !== undefined) {
      this.#batch.add(op.key, "wait", early);
      return early;
    }
    if (this.#canceled) return undefined;
    this.#batch.addPause(op.about);
    this.program.waiting(op.about);
    return new Promise((resolve) => {
      (this.#waits ??= new Map<string, OpenWait>()).set(op.signal, { op, resolve });
      this.#flushSoon();
      soon(() => this.#parkIfWaiting());
    });
  }

  /** Writes what is there when the current microtasks are done. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    void tick.then(() => {
      this.#flushing = false;
      if (!this.#over) void this.#batch.write();
    });
  }

  fenced(): void {
    this.detach("lease-lost");
  }

  /** A store that fails ends this activation; the run stays for whoever recovers it. */
  broken(thrown: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.program.abort("closed");
    this.#onOver(this, undefined);
    this.#reject(thrown);
  }

  #end(outcome: Outcome): void {
    if (this.#over) return;
    const written = this.#batch.write(outcome);
    const finish = (): void => {
      if (this.#over) return;
      this.#over = true;
      this.#settle({ kind: "ended", outcome });
    };
    if (written === undefined) finish();
    else written.then(finish);
  }

  #parkIfWaiting(): void {
    const waits = this.#waits;
    if (this.#over || this.#running > 0 || waits === undefined || waits.size === 0) return;
    const written = this.#batch.write();
    if (written !== undefined) return void written.then(() => this.#parkIfWaiting());
    const names = [...waits.keys()];
    let parked: Maybe<ParkResult>;
    try {
      parked = this.#store.park(this.run.id, this.run.epoch, names);
    } catch (thrown) {
      return this.broken(thrown);
    }
    if (isPromise(parked)) parked.then((result) => this.#parked(result), (thrown: unknown) => this.broken(thrown));
    else this.#parked(parked);
  }

  #parked(result: ParkResult): void {
    if (this.#over) return;
    if (result === "fenced") return this.detach("lease-lost");
    if (result === "parked") {
      this.#over = true;
      const pauses = [...(this.#waits?.values() ?? [])].map((wait) => wait.op.about);
      return this.#settle({ kind: "paused", pauses });
    }
    if (result.cancelAsked) this.cancel();
    for (const signal of result.signals) this.deliver(signal.name, signal.value);
  }
}
