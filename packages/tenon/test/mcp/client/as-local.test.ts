// What holds for local tools holds for tools of servers: each scenario is played with the same tool in three forms, and what a run
// gives, what is told of it, what its model is sent and what its journal holds must be the same.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { McpTool, mcpTools, type McpServerClient } from "../../../src/doors/mcp/index.js";
import {
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  jsonSchema,
  memoryStore,
  type App,
  type CallHook,
  type Decision,
  type Limits,
  type RunEvent,
  type RunResult,
  type Store,
  type ToolContext,
  type ToolEntry,
  type ToolPolicy,
} from "../../../src/doors/tenon/index.js";
import { rawTurn, replyWith, scriptedModel, type ModelStep } from "../../../src/doors/testing/index.js";
import { accept, declaresServers, serverOf } from "./declared.js";
import { loopbackServer, type LoopbackServer } from "./loopback-server.js";

declaresServers();

interface Work {
  readonly n: number;
  readonly note?: string;
}

const schema = {
  type: "object",
  properties: { n: { type: "integer", maximum: 100 }, note: { type: "string" } },
  required: ["n"],
  additionalProperties: false,
};

/** What the tool does, wherever it is; the scenario says. */
let work: (input: Work) => string | Promise<string>;
/** How often it was done. */
let done = 0;
const worked = async (input: Work): Promise<string> => {
  done++;
  return work(input);
};

let server: LoopbackServer;
let Works: new () => McpServerClient;
beforeAll(async () => {
  server = await loopbackServer({
    work: {
      description: "Works.",
      input: schema,
      run: (input: Work, { signal }) => Promise.race([worked(input), aborted(signal)]),
    },
  });
  Works = serverOf({ name: "works", url: server.url, tools: ["work"] });
  await accept(Works);
});
afterAll(() => server.close());

const aborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped")));

/** What a scenario says of its tool. */
type Policy = Partial<Pick<ToolPolicy, "access" | "timeoutMs" | "inDoubt" | "maxResultChars" | "polling">> & {
  readonly approval?: boolean | ((input: Work) => boolean | string);
  readonly hooks?: readonly CallHook[];
};

const forms: { readonly [name: string]: (policy: Policy) => ToolEntry } = {
  local: (policy) =>
    defineTool({
      name: "work",
      description: "Works.",
      input: jsonSchema<Work>(schema),
      source: "untrusted",
      timeoutMs: 600_000,
      ...policy,
      run: async (input: Work) => ({ text: await worked(input) }),
    } as never),
  "@McpTool": (policy) => {
    @McpTool({ server: Works, tool: "work", description: "Works.", input: jsonSchema<Work>(schema), ...policy })
    class Working {
      constructor(private readonly works: McpServerClient) {}
      run(input: Work, ctx: ToolContext): Promise<unknown> {
        return this.works.call("work", input, ctx);
      }
    }
    return Working;
  },
  mcpTools: ({ access = "read", approval, inDoubt, polling, ...others }) =>
    mcpTools(Works, {
      ...others,
      access: { work: access },
      ...(approval !== undefined && { approval: { work: approval } }),
      ...(inDoubt && { inDoubt: { work: inDoubt } }),
      ...(polling && { polling: { work: polling } }),
    })[0]!,
};

/** One scenario, told in a process of its own for each step; what follows a pause goes on in another app on the same store. */
interface Scenario {
  readonly tool?: Policy;
  readonly does?: typeof work;
  readonly model: readonly ModelStep[];
  readonly hooks?: readonly CallHook[];
  readonly limits?: Limits;
  readonly maxToolCalls?: number;
  /** How each pause is answered. */
  readonly decide?: readonly Decision[];
  /** How often the thread is run. */
  readonly runs?: number;
  /** Stops the run once the tool was begun so often. */
  readonly stopAt?: number;
}

const calls = (...inputs: readonly unknown[]): ModelStep =>
  rawTurn({ calls: inputs.map((input, i) => ({ id: `c${i}`, name: "work", arguments: JSON.stringify(input) })) });

