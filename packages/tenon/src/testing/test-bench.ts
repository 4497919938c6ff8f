import { agentDeclarationOf } from "../agents/agent-metadata.js";
import type { AgentEntry } from "../agents/agent-entry.js";
import type { AppOptions } from "../app/app-options.js";
import { createAppWith } from "../app/create-app.js";
import { workflowDeclarationOf } from "../app/workflow.js";
import { shownValue } from "../config/options.js";
import { isKey, keyName, type Key } from "../container/keys.js";
import { BadInputError } from "../errors/run-errors.js";
import { ScriptError } from "../errors/testing-errors.js";
import type { RunEvent } from "../protocol/event.js";
import type { McpServerClass } from "../mcp/client/server-options.js";
import { isClass } from "../util/class.js";
import { systemClock } from "../util/clock.js";
import { mcpMock, type McpMock } from "./mcp-mock.js";
import { mockOfKey, type MockOf } from "./mock-of-key.js";
import { ScriptedModel } from "./scripted-model.js";
import { guardNetwork, permit } from "./network-guard.js";
import { both, TestApp } from "./test-app.js";
import type { TestClock } from "./test-clock.js";

/** What `createApp` takes, and what the test takes besides. */
export interface BenchOptions extends AppOptions {
  readonly clock?: TestClock | undefined;
  readonly network?: readonly string[] | undefined;
}

/** What one test works with: its app, the models of its agents, its mocks. */
export class TestBench {
  readonly app: TestApp;
  readonly #agents: readonly AgentEntry[];
  readonly #models = new Map<AgentEntry, ScriptedModel>();
  readonly #mocks = new Map<Key, unknown>();
  readonly #servers = new Map<McpServerClass, McpMock>();
  readonly #letGo: (() => void)[] = [];
  #clock: TestClock | undefined;
  #wanted: ReadonlySet<Key> | undefined;
  #events: RunEvent[] | undefined;

