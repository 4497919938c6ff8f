import type { AgentEntry } from "../agents/agent-entry.js";
import { AppClosedError } from "../errors/run-errors.js";
import { Reservations } from "../finops/reservations.js";
import { EmbeddedEngine } from "../journal/embedded-engine.js";
import type { Store } from "../journal/store.js";
import type { RunEvent } from "../protocol/event.js";
import type { Pause } from "../protocol/pause.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { ExclusiveKeys } from "../tools/exclusive-keys.js";
import type { ToolCallScope } from "../tools/tool-context.js";
import type { InputArgs, ToolEntry, ToolOutput } from "../tools/tool-entry.js";
import type { Clock } from "../util/clock.js";
import { Deadlines } from "../util/deadlines.js";
import type { Ids } from "../util/ids.js";
import type { AppParts } from "./active-run.js";
import { AgentRuns, type AgentRunner } from "./agent-runs.js";
import { healthOf, type AppHealth, type HealthOptions } from "./app-health.js";
import { StoreLedger, type AppLedger } from "./app-ledger.js";
import type { AppOptions, ResumeOptions, RunInput, RunOptions } from "./app-options.js";
import type { Assembly } from "./assembly.js";
import { checkedGrace, closeSteps } from "./close-steps.js";
import type { Decisions } from "./decisions.js";
import { describeApp, type AppDescription } from "./describe.js";
import { invokeInApp } from "./invoke-in-app.js";
import { Retention, type Erased, type EraseTarget, type PruneOptions } from "./retention.js";
import { inspectRun, listRuns, openPauses, type PausesFilter, type RunsFilter } from "./read-runs.js";
import type { RecoverReport } from "./recover-report.js";
import { RunControl } from "./run-control.js";
import { RunDecisions } from "./run-decisions.js";
import type { RunDetails } from "./run-details.js";
import { RunObserver, type ResultOptions } from "./run-observer.js";
import { RunRegistry } from "./run-registry.js";
import { none } from "./run-request.js";
import type { RunResult } from "./run-result.js";
import type { RunSummary } from "./run-summary.js";
import { RunStream } from "./run-stream.js";
import { keepToolRuns } from "./tool-runs.js";
import { Worker, type WorkOptions } from "./worker.js";

