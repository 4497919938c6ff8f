import type { Env } from "../config/env-names.js";
import type { Providers } from "../container/provider.js";
import type { Prices } from "../finops/price-book.js";
import type { Store } from "../journal/store.js";
import type { ModelChoice } from "../llm/model.js";
import type { ModelCatalog } from "../llm/model-catalog.js";
import type { RunEvent } from "../protocol/event.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import type { HookEntry } from "../tools/value-mask.js";
import type { AgentEntry } from "../agents/agent-entry.js";

/** What an app is made of beside its workflow. */
export interface AppOptions<P extends readonly unknown[] = readonly unknown[], L = unknown> {
  /** Where runs are kept; default what `TENON_STORE` names, else memory, gone with the process. The app closes it. */
  readonly store?: Store | undefined;
  /**
   * Models by the ids that agents use: a map, an AI SDK provider object, or a function. `default` is the model of agents that
   * name none; without it `TENON_MODEL`. An id that is not here goes to `TENON_BASE_URL`, or to OpenRouter.
   */
  readonly models?: ModelCatalog | undefined;
  /**
   * What models cost: prices by the ids of models, a table such as `await genaiPrices()`, or several of them, of which the first
   * that knows a model counts. A model's own (`priced`) come first; what a provider reports wins over all. A model served on this
   * machine counts as free until its id is named here; a table does not do that.
   */
  readonly prices?: Prices | undefined;
  /** These win over the workflow's. */
  readonly providers?: Providers<P, L> | undefined;
  /** Gives back what is never stored, for a run that this process did not start. */
  readonly restore?:
    | ((run: RestoredRun) => RestoredInputs | undefined | Promise<RestoredInputs | undefined>)
    | undefined;
  /** Environment variables; default `process.env`. */
  readonly env?: Env | undefined;
  /** Asked and told before all others. */
  readonly hooks?: readonly HookEntry[] | undefined;
  /** Hears every event of every run, synchronously. What it throws is counted in `health`. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Keeps what every call uses in the store's ledger, also where nothing is limited. Default: only under a limit of cost, tokens or model calls, or of the tool calls of a day. */
  readonly ledger?: boolean | undefined;
  /** How long a run is kept from other processes without a sign of life, in milliseconds; default 10,000. */
  readonly leaseMs?: number | undefined;
}

/** A run that is picked up, as `restore` sees it. */
export interface RestoredRun {
  readonly runId: string;
  readonly threadId: string;
  readonly agent: string;
  readonly owner: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Names of the tools that the run had for itself. */
  readonly toolNames: readonly string[];
  /** Whether the run had an execution context. */
  readonly hadContext: boolean;
}

export interface RestoredInputs {
  readonly executionContext?: unknown;
  readonly tools?: readonly ToolEntry[] | undefined;
}

/** What a run starts from. */
export interface RunInput {
  /** The user's message. Not empty. */
  readonly prompt: string;
  /** Tools of this run alone, beside the agent's. */
  readonly tools?: readonly [] | readonly ToolEntry[] | undefined;
}

export interface RunOptions {
  /** An agent of the workflow, by its class or value, or by its name. Default: the first. */
  readonly agent?: AgentEntry | string | undefined;
  /** The conversation; a fresh one by default. An id that nobody has used starts a thread that belongs to `owner`. */
  readonly threadId?: string | undefined;
  /** Matches `^[A-Za-z0-9-]{8,64}$`; default a UUID. Given again with the same agent, prompt and thread it follows that run. */
  readonly runId?: string | undefined;
  readonly owner?: string | undefined;
  /** Stops the run at any point; its thread stays valid. */
  readonly signal?: AbortSignal | undefined;
  /** JSON; stored with the run. */
  readonly metadata?: Record<string, unknown> | undefined;
  /** Handed to tools and hooks; never stored. */
  readonly executionContext?: unknown;
  /** Tools of this run alone, beside the agent's. */
  readonly tools?: readonly ToolEntry[] | undefined;
  /**
   * The model of this run: an object, or an id, or a list of these as fallbacks. An object is not stored, nor a list that holds one:
   * it is used only while this process has the run.
   */
  readonly model?: ModelChoice | undefined;
  /**
   * What to do where the thread has a run that has not ended: wait while it goes on (default; one that is paused throws), throw
   * `ThreadBusyError`, or end it first (`replace`): it counts as cancelled, what it waits for as denied ("superseded").
   */
  readonly onBusy?: "wait" | "refuse" | "replace" | undefined;
  /** Hears the events of this run, synchronously. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

export interface ResumeOptions extends RestoredInputs {
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}
