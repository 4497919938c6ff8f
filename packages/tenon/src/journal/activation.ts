import type { JsonValue } from "../protocol/json.js";
import type { Outcome } from "../protocol/outcome.js";
import type { Lapsed } from "../protocol/pause.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import { soon } from "../util/soon.js";
import { Ending } from "./ending.js";
import type { OnEnd, Op, Program, Settled, StepOp, WaitOp } from "./engine.js";
import { OpenWaits } from "./open-waits.js";
import { Recorded, type PickedUp } from "./recorded.js";
import { Sequence, type Served } from "./sequence.js";
import type { JournalRecord, ParkResult, RunRow, Store } from "./store.js";
import { WriteBatch, type WriteFaults } from "./write-batch.js";

/** Hears once, synchronously, how an activation came to its end; `undefined` where its store failed. */
export type OnOver = (activation: Activation, settled: Settled | undefined) => void;

/**
 * One pick-up of a run: serves the operations of its sequences from the records, runs what has none, and writes the results.
 *
 * A result is written before anything that depends on it starts: it stays in a batch until the next operation starts, the
 * run ends, or (where siblings are still running) the current microtasks are done. So what belongs together shares one
 * transaction, and the last answer is written together with the end of the run.
 */
export class Activation extends Ending implements Served, WriteFaults, OnEnd<Outcome> {
  readonly run: RunRow;
  readonly id: string;
  /** Set by `begin`. */
  program!: Program;
  /** Where `ActiveRuns` has it. */
  place = 0;
  readonly #store: Store;
  readonly #recorded: Recorded | undefined;
  #waits: OpenWaits | undefined;
  readonly #batch: WriteBatch;
  #running = 0;
  #over = false;
  #canceled = false;
  #canceling = false;
  readonly #onOver: OnOver;

  constructor(store: Store, clock: Clock, run: RunRow, id: string, pickedUp: PickedUp | undefined, onOver: OnOver) {
    super();
    this.#store = store;
    this.#batch = new WriteBatch(store, clock, run, id, this);
    this.run = run;
    this.id = id;
    this.#recorded = pickedUp === undefined ? undefined : new Recorded(pickedUp);
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
    try {
      const preparing = program.prepare();
      if (!isPromise(preparing)) return this.#runMain();
      // No closure here: a function that has one pays for it in each call, also where none is made.
      preparing.then(this.#runMain.bind(this), this.failed.bind(this));
    } catch (thrown) {
      this.failed(thrown);
    }
  }

  #runMain(): void {
    if (this.#over) return;
    const scope = new Sequence<Outcome>(this);
    scope.run(this.program.main(scope), this);
  }

  /** The program ended with an outcome. */
  done(outcome: Outcome): void {
    if (this.#over) return;
    // Handlers that stop at once are heard before the run ends.
    if (this.#canceling) return soon(this.done.bind(this, outcome));
    const written = this.#batch.write(outcome);
    if (written === undefined) this.#finish(outcome);
    else void written.then(this.#finish.bind(this, outcome));
  }

  /** The program threw. */
  failed(thrown: unknown): void {
    if (!this.#over) this.done(this.program.failed(thrown));
  }

  #finish(outcome: Outcome): void {
    if (!this.#over) this.#settle({ kind: "ended", outcome });
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

  /** Ends the run as canceled: running tasks settle, open waits give `undefined`, or that a newer run superseded this one. */
  cancel(lapsed: Lapsed["lapsed"] = "cancelled"): void {
    if (this.#over || this.#canceled) return;
    this.#canceled = true;
    this.#canceling = true;
    this.program.abort("cancel");
    this.#canceling = false;
    this.#waits?.giveUp(lapsed === "superseded" ? { lapsed } : undefined);
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
    return written === undefined ? undefined : Promise.race([written, this.ended()]);
  }

  #settle(settled: Settled): void {
    this.#over = true;
    this.#onOver(this, settled);
    this.settleWith(settled);
  }

  recorded(op: Op): JournalRecord | undefined {
    return op.type === "child" ? undefined : this.#recorded?.find(op);
  }

  start(op: Op, end: OnEnd<unknown>): void {
    if (op.type === "child") {
      const scope = new Sequence<unknown>(this);
      return scope.run(this.program.child(op, scope), end);
    }
    if (op.type === "wait") return this.#openWait(op, end);
    this.#running++;
    try {
      this.program.task(op, end);
    } catch (thrown) {
      end.failed(thrown);
    }
  }

  took(op: Op, result: unknown, late: boolean): boolean {
    if (op.type !== "run") return true;
    this.#running--;
    if (this.#over) return false;
    this.#batch.add(op.key, op.task, result as JsonValue);
    if (!late) return true;
    if (this.#running > 0) this.#batch.writeSoon();
    else if (this.#waits !== undefined) soon(this.#parkIfWaiting.bind(this));
    return true;
  }

  next(op: Op, result: unknown): Op | undefined {
    return this.program.next(op, result);
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

  #openWait(op: WaitOp, end: OnEnd<unknown>): void {
    const early = this.#recorded?.signal(op.signal);
    if (early !== undefined) {
      this.#batch.add(op.key, "wait", early);
      return end.done(early);
    }
    // What nobody knows of a call is still asked when its run has ended.
    if (!this.#canceled || op.about.kind === "in-doubt") this.#batch.addPause(op.about);
    if (this.#canceled) return end.done(undefined);
    this.program.waiting(op.about);
    // Whoever was told may have stopped the run at once.
    if (this.#over) return;
    if (this.#canceled) return end.done(undefined);
    this.#waits ??= new OpenWaits();
    this.#batch.writeSoon();
    // Sequences go on within microtasks, so by then a run that only waits is seen to do so.
    soon(() => this.#parkIfWaiting());
    void this.#waits.open(op).then((answer) => end.done(answer));
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
    this.breakWith(thrown);
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
    if (result === "parked") return this.#settle({ kind: "paused", pauses: this.#waits?.pauses ?? [] });
    // Answers first: they may say what it is canceled for.
    for (const signal of result.signals) this.deliver(signal.name, signal.value);
    if (result.cancelAsked) this.cancel();
  }
}