/** A workflow that is put together and takes runs. Made by `createApp`. */
export class App implements AsyncDisposable {
  readonly #assembly: Assembly;
  readonly #engine: EmbeddedEngine;
  readonly #registry: RunRegistry;
  readonly #control: RunControl;
  readonly #agents: AgentRuns;
  readonly #observer: RunObserver;
  readonly #retention: Retention;
  readonly #parts: AppParts;
  readonly #closing: AbortController = new AbortController();
  /** What was spent. */
  readonly ledger: AppLedger = new StoreLedger(() => this.#openStore());
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
      prices: assembly.prices,
      reservations: assembly.books ? new Reservations(store.ledger, clock) : undefined,
    };
    const active: ConstructorParameters<typeof RunRegistry>[4] = (runId) => this.#engine.program(runId);
    this.#registry = new RunRegistry(assembly, this.#parts, options, this.#onFault, active);
    this.#engine = new EmbeddedEngine({ store, clock, ids, leaseMs, onSettled: this.#registry.settled });
    const decisions = new RunDecisions(this.#engine, clock, this.#parts.deadlines);
    this.#control = new RunControl(assembly, this.#engine, this.#registry, decisions, clock, ids);
    this.#agents = new AgentRuns(assembly, this.#control);
    keepToolRuns(this, assembly, this.#control, store, clock);
    this.#observer = new RunObserver(assembly, this.#engine, this.#registry, clock);
    this.#retention = new Retention(this.#engine, this.#control, clock);
  }

  /**
   * Runs an agent on a message until it answers, waits for a person, or stops. Settles then; what happens inside the run is
   * the result's `status`. Rejects, leaving no run, only for what the caller must mend: bad input, a thread of another
   * owner or one that waits, a closed app.
   */
  run<T = string>(input: RunInput, options: RunOptions = none): Promise<RunResult<T>> {
    return this.#agents.run(input, options);
  }

  /** The same as `run`, with its events as they come. Leaving the loop early cancels the run. */
  stream<T = string>(input: RunInput, options: RunOptions = none): RunStream<T> {
    return this.#agents.stream(input, options);
  }

  /** One agent of the workflow, by its class or its name. Throws `BadInputError` for one that is not in it. */
  agent(agent: AgentEntry | string): AgentRunner {
    return this.#agents.of(agent);
  }

  /** One tool with the app's own dependencies, called by hand: the whole pipeline and its hooks, without a journal. */
  tool<X extends ToolEntry>(
    tool: X,
  ): { invoke(...args: [...InputArgs<X>, scope?: ToolCallScope | undefined]): Promise<ToolResult<ToolOutput<X>>> } {
    return {
      invoke: async (...[input, scope]: readonly unknown[]) => {
        if (this.#closed !== undefined) throw new AppClosedError();
        return invokeInApp(this.#assembly, this.#parts, tool, input, scope) as never;
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

  /**
   * Takes decisions as `resume` does, and does not continue the run: a process that works (`work`, `recover`) does. Needs neither
   * the run's execution context nor, without an edit, its tools.
   */
  decide(runId: string, decisions: Decisions): Promise<void> {
    return this.#control.decide(runId, decisions);
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

  /**
   * The events of a run wherever it goes on, from its start to where it ends or pauses (`run-end` is the last one). What is
   * recorded comes from the journal; deltas, starts and progress only while it is active in this process. A pick-up voids what
   * was told of its turn (`run-resumed`), which is told again. Leaving the loop changes nothing for the run. The loop throws
   * `RunNotFoundError` for an unknown run, and `AppClosedError` where the app is closed first.
   */
  watch(runId: string): AsyncIterableIterator<RunEvent, undefined, undefined> {
    return this.#observer.watch(runId);
  }

  /**
   * Waits, in whichever process the run goes on, until it has ended or is paused, and continues nothing. A pause that somebody has
   * answered counts as going on. Rejects with `RunNotFoundError`, `AppClosedError`, or the reason of an aborted `signal`.
   */
  async result<T = string>(runId: string, options: ResultOptions = {}): Promise<RunResult<T>> {
    this.#openStore();
    return this.#observer.result(runId, options);
  }

  /** One pass over runs that nobody has: continues each until it ends or pauses. */
  recover(): Promise<RecoverReport> {
    return this.#control.recovery.recover();
  }

  /**
   * Continues runs that nobody has, at once and then every `pollMs`, until the app is closed or `signal` is aborted. Any number
   * of processes may do so on one store. A run that cannot be continued is left, told to `onSkipped`, and tried again after one
   * pass, two, four, at most a minute. Its timer holds no process.
   */
  async work(options: WorkOptions = {}): Promise<void> {
    this.#openStore();
    return new Worker(this.#control, this.#parts.clock, options, this.#onFault).run(this.#closing.signal);
  }

  /**
   * Forgets runs that ended longer ago than `olderThan`, with all that belongs to them, and gives how many. Never one that has not
   * ended, nor one with an open question about a call in doubt.
   */
  prune(options: PruneOptions): Promise<number> {
    return this.#retention.prune(options);
  }

  /**
   * Forgets a whole thread, or all threads of an owner, with questions about calls in doubt; ends their open runs first, wherever
   * they are. Nothing is left of them once it resolves.
   */
  erase(target: EraseTarget): Promise<Erased> {
    return this.#retention.erase(target);
  }

  /** The open pauses, oldest first. */
  async pauses(filter: PausesFilter = {}): Promise<readonly Pause[]> {
    return openPauses(this.#openStore(), this.#assembly, filter);
  }

  /** Runs of every thread, newest first; at most 100 unless `limit` says otherwise. */
  async runs(filter: RunsFilter = {}): Promise<readonly RunSummary[]> {
    return listRuns(this.#openStore(), this.#assembly, filter);
  }

  /** One run with its turns, calls, pauses, decisions and usage so far. Changes nothing. Rejects with `RunNotFoundError` without one. */
  async inspect(runId: string): Promise<RunDetails> {
    return inspectRun(this.#openStore(), this.#assembly, runId);
  }

  /** What the app is able to do: agents, tools and what those depend on. Runs and connects nothing. */
  describe(): AppDescription {
    return describeApp(this.#assembly, this.#parts.store);
  }

  /** Whether the store can be used, and, where asked, whether the models answer. */
  async health(options: HealthOptions = {}): Promise<AppHealth> {
    const own = { activeRuns: this.#engine.activeRuns, faults: this.#faults, closed: this.#closed !== undefined };
    return healthOf(this.#parts.store, this.#assembly.agents, own, options);
  }

  /**
   * Takes no new runs, gives the running ones `graceMs` (default 5,000), and leaves what is unfinished for `recover`: a deploy
   * cancels nobody's run. Then closes what it made, in reverse order, and the store. What failed is one `DisposeError`.
   */
  async close(options: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    const graceMs = checkedGrace(options, "An app");
    await (this.#closed ??= this.#close(graceMs));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #onFault = (): void => void this.#faults++;

  #openStore(): Store {
    if (this.#closed !== undefined) throw new AppClosedError();
    return this.#parts.store;
  }

  async #close(graceMs: number): Promise<void> {
    this.#closing.abort();
    await closeSteps(
      [
        { name: "runs", graceMs, close: () => this.#engine.close(graceMs) },
        { name: "what is watched", close: () => this.#observer.close() },
        { name: "what the runs used", close: () => this.#registry.disposed() },
        // Two steps: a factory that hangs does not keep what is made already from being closed.
        { name: "providers that are still being made", close: () => this.#parts.container.idle() },
        { name: "providers", close: () => this.#parts.container.dispose() },
        { name: "MCP servers", close: () => this.#assembly.servers.close() },
        { name: "store", close: () => this.#parts.store.close() },
      ],
      this.#parts.clock,
    );
  }
}
