import type { AgentEntry } from "../agents/agent-entry.js";
import type { BoundAgent } from "../agents/bound-agent.js";
import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import type { RunInput, RunOptions } from "./app-options.js";
import type { Assembly } from "./assembly.js";
import type { RunControl } from "./run-control.js";
import { checkRunRequest, none } from "./run-request.js";
import type { RunResult } from "./run-result.js";
import { RunStream } from "./run-stream.js";

/** One agent of an app. */
export interface AgentRunner {
  run<T = string>(input: RunInput, options?: Omit<RunOptions, "agent">): Promise<RunResult<T>>;
  stream<T = string>(input: RunInput, options?: Omit<RunOptions, "agent">): RunStream<T>;
}

/** Starts runs of an app's agents. */
export class AgentRuns {
  readonly #assembly: Assembly;
  readonly #control: RunControl;

  constructor(assembly: Assembly, control: RunControl) {
    this.#assembly = assembly;
    this.#control = control;
  }

  run(input: RunInput, options: RunOptions): Promise<RunResult<any>> {
    const agent = agentIn(options);
    return agent === undefined
      ? this.#control.run(this.#assembly.agents[0]!, input, options)
      : this.#runAgent(agent, input, options);
  }

  stream<T>(input: RunInput, options: RunOptions): RunStream<T> {
    return this.#stream(
      () => (options.agent === undefined ? this.#assembly.agents[0]! : this.#agentOf(options.agent)),
      input,
      options,
    );
  }

  /** Throws `BadInputError` for an agent that is not in the workflow. */
  of(agent: AgentEntry | string): AgentRunner {
    const bound = this.#agentOf(agent);
    return {
      run: (input, options = none) => this.#control.run(bound, input, options),
      stream: (input, options = none) => this.#stream(() => bound, input, options),
    };
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

/** The agent that options name. Where they cannot be read, the check of the request tells. */
function agentIn(options: RunOptions | null | undefined): RunOptions["agent"] {
  try {
    return options?.agent;
  } catch {
    return undefined;
  }
}
