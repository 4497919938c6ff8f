import type { JsonValue } from "../protocol/json.js";
import type { Outcome } from "../protocol/outcome.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import { soon } from "../util/soon.js";
import type { Op, Program, RunOp, Settled, StepOp, WaitOp } from "./engine.js";
import { OpenWaits } from "./open-waits.js";
import { Recorded, type PickedUp } from "./recorded.js";
import { Sequence, type Served } from "./sequence.js";
import type { ParkResult, RunRow, Store } from "./store.js";
import { WriteBatch, type WriteFaults } from "./write-batch.js";

/** Hears once, synchronously, how an activation came to its end; `undefined` where its store failed. */
export type OnOver = (activation: Activation, settled: Settled | undefined) => void;

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
  readonly #recorded: Recorded | undefined;
  #waits: OpenWaits | undefined;
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
    this.#recorded = pickedUp === undefined ? undefined : new Recorded(pickedUp);
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
    return this.#recorded !== undefined && this.#recorded.has(key);
  }

  ready(ops: readonly Op[]): Promise<void> | undefined {
    if (this.#over) return new Promise(() => {});
    return this.#batch.open && this.#recorded?.hasAll(ops) !== true ? this.#batch.write() : undefined;
  }

  /** A signal arrived while the run is active here. */
  deliver(name: string, value: JsonValue): void {
    const op = this.#over ? undefined : this.#waits?.answer(name, value);
    if (op !== undefined) this.#batch.add(op.key, "wait", value);
  }

  /** Ends the run as canceled: running tasks settle, open waits give `undefined`. */
  cancel(): void {
    if (this.#over || this.#canceled) return;
    this.#canceled = true;
    this.program.abort("cancel");
    this.#waits?.giveUp();
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
    return written === undefined ? undefined : Promise.race([written, this.done.then(ignore, ignore)]);
  }

  #settle(settled: Settled): void {
    this.#onOver(this, settled);
    this.#resolve(settled);
  }

  start(op: Op): unknown {
    if (op.type === "child") return this.program.child(op, new Sequence(this));
    const record = this.#recorded?.find(op);
    if (record !== undefined) return record.value;
    return op.type === "run" ? this.#startRun(op) : this.#openWait(op);
  }

  took(op: Op, settled: unknown): boolean {
    if (op.type !== "run") return true;
    this.#running--;
    if (this.#over) return false;
    this.#batch.add(op.key, op.task, settled as JsonValue);
    if (this.#running > 0) this.#flushSoon();
    else if (this.#waits !== undefined) soon(() => this.#parkIfWaiting());
    return true;
  }

  dropped(op: Op): void {
    if (op.type === "run") this.#running--;
  }

  async step(op: StepOp): Promise<unknown> {
    const found = this.#recorded?.step(op.key);
    if (found !== undefined) return found;
    if (this.#over) return new Promise(() => {});
    const value = await op.run();
    if (this.#over) return new Promise(() => {});
    this.#batch.add(op.key, "step", value as JsonValue);
    await this.#batch.write();
    return value;
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
    const early = this.#recorded?.signal(op.signal);
    if (early !== undefined) {
      this.#batch.add(op.key, "wait", early);
      return early;
    }
    // What nobody knows of a call is still asked when its run has ended.
    if (this.#canceled && op.about.kind === "in-doubt") this.#batch.addPause(op.about);
    if (this.#canceled) return undefined;
    this.#batch.addPause(op.about);
    this.program.waiting(op.about);
    // Whoever was told may have stopped the run at once.
    if (this.#over) return new Promise(() => {});
    if (this.#canceled) return undefined;
    this.#waits ??= new OpenWaits();
    this.#flushSoon();
    soon(() => this.#parkIfWaiting());
    return this.#waits.open(op);
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
    else void written.then(finish);
  }

  #parkIfWaiting(): void {
    const waits = this.#waits;
    if (this.#over || this.#running > 0 || waits === undefined || waits.size === 0) return;
    const written = this.#batch.write();
    if (written !== undefined) return void written.then(() => this.#parkIfWaiting());
    let parked: Maybe<ParkResult>;
    try {
      parked = this.#store.park(this.run.id, this.run.epoch, waits.names);
    } catch (thrown) {
      return this.broken(thrown);
    }
    if (isPromise(parked))
      parked.then(
        (result) => this.#parked(result),
        (thrown: unknown) => this.broken(thrown),
      );
    else this.#parked(parked);
  }

  #parked(result: ParkResult): void {
    if (this.#over) return;
    if (result === "fenced") return this.detach("lease-lost");
    if (result === "parked") {
      this.#over = true;
      return this.#settle({ kind: "paused", pauses: this.#waits?.pauses ?? [] });
    }
    if (result.cancelAsked) this.cancel();
    for (const signal of result.signals) this.deliver(signal.name, signal.value);
  }
}

function ignore(): void {}
