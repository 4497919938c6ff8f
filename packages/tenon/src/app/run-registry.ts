import { AgentProgram } from "../agents/agent-program.js";
import type { BoundAgent } from "../agents/bound-agent.js";
import { ToolProgram } from "../agents/tool-program.js";
import { toolOfRun } from "../agents/tool-run.js";
import { ContextRequiredError, JournalError } from "../errors/run-errors.js";
import type { Settled } from "../journal/engine.js";
import type { Program, ProgramOf } from "../journal/engine.js";
import type { RunRow } from "../journal/store.js";
import { callLimitsOf } from "../llm/call-limits.js";
import { Toolset } from "../tools/toolset.js";
import type { Mask } from "../tools/value-mask.js";
import { ActiveRun, type AppParts, type RunInputs } from "./active-run.js";
import type { AppOptions, RestoredInputs } from "./app-options.js";
import type { Assembly } from "./assembly.js";
import { LiveListeners } from "./live-listeners.js";
import { noModel } from "./no-model.js";
import { RunEvents, type RunListener } from "./run-events.js";

/** So many waiting runs make it worth asking which of them have ended elsewhere. */
const SWEEP_AT = 1_000;

/** Keeps, for the runs of this process, what is never stored, and asks for it where a run comes from elsewhere. */
export class RunRegistry {
  readonly #assembly: Assembly;
  readonly #parts: AppParts;
  readonly #options: AppOptions;
  readonly #onFault: () => void;
  readonly #active: (runId: string) => Program | undefined;
  /** Of runs that have not ended and are not active now. */
  readonly #waiting: Map<string, RunInputs> = new Map();
  readonly #live: LiveListeners = new LiveListeners();
  #disposing: Set<Promise<void>> | undefined;
  #sweepAt = SWEEP_AT;

  constructor(
    assembly: Assembly,
    parts: AppParts,
    options: AppOptions,
    onFault: () => void,
    active: (runId: string) => Program | undefined,
  ) {
    this.#assembly = assembly;
    this.#parts = parts;
    this.#options = options;
    this.#onFault = onFault;
    this.#active = active;
  }

