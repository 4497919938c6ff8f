import type { AgentEntry } from "../agents/agent-entry.js";
import type { BoundAgent } from "../agents/bound-agent.js";
import { shownValue } from "../config/options.js";
import { AppClosedError, BadInputError } from "../errors/run-errors.js";
import { EmbeddedEngine } from "../journal/embedded-engine.js";
import type { Store } from "../journal/store.js";
import type { Pause } from "../protocol/pause.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { ExclusiveKeys } from "../tools/exclusive-keys.js";
import type { ToolCallScope } from "../tools/tool-context.js";
import type { InputArgs, ToolEntry, ToolOutput } from "../tools/tool-entry.js";
import type { Clock } from "../util/clock.js";
import { Deadlines } from "../util/deadlines.js";
import type { Ids } from "../util/ids.js";
import type { AppParts } from "./active-run.js";
import { checkHealthOptions, modelHealth, storeHealth, type AppHealth, type HealthOptions } from "./app-health.js";
import type { AppOptions, ResumeOptions, RunInput, RunOptions } from "./app-options.js";
import type { Assembly } from "./assembly.js";
import { checkedGrace, closeSteps } from "./close-steps.js";
import type { Decisions } from "./decisions.js";
import { describeApp, type AppDescription } from "./describe.js";
import { invokeInApp } from "./invoke-in-app.js";
import { inspectRun, listRuns, openPauses, type PausesFilter, type RunsFilter } from "./read-runs.js";
import type { RecoverReport } from "./recover-report.js";
import { RunControl } from "./run-control.js";
import type { RunDetails } from "./run-details.js";
import { RunRegistry } from "./run-registry.js";
import { checkRunRequest, none } from "./run-request.js";
import type { RunResult } from "./run-result.js";
import type { RunSummary } from "./run-summary.js";
import { RunStream } from "./run-stream.js";

/** One agent of an app. */
export interface AgentRunner {
  run<T = string>(input: RunInput, options?: Omit<RunOptions, "agent">): Promise<RunResult<T>>;
  stream<T = string>(input: RunInput, options?: Omit<RunOptions, "agent">): RunStream<T>;
}

/** How long `close` waits for running runs where nothing else is said, in milliseconds. */
const GRACE_MS = 5_000;

/** A workflow that is put together and takes runs. Made by `createApp`. */
export class App implements AsyncDisposable {
  readonly #assembly: Assembly;
  readonly #engine: EmbeddedEngine;
  readonly #registry: RunRegistry;
  readonly #control: RunControl;
  readonly #parts: AppParts;
  #faults = 0;
  #closed: Promise<void> | undefined;

