import { toErrorData } from "../errors/tenon-error.js";
import type { EmbeddedEngine } from "../journal/embedded-engine.js";
import type { RunRow } from "../journal/store.js";
import type { ErrorData } from "../protocol/outcome.js";
import type { Clock } from "../util/clock.js";
import type { RecoverReport } from "./recover-report.js";
import type { RunFollower } from "./run-follower.js";
import type { RunRegistry } from "./run-registry.js";
import type { RunResult } from "./run-result.js";

/** Continues runs that nobody has. */
export class RunRecovery {
  readonly #engine: EmbeddedEngine;
  readonly #registry: RunRegistry;
  readonly #follower: RunFollower;
  readonly #clock: Clock;

  constructor(engine: EmbeddedEngine, registry: RunRegistry, follower: RunFollower, clock: Clock) {
    this.#engine = engine;
    this.#registry = registry;
    this.#follower = follower;
    this.#clock = clock;
  }

  /** One pass over the runs that nobody has: continues each until it ends or pauses, and gives those that it cannot continue. */
  async recover(): Promise<RecoverReport> {
    const skipped: { runId: string; error: ErrorData }[] = [];
    const runs = await this.runnable();
    const results = await Promise.all(
      runs.map(async (run) => {
        try {
          return await this.continueLeft(run);
        } catch (thrown) {
          skipped.push({ runId: run.id, error: toErrorData(thrown) });
          return undefined;
        }
      }),
    );
    return { continued: results.filter((result) => result !== undefined), skipped };
  }

  /** The runs that nobody has and that can go on; pauses whose time is over are answered first. */
  async runnable(): Promise<readonly RunRow[]> {
    this.#engine.assertOpen();
    await this.#engine.store.expire(this.#clock.now());
    return this.#engine.store.runs({ runnableAt: this.#clock.now(), limit: 100_000 });
  }

  /** Continues a run until it ends or pauses, if nobody else has it by now. */
  async takeUp(run: RunRow): Promise<void> {
    this.#engine.assertOpen();
    await this.#follower.takeUp(run.id, await this.#registry.inputsOf(run, {}, undefined, undefined, false));
  }

  /** Continues a run that was left by a process that is gone. */
  async continueLeft(run: RunRow): Promise<RunResult<any>> {
    return this.#follower.goOn(run.id, await this.#registry.inputsOf(run, {}, undefined, undefined, false), undefined);
  }
}