  /** The listeners of a run: the app's, the caller's own, a stream's. */
  events({ id, agent }: Pick<RunRow, "id" | "agent">, own?: RunListener, stream?: RunListener): RunEvents {
    const events = new RunEvents(id, this.#parts.clock, this.#onFault, this.#assembly.maskOf(agent));
    const { onEvent } = this.#options;
    if (onEvent !== undefined) events.add(onEvent);
    if (own !== undefined) events.add(own);
    if (stream !== undefined) events.add(stream);
    return events;
  }

  /** Hears a run while it is active here, now or later. The function that is given ends that. */
  listen(runId: string, listener: RunListener): () => void {
    return this.#live.add(runId, listener, activeRun(this.#active(runId))?.inputs.events);
  }

  /** The activation of a run that is active here, else an empty text. */
  activationOf(runId: string): string {
    return activeRun(this.#active(runId))?.inputs.events.activation ?? "";
  }

  /** Resolves when what runs had for themselves is disposed of. */
  async disposed(): Promise<void> {
    if (this.#disposing !== undefined) await Promise.all(this.#disposing);
  }

  /** A run has ended elsewhere. */
  forget(runId: string): void {
    this.#waiting.delete(runId);
  }

  /**
   * What a run needs to be picked up here, member by member: what was given now wins, then what this process kept, then what
   * `restore` gives. A run that is active here keeps what it has. `onlyToEnd`: the run will be canceled or has ended, so it
   * needs nothing, and nobody is asked.
   */
  async inputsOf(
    run: RunRow,
    given: RestoredInputs,
    own: RunListener | undefined,
    stream: RunListener | undefined,
    onlyToEnd: boolean,
  ): Promise<RunInputs> {
    const active = activeRun(this.#active(run.id))?.inputs;
    const kept = active ?? this.#waiting.get(run.id);
    const events = kept?.events ?? this.events(run);
    for (const listener of [own, stream]) if (listener !== undefined) events.add(listener);
    if (active !== undefined) return active;
    if (onlyToEnd) return kept ?? { ...this.#toEnd(run), events };
    const agent = this.#agentOf(run);
    const nothingGiven = given.executionContext === undefined && given.tools === undefined;
    const asks = kept === undefined && (nothingGiven || lacks(run, given.executionContext, given.tools));
    const restored = asks ? await this.#restored(run) : {};
    const executionContext = given.executionContext ?? kept?.executionContext ?? restored.executionContext;
    const extra = given.tools ?? (kept === undefined ? restored.tools : undefined);
    if (lacks(run, executionContext, extra ?? kept?.tools)) throw new ContextRequiredError(run.id);
    return {
      agent,
      tools:
        extra === undefined
          ? (kept?.tools ?? agent.tools)
          : await this.#assembly.tools.withTools(agent.name, agent.tools, extra),
      model: kept?.model ?? (run.model === undefined ? agent.model! : await this.#assembly.models.ofRun(run.model)),
      executionContext,
      events,
    };
  }

  /** The tools of a run as they are known here without asking for anything: its own where this process has them. */
  async toolsOf(run: RunRow): Promise<Toolset> {
    const kept = activeRun(this.#active(run.id))?.inputs ?? this.#waiting.get(run.id);
    return (kept ?? this.#toEnd(run)).tools;
  }

  /** Enough to bring a run to its end: its agent may be gone, and no model is called. */
  #toEnd(run: RunRow): Omit<RunInputs, "events"> {
    const agent = this.#assembly.agentNamed(run.agent) ?? goneAgent(run.agent, this.#assembly.maskOf(run.agent));
    return { agent, tools: agent.tools, model: agent.model ?? noModel, executionContext: undefined };
  }

  /** Makes the program of a run from its inputs, and keeps them while the run has not ended. */
  programOf(inputs: RunInputs): ProgramOf {
    return (run, { activation, fresh }) => {
      inputs.events.begin(activation);
      this.#live.begin(run.id, inputs.events);
      if (!fresh) this.#waiting.delete(run.id);
      const active = new ActiveRun(run, this.#parts, inputs);
      return toolOfRun(run.agent) === undefined ? new AgentProgram(active, fresh) : new ToolProgram(active, fresh);
    };
  }

  /** An activation is over: tells the listeners, disposes of what the run's scope made, and forgets a run that has ended. */
  readonly settled = (program: Program, settled: Settled | undefined): void => {
    const active = activeRun(program)!;
    const { events } = active.inputs;
    this.#dispose(active);
    if (settled?.kind === "ended") {
      const { outcome } = settled;
      events.teller?.({
        type: "run-end",
        status: outcome.status,
        stopReason: outcome.stopReason,
        text: outcome.text,
        usage: outcome.usage,
        error: outcome.error,
      });
      return;
    }
    this.#waiting.set(active.run.id, active.inputs);
    if (this.#waiting.size >= this.#sweepAt) void this.#sweep();
    if (settled?.kind === "paused") {
      events.teller?.({
        type: "run-end",
        status: "paused",
        stopReason: "pause",
        text: "",
        usage: (program as AgentProgram).state.usage.toRunUsage(),
      });
    }
  };

  /** Forgets runs that wait here and were ended by another process. */
  async #sweep(): Promise<void> {
    this.#sweepAt = Infinity;
    try {
      for (const runId of [...this.#waiting.keys()]) {
        const run = await this.#parts.store.run(runId);
        if (run === undefined || run.outcome !== undefined) this.#waiting.delete(runId);
      }
    } catch {
      // A store that cannot be read now is asked again when more runs wait.
    }
    this.#sweepAt = Math.max(SWEEP_AT, this.#waiting.size * 2);
  }

  #dispose(active: ActiveRun): void {
    const disposing = active.dispose(this.#onFault);
    if (disposing === undefined) return;
    const all = (this.#disposing ??= new Set());
    all.add(disposing);
    void disposing.then(() => all.delete(disposing));
  }

  #agentOf(run: RunRow): BoundAgent {
    const agent = this.#assembly.agentNamed(run.agent);
    if (agent === undefined)
      throw new JournalError(
        "The run's agent is no longer there",
        run.agent,
        "Run it with the code that started it, or put the agent back.",
      );
    return agent;
  }

  async #restored(run: RunRow): Promise<RestoredInputs> {
    if (this.#options.restore === undefined) return {};
    const { id: runId, threadId, agent, owner, metadata, toolNames, hadContext } = run;
    return (await this.#options.restore({ runId, threadId, agent, owner, metadata, toolNames, hadContext })) ?? {};
  }
}

/** Whether a run had something that is never stored and is not there now. */
function lacks(run: RunRow, executionContext: unknown, tools: unknown): boolean {
  return (run.hadContext && executionContext === undefined) || (run.toolNames.length > 0 && tools === undefined);
}

/** Stands for an agent that is no longer in the workflow. */
function goneAgent(name: string, mask: Mask | undefined): BoundAgent {
  return {
    name,
    description: "",
    system: undefined,
    model: undefined,
    settings: undefined,
    modelCall: callLimitsOf(undefined),
    tools: new Toolset([]),
    maxToolCalls: Infinity,
    maxModelCalls: Infinity,
    budget: undefined,
    historyTurns: 0,
    hooks: [],
    mask,
  };
}

function activeRun(program: Program | undefined): ActiveRun | undefined {
  return (program as AgentProgram | undefined)?.state.ports as ActiveRun | undefined;
}
