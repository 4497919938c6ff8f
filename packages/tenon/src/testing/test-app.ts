import type { AgentEntry } from "../agents/agent-entry.js";
import type { AgentRunner } from "../app/agent-runs.js";
import type { App } from "../app/app.js";
import type { AppLedger } from "../app/app-ledger.js";
import type { AppHealth, HealthOptions } from "../app/app-health.js";
import type { ResumeOptions, RunInput, RunOptions } from "../app/app-options.js";
import type { Decisions } from "../app/decisions.js";
import type { AppDescription } from "../app/describe.js";
import type { Erased, EraseTarget, PruneOptions } from "../app/retention.js";
import type { PausesFilter, RunsFilter } from "../app/read-runs.js";
import type { RecoverReport } from "../app/recover-report.js";
import type { ResultOptions } from "../app/run-observer.js";
import type { RunDetails } from "../app/run-details.js";
import type { RunResult } from "../app/run-result.js";
import type { RunSummary } from "../app/run-summary.js";
import { RunStream } from "../app/run-stream.js";
import type { WorkOptions } from "../app/worker.js";
import { BadInputError } from "../errors/run-errors.js";
import type { RunEvent } from "../protocol/event.js";
import type { Pause } from "../protocol/pause.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import type { TestClock } from "./test-clock.js";

/**
 * An app that is made when it is first asked to do something, so that a test can put its mocks in place before. What is
 * wrong with it is what that first call rejects with.
 */
export class TestApp implements Pick<App, keyof App> {
  readonly #create: () => Promise<App>;
  #creating: Promise<App> | undefined;
  #app: App | undefined;

  readonly ledger: AppLedger = {
    entries: async (filter) => (await this.#made()).ledger.entries(filter),
    sums: async (by, filter) => (await this.#made()).ledger.sums(by, filter),
  };

  constructor(create: () => Promise<App>) {
    this.#create = create;
  }

  /** Whether somebody has used it. */
  get used(): boolean {
    return this.#creating !== undefined;
  }

  async run<T = string>(input: RunInput, options?: RunOptions): Promise<RunResult<T>> {
    return (await this.#made()).run<T>(input, options);
  }

  stream<T = string>(input: RunInput, options: RunOptions = {}): RunStream<T> {
    return this.#run(input, options);
  }

  agent(agent: AgentEntry): AgentRunner {
    return {
      run: async (input, options) => (await this.#made()).agent(agent).run(input, options),
      stream: (input, options = {}) => this.#run(input, { ...options, agent }),
    };
  }

  tool<X extends ToolEntry>(tool: X): ReturnType<typeof App.prototype.tool<X>> {
    return { invoke: async (...args) => (await this.#made()).tool(tool).invoke(...(args as never)) };
  }

  async resume<T = string>(runId: string, decisions?: Decisions, options?: ResumeOptions): Promise<RunResult<T>> {
    return (await this.#made()).resume<T>(runId, decisions, options);
  }

  async decide(runId: string, decisions: Decisions): Promise<void> {
    return (await this.#made()).decide(runId, decisions);
  }

  resumeStream<T = string>(runId: string, decisions?: Decisions, options: ResumeOptions = {}): RunStream<T> {
    return new RunStream<T>(
      (listener) => this.resume(runId, decisions, { ...options, onEvent: both(options.onEvent, listener) }),
      () => void this.cancel(runId).catch(() => {}),
    );
  }

  async cancel(runId: string): Promise<RunResult> {
    return (await this.#made()).cancel(runId);
  }

  async *watch(runId: string): AsyncGenerator<RunEvent, undefined, undefined> {
    return yield* (await this.#made()).watch(runId);
  }

  async result<T = string>(runId: string, options?: ResultOptions): Promise<RunResult<T>> {
    return (await this.#made()).result<T>(runId, options);
  }

  async work(options?: WorkOptions): Promise<void> {
    return (await this.#made()).work(options);
  }

  async prune(options: PruneOptions): Promise<number> {
    return (await this.#made()).prune(options);
  }

  async erase(target: EraseTarget): Promise<Erased> {
    return (await this.#made()).erase(target);
  }

  async recover(): Promise<RecoverReport> {
    return (await this.#made()).recover();
  }

  async pauses(filter?: PausesFilter): Promise<readonly Pause[]> {
    return (await this.#made()).pauses(filter);
  }

  async runs(filter?: RunsFilter): Promise<readonly RunSummary[]> {
    return (await this.#made()).runs(filter);
  }

  async inspect(runId: string): Promise<RunDetails> {
    return (await this.#made()).inspect(runId);
  }

  /** Cannot wait for the app: throws `BadInputError` where nothing has been asked of it before. */
  describe(): AppDescription {
    if (this.#app === undefined)
      throw new BadInputError(
        "The app of a test is made by the first call that can be waited for",
        "describe",
        "Write `await app.health()` before `app.describe()`.",
      );
    return this.#app.describe();
  }

  async health(options?: HealthOptions): Promise<AppHealth> {
    return (await this.#made()).health(options);
  }

  async close(options?: { readonly graceMs?: number | undefined }): Promise<void> {
    return (await this.#made()).close(options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Closes what was made, unless the test has closed it itself. A clock that stands still is moved on until that is done. */
  async end(clock: TestClock | undefined): Promise<void> {
    await this.#creating?.catch(() => {});
    if (this.#app === undefined || (await this.#app.health()).closed) return;
    const closing = this.#app.close();
    await (clock === undefined ? closing : clock.runUntil(closing));
  }

  #made(): Promise<App> {
    this.#creating ??= this.#create().then((app) => (this.#app = app));
    return this.#creating;
  }

  #run<T>(input: RunInput, options: RunOptions): RunStream<T> {
    const leaving = new AbortController();
    const signal = options.signal === undefined ? leaving.signal : AbortSignal.any([options.signal, leaving.signal]);
    return new RunStream<T>(
      (listener) => this.run(input, { ...options, signal, onEvent: both(options.onEvent, listener) }),
      () => leaving.abort(),
    );
  }
}

type Listener = (event: RunEvent) => void;

/** The second one hears of every event, whatever the first one throws. */
export function both(first: Listener | undefined, second: Listener): Listener {
  if (first === undefined) return second;
  return (event) => {
    try {
      first(event);
    } finally {
      second(event);
    }
  };
}