async function played(form: (policy: Policy) => ToolEntry, scenario: Scenario): Promise<unknown> {
  done = 0;
  work = scenario.does ?? (({ n }) => `did ${n}`);
  const model = scriptedModel(...scenario.model);
  const store = memoryStore();
  const events: RunEvent[] = [];
  const tool = form(scenario.tool ?? {});
  const open = (): Promise<App> => {
    const { hooks, limits, maxToolCalls } = scenario;
    const agent = defineAgent({ name: "a", description: "A.", tools: [tool], maxToolCalls });
    const workflow = defineWorkflow({ name: "w", agents: [agent], limits });
    return createApp(workflow, {
      models: { default: model },
      env: {},
      store: keptOpen(store),
      hooks,
      onEvent: (event) => void events.push(event),
    });
  };
  const results: unknown[] = [];
  const records: unknown[] = [];
  for (let n = 1; n <= (scenario.runs ?? 1); n++) {
    const runId = `as-local-${n}`;
    let app = await open();
    const stop = new AbortController();
    const running = app.run({ prompt: `go ${n}` }, { runId, threadId: "thread", signal: stop.signal });
    if (scenario.stopAt !== undefined) {
      await vi.waitFor(() => expect(done).toBe(scenario.stopAt), { timeout: 20_000, interval: 5 });
      stop.abort();
    }
    let result: RunResult = await running;
    for (const decision of scenario.decide ?? []) {
      await app.close();
      app = await open();
      results.push(plain(result));
      result = await app.resume(runId, Object.fromEntries(result.pauses.map(({ id }) => [id, decision])));
    }
    results.push(plain(result));
    await app.close();
    records.push((await store.records(runId)).map(({ key, value }) => [key, value]));
  }
  return JSON.parse(
    JSON.stringify({
      done,
      results,
      records,
      requests: model.requests.map(({ messages, tools }) => ({ messages, tools })),
      events: events.filter((event) => !("late" in event)).map(told),
    }),
  );
}

function plain({ status, stopReason, text, pauses, error, usage }: RunResult): unknown {
  return { status, stopReason, text, usage, error, pauses: pauses.map(({ openedAt: _at, ...pause }) => pause) };
}

/** An event without its time. What comes after a call is over, as a server that was stopped says, is told of a server's tool alone. */
function told({ at: _at, activation: _activation, seq: _seq, ...event }: RunEvent): unknown {
  if ("pause" in event) {
    const { openedAt: _opened, ...pause } = event.pause;
    return { ...event, pause };
  }
  return "durationMs" in event ? { ...event, durationMs: 0 } : event;
}

const never = (): Promise<string> => new Promise(() => {});

const yes: Decision = { approved: true, by: "Ada" };

