import { usageOfRecords } from "../agents/usage-of-records.js";
import { checkOptions, maybe } from "../config/options.js";
import { AppClosedError, BadInputError, RunNotFoundError } from "../errors/run-errors.js";
import type { EmbeddedEngine } from "../journal/embedded-engine.js";
import { untilAborted } from "../util/abort.js";
import type { Clock } from "../util/clock.js";
import { sleep } from "../util/sleep.js";
import type { Assembly } from "./assembly.js";
import type { RunRegistry } from "./run-registry.js";
import { checkRunId } from "./run-request.js";
import { endedResult, pausedResult, type RunResult } from "./run-result.js";
import { snapshotOf } from "./run-snapshot.js";
import { LOOK_MS, RunWatch, type WatchPorts } from "./run-watch.js";

/** How to wait for a run. */
export interface ResultOptions {
  /** Ends the waiting, which rejects with its reason; the run goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** Looks at runs wherever they go on, and continues none. */
export class RunObserver {
  readonly #engine: EmbeddedEngine;
  readonly #ports: WatchPorts;
  readonly #closing: AbortController = new AbortController();

  constructor(assembly: Assembly, engine: EmbeddedEngine, registry: RunRegistry, clock: Clock) {
    this.#engine = engine;
    this.#ports = {
      store: engine.store,
      clock,
      closing: this.#closing.signal,
      toolsOf: (run) => assembly.agentNamed(run.agent)?.tools,
      maskOf: assembly.maskOf,
      listen: (runId, listener) => registry.listen(runId, listener),
      activationOf: (runId) => registry.activationOf(runId),
    };
  }

  watch(runId: string): RunWatch {
    return new RunWatch(runId, this.#ports);
  }

  /** Waits until a run has ended or waits for a person. */
  async result(runId: string, options: ResultOptions): Promise<RunResult<any>> {
    checkRunId(runId);
    const faults = checkOptions(options, resultRules);
    if (faults.length > 0)
      throw new BadInputError("The options cannot be used", faults.join("; "), "Pass `{ signal }`, or nothing.");
    const { store, clock, closing } = this.#ports;
    const { signal } = options;
    for (;;) {
      if (closing.aborted) throw new AppClosedError(runId);
      signal?.throwIfAborted();
      const snapshot = await snapshotOf(store, runId);
      if (snapshot === undefined) throw new RunNotFoundError(runId);
      const { run, records, open, waits } = snapshot;
      if (run.outcome !== undefined) return endedResult(run, run.outcome);
      if (waits) return pausedResult(run, open, usageOfRecords(records));
      const over = this.#engine.over(runId);
      if (over === undefined) await sleep(clock, LOOK_MS, [closing, signal]);
      else await untilAborted(over, signal === undefined ? closing : AbortSignal.any([closing, signal]));
    }
  }

  /** Ends all that waits here. */
  close(): void {
    this.#closing.abort();
  }
}

const resultRules = {
  signal: maybe((value) => (value instanceof AbortSignal ? undefined : "signal must be an AbortSignal")),
};
