import type { BoundAgent } from "../agents/bound-agent.js";
import { LOOP_VERSION } from "../agents/loop.js";
import { AppClosedError, RunExistsError, RunNotFoundError, ThreadBusyError } from "../errors/run-errors.js";
import type { EmbeddedEngine } from "../journal/embedded-engine.js";
import type { Started } from "../journal/start-options.js";
import type { NewRun, RunRow, Store } from "../journal/store.js";
import type { Model } from "../llm/model.js";
import type { JsonObject } from "../protocol/json.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import type { Toolset } from "../tools/toolset.js";
import { isOwnPromise, type Maybe } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import type { Ids } from "../util/ids.js";
import type { ResumeOptions, RunInput, RunOptions } from "./app-options.js";
import type { RunInputs } from "./active-run.js";
import type { Assembly } from "./assembly.js";
import { readDecisions, type Decisions } from "./decisions.js";
import type { RunListener } from "./run-events.js";
import type { RunDecisions } from "./run-decisions.js";
import { RunFollower } from "./run-follower.js";
import { RunRecovery } from "./run-recovery.js";
import type { RunRegistry } from "./run-registry.js";
import { checkResumeRequest, checkRunId, checkRunRequest, storedMetadata, storedModel } from "./run-request.js";
import { endedResult, neverStarted, type RunResult } from "./run-result.js";

const noTools: readonly ToolEntry[] = [];
const noNames: readonly string[] = Object.freeze([]);

/** What a run has instead of its agent's tools and model. */
interface RunsOwn {
  /** The agent's tools, and those of this run alone. */
  readonly tools: Toolset;
  readonly model: Model;
  readonly extra: readonly ToolEntry[];
}

/** Starts, resumes and cancels runs. */
export class RunControl {
  readonly #assembly: Assembly;
  readonly #engine: EmbeddedEngine;
  readonly #registry: RunRegistry;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #follower: RunFollower;
  readonly #decisions: RunDecisions;
  /** Continues what was left. */
  readonly recovery: RunRecovery;

  constructor(
    assembly: Assembly,
    engine: EmbeddedEngine,
    registry: RunRegistry,
    decisions: RunDecisions,
    clock: Clock,
    ids: Ids,
  ) {
    this.#decisions = decisions;
    this.#assembly = assembly;
    this.#engine = engine;
    this.#registry = registry;
    this.#store = engine.store;
    this.#clock = clock;
    this.#ids = ids;
    this.#follower = new RunFollower(engine, registry, clock, assembly.maskOf);
    this.recovery = new RunRecovery(engine, registry, this.#follower, clock);
  }

  /** Starts a run and gives its result. Rejects for what the caller must mend, before anything is stored. */
  run(agent: BoundAgent, input: RunInput, options: RunOptions, stream?: RunListener): Promise<RunResult<any>> {
    try {
      checkRunRequest(input, options);
      const metadata = storedMetadata(options.metadata);
      const own = input.tools !== undefined || options.tools !== undefined || options.model !== undefined;
      return own && options.signal?.aborted !== true
        ? this.#runWithOwn(agent, input, options, metadata, stream)
        : this.#run(agent, undefined, input, options, metadata, stream);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  /** A run with tools of its own, or a model of its own. */
  async #runWithOwn(
    agent: BoundAgent,
    input: RunInput,
    options: RunOptions,
    metadata: JsonObject,
    stream: RunListener | undefined,
  ): Promise<RunResult<any>> {
    const extra = [...(input.tools ?? []), ...(options.tools ?? [])];
    const tools =
      extra.length === 0 ? agent.tools : await this.#assembly.tools.withTools(agent.name, agent.tools, extra);
    const model = options.model === undefined ? agent.model! : await this.#assembly.models.ofRun(options.model);
    return this.#run(agent, { tools, model, extra }, input, options, metadata, stream);
  }

  #run(
    agent: BoundAgent,
    own: RunsOwn | undefined,
    input: RunInput,
    options: RunOptions,
    metadata: JsonObject,
    stream: RunListener | undefined,
  ): Promise<RunResult<any>> {
    const createdAt = this.#clock.now();
    const id = options.runId ?? this.#ids.next(createdAt);
    // A thread that a run starts is named like the run, where nobody chose a name: both are random.
    const threadId = options.threadId ?? (options.runId === undefined ? id : this.#ids.next(createdAt));
    if (options.signal?.aborted) return Promise.resolve(neverStarted(id, threadId));
    const run: NewRun = {
      id,
      threadId,
      workflow: this.#assembly.name,
      agent: agent.name,
      // What is stored and compared is well-formed: SQLite keeps no half characters.
      prompt: input.prompt.toWellFormed(),
      owner: options.owner,
      metadata,
      model: storedModel(options.model),
      toolNames: own === undefined ? noNames : namesOfOwn(own.tools, agent.tools),
      hadContext: options.executionContext !== undefined,
      loopVersion: LOOP_VERSION,
      createdAt,
    };
    const inputs: RunInputs = {
      agent,
      tools: own === undefined ? agent.tools : own.tools,
      model: own === undefined ? agent.model! : own.model,
      executionContext: options.executionContext,
      events: this.#registry.events(run, options.onEvent, stream),
    };
    const started = this.#engine.start(run, this.#registry.programOf(inputs), {
      onBusy: options.onBusy ?? "wait",
      fresh: options.runId === undefined && this.#ids.unique === true,
      signal: options.signal,
      onLeft: this.#makeWay,
      replace: this.#replace,
    });
    if (!isOwnPromise(started) && started.kind === "started")
      return this.#follower.follow(started.activation, inputs, options.signal);
    return this.#whenStarted(started, run, inputs, own?.extra ?? noTools, options, stream);
  }