  /** `options` are asked for when the app is made. From here on the network is guarded, until `end`. */
  constructor(workflow: unknown, options: () => BenchOptions) {
    this.#letGo.push(guardNetwork(this));
    this.#agents = agentsOf(workflow) ?? [];
    this.app = new TestApp(async () => {
      const { clock, network, ...given } = options();
      this.#clock = clock;
      if (network !== undefined) this.#letGo.push(permit(network));
      const record = this.#recorder();
      const providers = [...this.#mocks].map(([provide, useValue]) => ({ provide, useValue }));
      const making = createAppWith(
        workflow,
        {
          ...given,
          env: given.env ?? {},
          providers: [...this.#unmocked(given.providers), ...providers] as never,
          onEvent: record === undefined ? given.onEvent : both(given.onEvent, record),
        },
        {
          clock,
          modelFor: (agent) => this.#modelOf(agent),
          assembled: ({ container }) => void (this.#wanted = container.wanted),
        },
      );
      clock?.holdFor(making);
      return making;
    });
  }

  readonly mockLlm = (agent: AgentEntry): ScriptedModel => {
    if (!this.#agents.includes(agent)) {
      const names = this.#agents.map((known) => known.name).join(", ");
      throw new BadInputError(
        "The workflow of this test has no such agent",
        typeof agent === "function" || agentDeclarationOf(agent) !== undefined ? agent.name : shownValue(agent),
        names === "" ? "There are none." : `There are: ${names}.`,
      );
    }
    return this.#modelOf(agent);
  };

  readonly mockOf = <T>(key: Key<T>): MockOf<T> => {
    if (!isKey(key))
      throw new BadInputError(
        "mockOf takes a class or a token",
        shownValue(key),
        "Pass what the tool has in its `deps`.",
      );
    const known = this.#mocks.get(key) as MockOf<T> | undefined;
    if (known !== undefined) return known;
    this.#assertNotMade(key);
    const mock = mockOfKey(key);
    this.#mocks.set(key, mock);
    return mock;
  };

  readonly mcpOf = (server: McpServerClass): McpMock => {
    const known = this.#servers.get(server);
    if (known !== undefined) return known;
    const { mock, client } = mcpMock(server);
    this.#assertNotMade(server);
    this.#servers.set(server, mock);
    this.#mocks.set(server, client);
    return mock;
  };

  /** The events of all runs, from the making of the app on. The same list each time; it grows. */
  record(): readonly RunEvent[] {
    return (this.#events ??= []);
  }

  /** Closes the app and lets go of the network. */
  async end(): Promise<void> {
    try {
      await this.app.end(this.#clock);
    } finally {
      for (const letGo of this.#letGo.splice(0)) letGo();
    }
  }

  /** Throws `ScriptError` where a script has steps that no request used. */
  assertScriptsUsed(): void {
    const left = [...this.#models].filter(([, { remaining }]) => remaining.length > 0);
    if (left.length === 0) return;
    const shown = left.map(
      ([agent, { remaining }]) => `${agent.name}: ${remaining.map(({ label }) => label).join(", ")}`,
    );
    throw new ScriptError(
      "The test ended with steps that no request used",
      shown.join("; "),
      "Take them out of the script, or look why the model was not asked.",
      {
        steps: left.reduce((sum, [, { remaining }]) => sum + remaining.length, 0),
      },
    );
  }

  /** Throws `BadInputError` where a mock stands for what nothing in the app depends on. Asked after the test: a request may bring tools. */
  assertMocksWanted(): void {
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    const odd = [...this.#mocks.keys()].filter((key) => !wanted.has(key));
    if (odd.length === 0) return;
    const names = [...wanted].map(keyName).join(", ");
    throw new BadInputError(
      "A mock stands for what nothing in the app depends on",
      odd.map(keyName).join(", "),
      names === "" ? "Take it out: the app depends on nothing." : `Take it out, or mock one of these: ${names}.`,
    );
  }

  #assertNotMade(key: Key): void {
    if (this.app.used)
      throw new BadInputError(
        "The app of this test is made already, without this mock",
        keyName(key),
        "Ask for the mock before the first use of `app`.",
      );
  }

  #recorder(): ((event: RunEvent) => void) | undefined {
    const events = this.#events;
    return events === undefined ? undefined : (event) => void events.push(event);
  }

  #modelOf(agent: AgentEntry): ScriptedModel {
    let model = this.#models.get(agent);
    if (model === undefined)
      this.#models.set(
        agent,
        (model = new ScriptedModel(
          `scripted-${agentDeclarationOf(agent)?.options.name ?? agent.name}`,
          () => this.#clock ?? systemClock,
        )),
      );
    return model;
  }

  /** A key may stand only once in a list, so what is mocked is left out of it. */
  #unmocked(providers: unknown): readonly unknown[] {
    if (providers === undefined) return [];
    if (!Array.isArray(providers))
      throw new BadInputError("`providers` must be a list", shownValue(providers), "Write `providers: [ … ]`.");
    return providers.filter(
      (entry: unknown) =>
        !this.#mocks.has((isClass(entry) ? entry : (entry as { provide?: unknown } | undefined)?.provide) as Key),
    );
  }
}

/** The agents of a workflow, or the one that an agent alone is; `undefined` for anything else. */
export function agentsOf(workflow: unknown): readonly AgentEntry[] | undefined {
  const declaration = workflowDeclarationOf(workflow);
  if (declaration !== undefined) {
    // What is wrong with the list is an assembly error, of the app's first call.
    const agents: unknown = declaration.options.agents;
    return (
      Array.isArray(agents)
        ? agents.filter((agent) => typeof agent === "function" || agentDeclarationOf(agent) !== undefined)
        : []
    ) as AgentEntry[];
  }
  return agentDeclarationOf(workflow) === undefined ? undefined : [workflow as AgentEntry];
}
