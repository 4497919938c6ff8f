import { usageOfRecords } from "../agents/usage-of-records.js";
import { AppClosedError, RunNotFoundError } from "../errors/run-errors.js";
import type { Follower } from "../journal/ending.js";
import type { Settled } from "../journal/engine.js";
import type { Activation } from "../journal/activation.js";
import type { EmbeddedEngine } from "../journal/embedded-engine.js";
import type { RunRow, Store } from "../journal/store.js";
import type { Clock } from "../util/clock.js";
import type { Assembly } from "./assembly.js";
import type { RunInputs } from "./active-run.js";
import type { RunRegistry } from "./run-registry.js";
import { endedResult, pausedResult, type RunResult } from "./run-result.js";
import { shownPauses } from "./shown-event.js";

/** How often a run that another process has is looked at, in milliseconds. */
const LOOK_MS = 250;

/** Waits for a run until it ends or pauses, in whichever process it goes on. */
export class RunFollower {
  readonly #engine: EmbeddedEngine;
  readonly #registry: RunRegistry;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #maskOf: Assembly["maskOf"];

  constructor(engine: EmbeddedEngine, registry: RunRegistry, clock: Clock, maskOf: Assembly["maskOf"]) {
    this.#engine = engine;
    this.#registry = registry;
    this.#store = engine.store;
    this.#clock = clock;
    this.#maskOf = maskOf;
  }

  /** Picks a run up, or follows it where another process has it, until it ends or pauses. */
  async goOn(runId: string, inputs: RunInputs, signal: AbortSignal | undefined): Promise<RunResult<any>> {
    for (let asked = false; ;) {
      const picked = await this.#engine.pickUp(runId, this.#registry.programOf(inputs), signal);
      switch (picked.kind) {
        case "active":
          return this.follow(picked.activation, inputs, signal);
        case "ended":
          this.#registry.forget(runId);
          return endedResult(picked.run, picked.run.outcome!);
        case "waiting":
          return pausedResult(
            picked.run,
            shownPauses(picked.pauses, this.#maskOf),
            usageOfRecords(await this.#store.records(runId)),
          );
        case "absent":
          throw new RunNotFoundError(runId);
        case "held":
          if (signal?.aborted && !asked) {
            asked = true;
            await this.#engine.cancel(runId);
          }
          await new Promise<void>((resolve) => this.#clock.setTimer(resolve, LOOK_MS));
      }
    }
  }

  /** Picks a run up and waits for the end of that activation; does nothing where another process has it by now. */
  async takeUp(runId: string, inputs: RunInputs): Promise<void> {
    const picked = await this.#engine.pickUp(runId, this.#registry.programOf(inputs));
    if (picked.kind === "active") await picked.activation.ended();
    else if (picked.kind === "ended") this.#registry.forget(runId);
  }

  /** The end of an activation here, which an abort of `signal` cancels, as the caller gets it. */
  follow(activation: Activation, inputs: RunInputs, signal: AbortSignal | undefined): Promise<RunResult<any>> {
    return new Promise((resolve, reject) => {
      const caller = new Caller(this, activation.run, inputs, signal, resolve, reject);
      if (signal !== undefined) caller.listen(signal);
      activation.follow(caller);
    });
  }

  /** Asks to end a run; whoever has it hears of it. */
  stop(runId: string): void {
    this.#engine.cancel(runId).catch(() => {});
  }

  /** What the caller gets of an activation that ended here, though its run did not. */
  async unended(
    run: RunRow,
    inputs: RunInputs,
    settled: Exclude<Settled, { kind: "ended" }>,
    signal: AbortSignal | undefined,
  ): Promise<RunResult<any>> {
    // Who stops a run at the very end of its activation finds it paused, and marked to be ended.
    if (settled.kind === "paused" && signal?.aborted !== true)
      return pausedResult(
        run,
        shownPauses(settled.pauses, this.#maskOf),
        usageOfRecords(await this.#store.records(run.id)),
      );
    if (settled.kind === "detached" && settled.reason === "closed") throw new AppClosedError(run.id);
    return this.goOn(run.id, inputs, signal);
  }
}

/** Waits for the end of one activation. */
class Caller implements Follower {
  readonly #follower: RunFollower;
  readonly #run: RunRow;
  readonly #inputs: RunInputs;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (result: RunResult<any> | Promise<RunResult<any>>) => void;
  readonly #reject: (thrown: unknown) => void;

  constructor(
    follower: RunFollower,
    run: RunRow,
    inputs: RunInputs,
    signal: AbortSignal | undefined,
    resolve: (result: RunResult<any> | Promise<RunResult<any>>) => void,
    reject: (thrown: unknown) => void,
  ) {
    this.#follower = follower;
    this.#run = run;
    this.#inputs = inputs;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  listen(signal: AbortSignal): void {
    if (signal.aborted) this.handleEvent();
    else signal.addEventListener("abort", this, { once: true });
  }

  /** The signal aborts. */
  handleEvent(): void {
    this.#follower.stop(this.#run.id);
  }

  settled(settled: Settled): void {
    this.#signal?.removeEventListener("abort", this);
    this.#resolve(
      settled.kind === "ended"
        ? endedResult(this.#run, settled.outcome)
        : this.#follower.unended(this.#run, this.#inputs, settled, this.#signal),
    );
  }

  broken(thrown: unknown): void {
    this.#signal?.removeEventListener("abort", this);
    this.#reject(thrown);
  }
}
