import { AppClosedError, ThreadBusyError, ThreadOwnerError } from "../errors/run-errors.js";
import { isPromise, type Maybe } from "../util/class.js";
import { untilAborted } from "../util/abort.js";
import type { Clock } from "../util/clock.js";
import type { Ids } from "../util/ids.js";
import { Activation, type OnOver } from "./activation.js";
import { ActiveRuns } from "./active-runs.js";
import { cancelOn } from "./cancel-on.js";
import type { Program, ProgramOf, Settled } from "./engine.js";
import { Leases } from "./leases.js";
import type { PickedUpRun, Started, StartOptions } from "./start-options.js";
import type { CancelResult, NewRun, PickUpResult, RunRow, Signal, SignalResult, StartResult, Store } from "./store.js";
import { ThreadQueue } from "./thread-queue.js";

export interface EngineOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long a run is kept from other processes without a sign of life, in milliseconds. */
  readonly leaseMs: number;
  /** Hears once how each activation came to its end, before anybody who waits for it; `undefined` where the store failed. */
  readonly onSettled: (program: Program, settled: Settled | undefined) => void;
}

/**
 * The engine that is built in: serves runs from the journal of a `Store`, keeps other processes off them with leases, and
 * lines up the runs of a thread.
 */
export class EmbeddedEngine {
  readonly store: Store;
  readonly #clock: Clock;
  /** This process, as its leases and activations name it. */
  readonly #by: string;
  #activations = 0;
  readonly #active: ActiveRuns = new ActiveRuns();
  readonly #leases: Leases;
  readonly #queue: ThreadQueue;
  readonly #over: OnOver;
  /** What was asked of the store and is not answered yet. */
  readonly #pending: Set<Promise<unknown>> = new Set();
  readonly #pickingUp: Map<string, Promise<PickedUpRun>> = new Map();
  #closed = false;