const scenarios: { readonly [name: string]: Scenario } = {
  "a read": { model: [calls({ n: 1 }), replyWith("done")] },
  "calls at the same time, results in their order": {
    does: ({ n }) => new Promise((resolve) => setTimeout(() => resolve(`did ${n}`), 100 - n * 30)),
    model: [calls({ n: 1 }, { n: 2 }, { n: 3 }), replyWith("done")],
  },
  "input that does not fit, and input that is repaired": {
    model: [calls({ n: 1000 }), calls({ n: "5", more: 1 }), calls({ n: "5" }), replyWith("done")],
  },
  "a handler that fails": {
    does: () => {
      throw new Error("boom");
    },
    model: [calls({ n: 1 }), replyWith("done")],
  },
  "a result that is capped": {
    tool: { maxResultChars: 300 },
    does: () => "x".repeat(1_000),
    model: [calls({ n: 1 }), replyWith("done")],
  },
  "a write that is approved": {
    tool: { access: "write", approval: true },
    model: [calls({ n: 1 }), replyWith("done")],
    decide: [yes],
  },
  "a write that is not approved": {
    tool: { access: "write", approval: true },
    model: [calls({ n: 1 }), replyWith("done")],
    decide: [{ approved: false, reason: "too dear", by: "Ada" }],
  },
  "a write that is changed": {
    tool: { access: "write", approval: true },
    model: [calls({ n: 1, note: "a" }), replyWith("done")],
    decide: [{ ...yes, edit: { n: 2, note: null } }],
  },
  "a question by input": {
    tool: { access: "write", approval: ({ n }) => (n > 5 ? `Really ${n}?` : false) },
    model: [calls({ n: 1 }, { n: 6 }), replyWith("done")],
    decide: [yes],
  },
  "a hook that denies, one that changes, one that asks": {
    hooks: [
      {
        onBeforeCall: (_ctx, { input }) => {
          const { n } = input as Work;
          if (n === 1) return { action: "deny", reason: "not one" };
          return n === 2 ? { action: "modify", input: { n: 20 } } : { action: "ask", question: "Three?" };
        },
      },
    ],
    model: [calls({ n: 1 }, { n: 2 }, { n: 3 }), replyWith("done")],
    decide: [yes],
  },
  "a hook of the tool": {
    tool: { hooks: [{ onBeforeCall: () => ({ action: "modify", input: { n: 7 } }) }] },
    model: [calls({ n: 1 }), replyWith("done")],
  },
  "the same call again and again": { model: [...Array.from({ length: 5 }, () => calls({ n: 1 })), replyWith("done")] },
  "more calls than an agent may make": { maxToolCalls: 2, model: [calls({ n: 1 }, { n: 2 }), calls({ n: 3 })] },
  "more calls than a run may make": { limits: { perRun: { toolCalls: 1 } }, model: [calls({ n: 1 }), calls({ n: 2 })] },
  "a tool that is polled": {
    tool: { polling: true },
    model: [...Array.from({ length: 5 }, () => calls({ n: 1 })), replyWith("done")],
  },
  "a budget of tokens": { limits: { perRun: { tokens: 1_000_000 } }, model: [calls({ n: 1 }), replyWith("done")] },
  "a read whose time is over": {
    tool: { timeoutMs: 300 },
    does: never,
    model: [calls({ n: 1 }), replyWith("done")],
  },
  "a write whose time is over, and that runs again": {
    tool: { access: "write", timeoutMs: 300 },
    does: () => (done === 1 ? never() : "did it"),
    model: [calls({ n: 1 }), replyWith("done")],
    decide: [{ action: "rerun", by: "Ada" }],
  },
  "a write with inDoubt: rerun whose time is over": {
    tool: { access: "write", timeoutMs: 300, inDoubt: "rerun" },
    does: never,
    model: [calls({ n: 1 }), replyWith("done")],
  },
  "a read that is stopped": { does: never, model: [calls({ n: 1 })], stopAt: 1 },
  "a write that is stopped": { tool: { access: "write" }, does: never, model: [calls({ n: 1 })], stopAt: 1 },
  "a thread that goes on, with words of strangers in it": {
    runs: 2,
    hooks: [
      { onBeforeCall: (_ctx, { untrusted }) => (untrusted ? { action: "deny", reason: "strangers" } : undefined) },
    ],
    model: [calls({ n: 1 }), replyWith("done"), calls({ n: 2 }), replyWith("done")],
  },
};

describe.each(Object.entries(scenarios))("%s", (_name, scenario) => {
  let local: unknown;
  beforeAll(async () => {
    local = await played(forms["local"]!, scenario);
  });
  test.each(Object.keys(forms).slice(1))("is the same with %s", async (form) => {
    expect(await played(forms[form]!, scenario)).toEqual(local);
  });
});

/** A store that outlives its apps. */
function keptOpen(store: Store): Store {
  return new Proxy(store, {
    get: (of, name) => {
      if (name === "close") return () => {};
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === "function" ? (value.bind(of) as unknown) : value;
    },
  });
}
