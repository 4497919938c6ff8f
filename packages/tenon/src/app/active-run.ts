import type { BoundAgent } from "../agents/bound-agent.js";
import type { RunPorts } from "../agents/run-state.js";
import type { Container } from "../container/container.js";
import type { RunScope } from "../container/run-scope.js";
import type { PriceBook } from "../finops/price-book.js";
import type { Reservations } from "../finops/reservations.js";
import type { PastRun, RunRow, Store } from "../journal/store.js";
import type { Model } from "../llm/model.js";
import type { RunEventBody } from "../protocol/event.js";
import type { ExclusiveKeys } from "../tools/exclusive-keys.js";
import type { Toolset } from "../tools/toolset.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import type { Deadlines } from "../util/deadlines.js";
import { endScope } from "./end-scope.js";
import type { RunEvents } from "./run-events.js";
import type { RunInstances } from "./tool-binder.js";

/** What all runs of an app share. */
export interface AppParts {
  readonly store: Store;
  readonly container: Container;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly reservations: Reservations | undefined;
  readonly prices: PriceBook;
  readonly exclusive: ExclusiveKeys;
}

/** What a run has beside what is stored of it. Kept in this process while the run has not ended. */
export interface RunInputs {
  readonly agent: BoundAgent;
  readonly tools: Toolset;
  readonly model: Model;
  readonly executionContext: unknown;
  readonly events: RunEvents;
}

/** One activation of a run, as the loop sees it. */
export class ActiveRun implements RunPorts, RunInstances {
  readonly run: RunRow;
  readonly #parts: AppParts;
  readonly inputs: RunInputs;
  #scope: RunScope | undefined;

  constructor(run: RunRow, parts: AppParts, inputs: RunInputs) {
    this.run = run;
    this.#parts = parts;
    this.inputs = inputs;
  }

  get agent(): BoundAgent {
    return this.inputs.agent;
  }

  get tools(): Toolset {
    return this.inputs.tools;
  }

  get model(): Model {
    return this.inputs.model;
  }

  get executionContext(): unknown {
    return this.inputs.executionContext;
  }

  get instances(): RunInstances {
    return this;
  }

  get reservations(): Reservations | undefined {
    return this.#parts.reservations;
  }

  get prices(): PriceBook {
    return this.#parts.prices;
  }

  get exclusive(): ExclusiveKeys {
    return this.#parts.exclusive;
  }

  get clock(): Clock {
    return this.#parts.clock;
  }

  get deadlines(): Deadlines {
    return this.#parts.deadlines;
  }

  scope(): RunScope {
    return (this.#scope ??= this.#parts.container.openScope());
  }

  window(): Maybe<readonly PastRun[]> {
    const { historyTurns } = this.agent;
    return historyTurns === 0 ? [] : this.#parts.store.window(this.run.threadId, this.run.n, historyTurns);
  }

  listener(): ((event: RunEventBody) => void) | undefined {
    return this.inputs.events.teller;
  }

  /** Disposes of what the run's scope made. `onFault` hears what failed; the promise, where it takes time, never rejects. */
  dispose(onFault: () => void): Promise<void> | undefined {
    if (this.#scope === undefined) return undefined;
    try {
      const disposed = endScope(this.#scope, this.#parts.deadlines);
      return isPromise(disposed) ? disposed.catch(onFault) : undefined;
    } catch {
      onFault();
      return undefined;
    }
  }
}