  constructor(options: EngineOptions) {
    this.store = options.store;
    this.#clock = options.clock;
    this.#by = options.ids.next();
    this.#queue = new ThreadQueue(options.clock);
    this.#leases = new Leases(options.store, options.clock, this.#by, options.leaseMs, this.#active, this.#queue);
    this.#over = (activation, settled) => {
      this.#active.delete(activation);
      options.onSettled(activation.program, settled);
      this.#queue.freed(activation.run.threadId);
    };
  }

  get activeRuns(): number {
    return this.#active.size;
  }

  /** Starts a run that was made just now, waiting for its thread where asked to. Idempotent on the run's id. */
  start(run: NewRun, programOf: ProgramOf, options: StartOptions): Maybe<Started> {
    this.assertOpen();
    const result = this.#tryStart(run, options.onBusy !== "refuse", run.createdAt, options.fresh);
    // No closure here: a function that has one pays for it in each call, also where none is made.
    if (isPromise(result)) return this.#track(result).then(this.#started.bind(this, run, programOf, options));
    return this.#started(run, programOf, options, result);
  }

  /** Takes a run that nobody has and continues it. `signal` cancels it, while it goes on here. */
  pickUp(runId: string, programOf: ProgramOf, signal?: AbortSignal): Maybe<PickedUpRun> {
    this.assertOpen();
    const active = this.#active.get(runId);
    if (active !== undefined) return { kind: "active", activation: active };
    // The lease is this process's own, so the store would let it in twice.
    const pending = this.#pickingUp.get(runId);
    if (pending !== undefined) return pending.then(() => this.pickUp(runId, programOf, signal));
    const now = this.#clock.now();
    const result = this.store.pickUp(runId, this.#leases.fresh(now), now);
    if (!isPromise(result)) return this.#pickedUp(result, programOf, signal);
    const picked = this.#track(result)
      .finally(() => this.#pickingUp.delete(runId))
      .then((settled) => this.#pickedUp(settled, programOf, signal));
    this.#pickingUp.set(runId, picked);
    return picked;
  }

  /** Throws once the engine is closed. */
  assertOpen(): void {
    if (this.#closed) throw new AppClosedError();
  }

  /** The program of a run that is active in this process. */
  program(runId: string): Program | undefined {
    return this.#active.get(runId)?.program;
  }

  /** Resolves when the activation of a run that is active in this process is over; `undefined` where it is not. */
  over(runId: string): Promise<void> | undefined {
    return this.#active.get(runId)?.ended();
  }

  /** Writes signals, all or nothing, and hands them to the run if it is active here. Works with no process on the run. */
  async signal(runId: string, signals: readonly Signal[]): Promise<SignalResult> {
    this.assertOpen();
    const result = await this.store.signal(runId, signals);
    if (result.kind === "recorded")
      for (const signal of signals) this.#active.get(runId)?.deliver(signal.name, signal.value);
    return result;
  }

  /**
   * Marks a run to be canceled, in the store, so that whoever picks it up next sees it; one that is active here is stopped at
   * once.
   */
  async cancel(runId: string, lapsed: "cancelled" | "superseded" = "cancelled"): Promise<CancelResult> {
    this.assertOpen();
    this.#active.get(runId)?.cancel(lapsed);
    return this.store.cancel(runId, this.#clock.now(), lapsed);
  }

  /** Takes no new runs, gives the active ones `graceMs`, then lets go of them: they stay for whoever recovers them. */
  async close(graceMs: number): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue.close();
    await Promise.allSettled(this.#pending);
    const open = this.#active.all().map((activation) => activation.ended());
    if (open.length > 0 && graceMs > 0) {
      let timer: { clear(): void } | undefined;
      const grace = new Promise<void>((resolve) => (timer = this.#clock.setTimer(resolve, graceMs)));
      await Promise.race([Promise.all(open), grace]);
      timer?.clear();
    }
    for (const activation of this.#active.all()) {
      if (activation.over) continue;
      await activation.writeSettled();
      activation.detach("closed");
      await this.store.release(activation.run.id, activation.run.epoch);
    }
    this.#leases.stop();
  }

  #track<T>(answer: Promise<T>): Promise<T> {
    const settled = answer.then(ignore, ignore);
    this.#pending.add(settled);
    void settled.then(() => this.#pending.delete(settled));
    return answer;
  }

  #tryStart(run: NewRun, queue: boolean | number, now: number, fresh: boolean): Maybe<StartResult> {
    return this.store.start({ run, lease: this.#leases.fresh(now), now, queue, fresh });
  }

  #started(run: NewRun, programOf: ProgramOf, options: StartOptions, result: StartResult): Maybe<Started> {
    switch (result.kind) {
      case "started":
        if (this.#closed) return this.#letGo(result.run);
        return { kind: "started", activation: this.#activate(result.run, undefined, programOf, false, options.signal) };
      case "exists":
        return result;
      case "owner":
        throw new ThreadOwnerError(run.threadId);
      case "busy":
        return this.#waitForThread(result, run, programOf, options);
    }
  }

  async #waitForThread(
    first: StartResult & { kind: "busy" },
    run: NewRun,
    programOf: ProgramOf,
    options: StartOptions,
  ): Promise<Started> {
    let busy = first;
    let { ticket } = first;
    let started = false;
    try {
      for (let tries = 0; ; tries++) {
        const { holder } = busy;
        if (options.onBusy === "replace" && holder !== undefined) {
          if (!(await untilAborted(options.replace(holder), options.signal))) return { kind: "gave-up" };
        } else if (options.onBusy === "refuse" || (holder?.status === "paused" && busy.pauses.length > 0)) {
          throw new ThreadBusyError(run.threadId, holder?.id ?? "", busy.pauses);
        } else if (
          holder !== undefined &&
          busy.holderLeaseUntil <= this.#clock.now() &&
          this.#active.get(holder.id) === undefined
        ) {
          if (!(await untilAborted(options.onLeft(holder), options.signal))) return { kind: "gave-up" };
        } else {
          this.#leases.watch();
          if (!(await this.#queue.wait(run.threadId, tries, options.signal))) return { kind: "gave-up" };
        }
        this.assertOpen();
        const result = await this.#tryStart(run, ticket ?? true, this.#clock.now(), options.fresh);
        if (result.kind !== "busy") {
          started = result.kind === "started";
          return await this.#started(run, programOf, options, result);
        }
        busy = result;
        // A place that was lost meanwhile (the thread was erased, this process was frozen) is another one now.
        ticket = result.ticket;
      }
    } finally {
      if (!started && ticket !== undefined && !this.#closed) await this.store.leaveQueue(run.threadId, ticket);
    }
  }

  #pickedUp(result: PickUpResult, programOf: ProgramOf, signal: AbortSignal | undefined): Maybe<PickedUpRun> {
    if (result.kind !== "picked-up") return result;
    if (this.#closed) return this.#letGo(result.run);
    return { kind: "active", activation: this.#activate(result.run, result, programOf, result.cancelAsked, signal) };
  }

  /** A run that came in while the engine was closed: it stays for whoever recovers it. */
  async #letGo(run: RunRow): Promise<never> {
    await this.store.release(run.id, run.epoch);
    throw new AppClosedError(run.id);
  }

  #activate(
    run: RunRow,
    pickedUp: (PickUpResult & { kind: "picked-up" }) | undefined,
    programOf: ProgramOf,
    canceled: boolean,
    signal: AbortSignal | undefined,
  ): Activation {
    const activation = new Activation(
      this.store,
      this.#clock,
      run,
      `${this.#by}-${++this.#activations}`,
      pickedUp,
      this.#over,
    );
    this.#active.add(activation);
    this.#leases.watch();
    if (signal !== undefined) cancelOn(signal, activation);
    activation.begin(programOf(run, { activation: activation.id, fresh: pickedUp === undefined }), canceled);
    return activation;
  }
}

const ignore = (): void => {};
