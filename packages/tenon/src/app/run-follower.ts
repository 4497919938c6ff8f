import { usageOfRecords } from "../agents/usage-of-records.js";
import { AppClosedError, RunNotFoundError } from "../errors/run-errors.js";
import type { Settled } from "../journal/engine.js";
import type { EmbeddedEngine } from "../journal/embedded-engine.js";
import type { RunRow, Store } from "../journal/store.js";
import { chain, type Maybe } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import type { RunInputs } from "./active-run.js";
import type { RunRegistry } from "./run-registry.js";
import { endedResult, pausedResult, type RunResult } from "./run-result.js";

/** How often a run that another process has is looked at, in milliseconds. */
const LOOK_MS = 250;

/** Waits for a run until it ends or pauses, in whichever process it goes on. */
export class RunFollower {
  readonly #engine: EmbeddedEngine;
  readonly #registry: RunRegistry;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(engine: EmbeddedEngine, registry: RunRegistry, clock: Clock) {
    this.#engine = engine;
    this.#registry = registry;
    this.#store = engine.store;
    this.#clock = clock;
  }

  /** Picks a run up, or follows it where another process has it, until it ends or pauses. */
  async goOn(runId: string, inputs: RunInputs, signal: AbortSignal | undefined): Promise<RunResult<any>> {
    for (let asked = false; ;) {
      const picked = await this.#engine.pickUp(runId, this.#registry.programOf(inputs));
      switch (picked.kind) {
        case "active":
          return this.result(picked.run, inputs, await this.stoppable(picked.run, picked.done, signal), signal);
        case "ended":
          this.#registry.forget(runId);
          return endedResult(picked.run, picked.run.outcome!);
        case "waiting":
          return pausedResult(picked.run, picked.pauses, usageOfRecords(await this.#store.records(runId)));
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
    if (picked.kind === "active") await picked.done;
    else if (picked.kind === "ended") this.#registry.forget(runId);
  }

  /** The end of an activation, which an abort of `signal` cancels. */
  stoppable(run: RunRow, done: Promise<Settled>, signal: AbortSignal | undefined): Promise<Settled> {
    if (signal === undefined) return done;
    const stop = (): void => void this.#engine.cancel(run.id).catch(() => {});
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    return done.finally(() => signal.removeEventListener("abort", stop));
  }

  /** What the caller gets of an activation that came to its end here. */
  result(run: RunRow, inputs: RunInputs, settled: Settled, signal: AbortSignal | undefined): Maybe<RunResult<any>> {
    switch (settled.kind) {
      case "ended":
        return endedResult(run, settled.outcome);
      case "paused":
        return chain(this.#store.records(run.id), (records) =>
          pausedResult(run, settled.pauses, usageOfRecords(records)),
        );
      case "detached":
        if (settled.reason === "closed") throw new AppClosedError(run.id);
        return this.goOn(run.id, inputs, signal);
    }
  }
}
