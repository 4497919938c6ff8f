import type { TestAPI } from "vitest";
import { test } from "./vitest.js";
import type { AgentEntry } from "../agents/agent-entry.js";
import type { App } from "../app/app.js";
import type { AppOptions } from "../app/app-options.js";
import type { WorkflowEntry } from "../app/define-workflow.js";
import { shownValue } from "../config/options.js";
import type { Key } from "../container/keys.js";
import type { Providers } from "../container/provider.js";
import { BadInputError } from "../errors/run-errors.js";
import type { Store } from "../journal/store.js";
import type { RunEvent } from "../protocol/event.js";
import { isPlainObject } from "../util/plain-object.js";
import type { McpServerClass } from "../mcp/client/server-options.js";
import type { McpMock } from "./mcp-mock.js";
import type { MockOf } from "./mock-of-key.js";
import { installGuard } from "./network-guard.js";
import { hostsFault } from "./network-permit.js";
import type { ScriptedModel } from "./scripted-model.js";
import { agentsOf, TestBench, type BenchOptions } from "./test-bench.js";
import { TestClock } from "./test-clock.js";

/** What a test of `testWith` gets. Each test has its own. */
export interface Fixtures {
  /** The app, made when it is first asked to do something and closed when the test is over. */
  readonly app: App;
  /** The model of an agent: `mockLlm(Support).thenReturn(…)`. An agent without a script fails on its first request. */
  readonly mockLlm: (agent: AgentEntry) => ScriptedModel;
  /** A mock in the place of what a key provides, to be asked for before the first use of `app`. The same key gives the same mock. A test fails where nothing in its app depends on the key. */
  readonly mockOf: <T extends object>(key: Key<T>) => MockOf<T>;
  /** A mock in the place of an MCP server, to be asked for before the first use of `app`. The same server gives the same mock. Needs neither the server nor a lock file. */
  readonly mcpOf: (server: McpServerClass) => McpMock;
  /** The events of every run of the test, for `toHaveCalled`. Only a test that takes it has its runs listened to. */
  readonly events: readonly RunEvent[];
}

/**
 * What `createApp` takes, but for the models: each agent has a scripted one. Default: a memory store, and an empty
 * environment.
 */
export type TestOptions<P extends readonly unknown[] = readonly unknown[], L = unknown> = Omit<
  AppOptions,
  "models" | "providers"
> & {
  readonly providers?: Providers<P, L> | undefined;
  /** The time of the app and of `slow` steps. Default: the real one. After the test it moves on until the app is closed. */
  readonly clock?: TestClock | undefined;
  /** Hosts that the app may reach in spite of the network guard, as `allowNetwork` takes them. */
  readonly network?: readonly string[] | undefined;
};

/**
 * A Vitest `test` around the app of a workflow, or of one agent. `options` with a store, or with anything else that one test
 * could leave its traces in, are a function: it is called for each test. A test fails where a script has steps left over, or a mock
 * stands for what nothing in its app depends on.
 * While it goes on, nothing in this process reaches the network.
 */
export function testWith<W extends WorkflowEntry, P extends readonly unknown[] | [] = [], L = unknown>(
  workflow: W,
  options: TestOptions<P, L> | (() => TestOptions<P, L>) = {},
): TestAPI<Fixtures> {
  if (agentsOf(workflow) === undefined) {
    const name = typeof workflow === "function" ? workflow.name || "an anonymous class" : shownValue(workflow);
    throw new BadInputError(
      "testWith takes a workflow or an agent",
      name,
      "Decorate it with @Workflow or @Agent, or use defineWorkflow or defineAgent.",
    );
  }
  installGuard();
  const optionsOfTest = optionsFor(options);
  const extended = test.extend<Fixtures & { tenonBench: TestBench }>({
    tenonBench: async ({ task }, use) => {
      const bench = new TestBench(workflow, optionsOfTest);
      await use(bench);
      await bench.end();
      if (task.result?.state === "fail") return;
      bench.assertScriptsUsed();
      bench.assertMocksWanted();
    },
    app: ({ tenonBench }, use) => use(tenonBench.app as unknown as App),
    mockLlm: ({ tenonBench }, use) => use(tenonBench.mockLlm),
    mockOf: ({ tenonBench }, use) => use(tenonBench.mockOf),
    mcpOf: ({ tenonBench }, use) => use(tenonBench.mcpOf),
    events: ({ tenonBench }, use) => use(tenonBench.record()),
  });
  return extended;
}

/** Gives each test its options; refuses what cannot serve, and a store that another test has had. */
function optionsFor(options: unknown): () => BenchOptions {
  const used = new WeakSet<Store>();
  const fixed = typeof options === "function" ? undefined : checked(options);
  return () => {
    const given = fixed ?? checked((options as () => unknown)());
    if (typeof given.store === "object" && given.store !== null) {
      if (used.has(given.store))
        throw new BadInputError(
          "A store serves one test: its app closes it",
          given.store.kind,
          "Pass the options as a function, `() => ({ store: … })`.",
        );
      used.add(given.store);
    }
    return given;
  };
}

function checked(given: unknown): BenchOptions {
  if (!isPlainObject(given))
    throw new BadInputError(
      "The options of testWith must be a plain object, or a function that gives one",
      shownValue(given),
      "Pass what `createApp` takes.",
    );
  if ("models" in given)
    throw new BadInputError(
      "testWith has no such option",
      "models",
      "Each agent has a scripted model: use `mockLlm(Agent).thenReturn(…)`.",
    );
  const { clock, network } = given as { readonly clock?: unknown; readonly network?: unknown };
  if (clock !== undefined && !(clock instanceof TestClock))
    throw new BadInputError("The clock of a test is a test's own", shownValue(clock), "Make it with `testClock()`.");
  const fault = network === undefined ? undefined : hostsFault(network);
  if (fault !== undefined)
    throw new BadInputError("The option `network` lists hosts", fault, 'Write `network: ["127.0.0.1"]`.');
  return given;
}