  constructor(assembly: Assembly, options: AppOptions, store: Store, leaseMs: number, clock: Clock, ids: Ids) {
    this.#assembly = assembly;
    this.#parts = {
      store,
      container: assembly.container,
      clock,
      deadlines: new Deadlines(clock),
      exclusive: new ExclusiveKeys(),
      costLimit: assembly.costLimit,
    };
    this.#registry = new RunRegistry(
      assembly,
      this.#parts,
      options,
      () => void this.#faults++,
      (runId) => this.#engine.program(runId),
    );
    this.#engine = new EmbeddedEngine({ store, clock, ids, leaseMs, onSettled: this.#registry.settled });
    this.#control = new RunControl(assembly, this.#engine, this.#registry, clock, ids);
  }

  /**
   * Runs an agent on a message until it answers, waits for a person, or stops. Settles then; what happens inside the run is
   * the result's `status`. Rejects, leaving no run, only for what the caller must mend: bad input, a thread of another
   * owner or one that waits, a closed app.
   */
  run<T = string>(input: RunInput, options: RunOptions = none): Promise<RunResult<T>> {
    return options?.agent === undefined
      ? this.#control.run(this.#assembly.agents[0]!, input, options)
      : this.#runAgent(options.agent, input, options);
  }

  /** The same as `run`, with its events as they come. Leaving the loop early cancels the run. */
  stream<T = string>(input: RunInput, options: RunOptions = none): RunStream<T> {
    return this.#stream(
      () => (options.agent === undefined ? this.#assembly.agents[0]! : this.#agentOf(options.agent)),
      input,
      options,
    );
  }

  /** One agent of the workflow, by its class or its name. Throws `BadInputError` for one that is not in it. */
  agent(agent: AgentEntry | string): AgentRunner {
    const bound = this.#agentOf(agent);
    return {
      run: (input, options = none) => this.#control.run(bound, input, options),
      stream: (input, options = none) => this.#stream(() => bound, input, options),
    };
  }

  /** One tool with the app's own dependencies, called by hand: the whole pipeline and its hooks, without a journal. */
  tool<X extends ToolEntry>(
    tool: X,
  ): { invoke(...args: [...InputArgs<X>, scope?: ToolCallScope | undefined]): Promise<ToolResult<ToolOutput<X>>> } {
    return {
      invoke: async (...[input, scope]: readonly unknown[]) => {
        if (this.#closed !== undefined) throw new AppClosedError();
        return invokeInApp(this.#assembly, this.#parts, tool, input, scope ?? {}) as never;
      },
    };
  }

  /**
   * Answers pauses of a run by their ids, all or nothing, and continues it. The same decision twice is harmless; an unknown
   * pause or another decision is refused with `DecisionRefusedError`, and nothing runs. Needs no process that waits.
   */
  resume<T = string>(runId: string, decisions: Decisions = {}, options: ResumeOptions = none): Promise<RunResult<T>> {
    return this.#control.resume(runId, decisions, options);
  }

  /** `resume`, with its events as they come. */
  resumeStream<T = string>(runId: string, decisions: Decisions = {}, options: ResumeOptions = none): RunStream<T> {
    return new RunStream<T>(
      (listener) => this.#control.resume(runId, decisions, options, listener),
      () => void this.#control.cancel(runId).catch(() => {}),
    );
  }

  /** Ends a run, also one of another process (seen within two seconds); its thread can go on. A run that has ended stays so. */
  cancel(runId: string): Promise<RunResult> {
    return this.#control.cancel(runId);
  }

  /** One pass over runs that nobody has: continues each until it ends or pauses. */
  recover(): Promise<RecoverReport> {
    return this.#control.recover();
  }

  /** The open pauses, oldest first. */
  async pauses(filter: PausesFilter = {}): Promise<readonly Pause[]> {
    return openPauses(this.#openStore(), filter);
  }

  /** Runs of every thread, newest first; at most 100 unless `limit` says otherwise. */
  async runs(filter: RunsFilter = {}): Promise<readonly RunSummary[]> {
    return listRuns(this.#openStore(), filter);
  }

  /** One run with its turns, calls, pauses and usage so far. Changes nothing. Rejects with `RunNotFoundError` without one. */
  async inspect(runId: string): Promise<RunDetails> {
    return inspectRun(this.#openStore(), this.#assembly, runId);
  }

  /** What the app is able to do: agents, their tools and what those depend on. Runs and connects nothing. */
  describe(): AppDescription {
    return describeApp(this.#assembly, this.#parts.store);
  }

  /** Whether the store can be used, and, where asked, whether the models answer. */
  async health(options: HealthOptions = {}): Promise<AppHealth> {
    checkHealthOptions(options);
    return {
      store: await storeHealth(this.#parts.store),
      activeRuns: this.#engine.activeRuns,
      faults: this.#faults,
      closed: this.#closed !== undefined,
      ...(options.models === true ? { models: await modelHealth(this.#assembly.agents, options.signal) } : {}),
    };
  }

  /**
   * Takes no new runs, gives the running ones `graceMs` (default 5,000), and leaves what is unfinished for `recover`: a
   * deploy cancels nobody's run. Then closes what the app made, in reverse order, and the store. All of it is attempted;
   * what failed is one `DisposeError`.
   */
  async close(options: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    const graceMs = checkedGrace(options, GRACE_MS);
    await (this.#closed ??= this.#close(graceMs));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #openStore(): Store {
    if (this.#closed !== undefined) throw new AppClosedError();
    return this.#parts.store;
  }

  async #close(graceMs: number): Promise<void> {
    await closeSteps(
      [
        { name: "runs", graceMs, close: () => this.#engine.close(graceMs) },
        { name: "what the runs used", close: () => this.#registry.disposed() },
        // Two steps: a factory that hangs does not keep what is made already from being closed.
        { name: "providers that are still being made", close: () => this.#parts.container.idle() },
        { name: "providers", close: () => this.#parts.container.dispose() },
        { name: "store", close: () => this.#parts.store.close() },
      ],
      this.#parts.clock,
    );
  }

  /** Rejects, and does not throw, for an agent that is not there. */
  async #runAgent(agent: AgentEntry | string, input: RunInput, options: RunOptions): Promise<RunResult<any>> {
    return this.#control.run(this.#agentOf(agent), input, options);
  }

  #stream<T>(agent: () => BoundAgent, input: RunInput, options: RunOptions): RunStream<T> {
    const leaving = new AbortController();
    return new RunStream<T>(
      async (listener) => {
        checkRunRequest(input, options);
        const { signal } = options;
        const stop = (): void => leaving.abort(signal!.reason);
        if (signal?.aborted) stop();
        else signal?.addEventListener("abort", stop, { once: true });
        try {
          return await this.#control.run(agent(), input, { ...options, signal: leaving.signal }, listener);
        } finally {
          signal?.removeEventListener("abort", stop);
        }
      },
      () => leaving.abort(),
    );
  }

  #agentOf(agent: unknown): BoundAgent {
    const bound =
      typeof agent === "string"
        ? this.#assembly.agents.find(({ name }) => name === agent)
        : this.#assembly.agentOf.get(agent);
    if (bound !== undefined) return bound;
    throw new BadInputError(
      "The workflow has no such agent",
      typeof agent === "function" ? agent.name : shownValue(agent),
      `Add it to the workflow's \`agents\`; there are: ${this.#assembly.agents.map(({ name }) => name).join(", ")}.`,
    );
  }
}