  /** A run that had to wait for its store or its thread, or that is there already. */
  async #whenStarted(
    starting: Maybe<Started>,
    run: NewRun,
    inputs: RunInputs,
    extra: readonly ToolEntry[],
    options: RunOptions,
    stream: RunListener | undefined,
  ): Promise<RunResult<any>> {
    const started = await starting;
    switch (started.kind) {
      case "started":
        return this.#follower.follow(started.activation, inputs, options.signal);
      case "gave-up":
        return neverStarted(run.id, run.threadId);
      case "exists": {
        const other = started.run;
        if (
          other.agent !== run.agent ||
          other.prompt !== run.prompt ||
          other.owner !== run.owner ||
          (options.threadId !== undefined && other.threadId !== run.threadId)
        )
          throw new RunExistsError(run.id);
        return this.#follower.goOn(
          run.id,
          await this.#registry.inputsOf(
            other,
            { executionContext: options.executionContext, tools: extra.length === 0 ? undefined : extra },
            options.onEvent,
            stream,
            other.outcome !== undefined,
          ),
          options.signal,
        );
      }
    }
  }

  /** Takes decisions, all or nothing, and continues the run. */
  async resume(
    runId: string,
    decisions: Decisions,
    options: ResumeOptions,
    stream?: RunListener,
  ): Promise<RunResult<any>> {
    this.#engine.assertOpen();
    checkRunId(runId);
    checkResumeRequest(options);
    // Read at once: what the caller does with its objects from here on changes nothing.
    const read = readDecisions(decisions);
    const run = await this.#store.run(runId);
    if (run === undefined) throw new RunNotFoundError(runId);
    const inputs = await this.#registry.inputsOf(run, options, options.onEvent, stream, run.outcome !== undefined);
    await this.#decisions.take(runId, read, async () => inputs.tools);
    return this.#follower.goOn(runId, inputs, options.signal);
  }

  /** Takes decisions, all or nothing, and leaves the run to whoever works. */
  async decide(runId: string, decisions: Decisions): Promise<void> {
    this.#engine.assertOpen();
    checkRunId(runId);
    const read = readDecisions(decisions);
    const run = await this.#store.run(runId);
    if (run === undefined) throw new RunNotFoundError(runId);
    await this.#decisions.take(runId, read, () => this.#registry.toolsOf(run));
  }

  /** Stops a run, wherever it is, and waits for its end. A run that has ended stays as it is. */
  async cancel(runId: string, lapsed?: "superseded"): Promise<RunResult<any>> {
    checkRunId(runId);
    const asked = await this.#engine.cancel(runId, lapsed);
    if (asked.kind === "absent") throw new RunNotFoundError(runId);
    if (asked.kind === "ended") return endedResult(asked.run, asked.run.outcome!);
    const run = await this.#store.run(runId);
    if (run === undefined) throw new RunNotFoundError(runId);
    if (run.outcome !== undefined) return endedResult(run, run.outcome);
    return this.#follower.goOn(runId, await this.#registry.inputsOf(run, {}, undefined, undefined, true), undefined);
  }

  /** Ends the holder of a thread for a newer run. */
  readonly #replace = (holder: RunRow): Promise<unknown> => this.cancel(holder.id, "superseded").catch(unlessGone);

  /** A left run stands in the way of its thread: continue it, or say who is in the way where that cannot be done here. */
  readonly #makeWay = async (holder: RunRow): Promise<unknown> => {
    try {
      return await this.recovery.continueLeft(holder);
    } catch (thrown) {
      if (AppClosedError.is(thrown)) throw thrown;
      if (!RunNotFoundError.is(thrown)) throw new ThreadBusyError(holder.threadId, holder.id, [], thrown);
      return undefined;
    }
  };
}

/** A holder that was erased meanwhile is in nobody's way. */
function unlessGone(thrown: unknown): void {
  if (!RunNotFoundError.is(thrown)) throw thrown;
}

function namesOfOwn(tools: Toolset, ofAgent: Toolset): readonly string[] {
  return tools === ofAgent ? noNames : tools.tools.slice(ofAgent.tools.length).map((tool) => tool.name);
}
