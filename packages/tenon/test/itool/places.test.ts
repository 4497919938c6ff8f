// oxlint-disable-next-line import/no-unassigned-import -- a setup file is there for what it does
import "../../src/doors/testing/setup/index.js";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Assert, decorator, type ITool, type OnBeforeCall } from "../../src/doors/itool/index.js";
import {
  Agent,
  createApp,
  defineAgent,
  defineWorkflow,
  provide,
  toolDefinitionOf,
  toolOf,
  type ToolEntry,
} from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import {
  callTool,
  callTools,
  replyWith,
  scriptedModel,
  testWith,
  type ModelStep,
} from "../../src/doors/testing/index.js";
import { ArrowWeather, MethodWeather, Reset, STATIONS, stations } from "./weather.js";

const providers = [provide(STATIONS, { useValue: stations })];
@Agent({ name: "clerk", description: "A clerk.", tools: [ArrowWeather, MethodWeather, Reset] })
class Clerk {}
@Agent({ name: "bare", description: "Has no tools." })
class Bare {}

const schema = {
  type: "object",
  properties: { city: { type: "string", minLength: 1 }, units: { enum: ["imperial", "metric"] } },
  required: ["city"],
};

test("a model is shown what the class says, in both styles, without an app and without dependencies", () => {
  const made = MethodWeather.made;
  expect(toolDefinitionOf(ArrowWeather)).toMatchObject({
    name: "get_weather",
    description: "Tells the weather of a city.",
    inputSchema: schema,
  });
  expect(toolDefinitionOf(MethodWeather)).toMatchObject({ name: "look_up_weather", inputSchema: schema });
  expect(toolDefinitionOf(Reset).inputSchema).toMatchObject({ type: "object", properties: {} });
  expect(MethodWeather.made, "methods are asked without an object").toBe(made);
});

describe("toolOf, with new and a fake", () => {
  test("validates, runs, and gives results", async () => {
    const tool = toolOf(new ArrowWeather({ reading: (city) => `fake ${city}` }));
    expect(await tool.invoke({ city: "Oslo" })).toEqual({ kind: "ok", value: "fake Oslo" });
    expect(await tool.invoke({ city: "" })).toMatchObject({ kind: "error", code: "invalid_input" });
    expect(await tool.invoke({ city: "Oslo", units: "kelvin" })).toMatchObject({ code: "invalid_input" });
    expect(await tool.invoke()).toMatchObject({ code: "invalid_input" });
  });

  test("`this` is the object, and the context is the second parameter", async () => {
    const scope = { executionContext: { user: "ann", log: [] } };
    const tool = toolOf(new MethodWeather(stations));
    expect(await tool.invoke({ city: "Oslo", units: "imperial" }, scope)).toEqual({
      kind: "ok",
      value: "Oslo: 20 (imperial) for ann",
    });
  });

  test("without a schema no argument is taken, and the tool's own hooks are asked and told", async () => {
    const log: string[] = [];
    const scope = { executionContext: { user: "ann", log } };
    expect(await toolOf(new Reset()).invoke({ all: true }, scope)).toMatchObject({ code: "invalid_input" });
    expect(await toolOf(new Reset()).invoke({}, scope)).toEqual({ kind: "ok", value: "reset" });
    expect(log.slice(1)).toEqual(["before reset {}", "ran reset", "after reset reset"]);
  });
});

describe("in an app", () => {
  const calls = [
    callTools([
      [ArrowWeather, { city: "Oslo" }],
      [MethodWeather, { city: "Rome", units: "metric" }],
    ]),
    callTool(Reset),
    replyWith("done"),
  ];
  const agents = {
    "an agent class": Clerk,
    "a value of defineAgent": defineAgent({
      name: "clerk",
      description: "A clerk.",
      tools: [ArrowWeather, MethodWeather, Reset],
    }),
  };
  test.each(Object.entries(agents))("%s calls them", async (_name, agent) => {
    const model = scriptedModel(...calls);
    const home = defineWorkflow({ name: "home", agents: [agent], providers });
    await using app = await createApp(home, { models: { default: model } });
    const log: string[] = [];
    const result = await app.run({ prompt: "go" }, { executionContext: { user: "ann", log } });
    expect(result).toMatchObject({ status: "completed", text: "done" });
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(["get_weather", "look_up_weather", "reset"]);
    expect(model.requests[1]!.messages.at(-1)!.content).toMatchObject([
      { output: { value: "Oslo: 20 (metric)" } },
      { output: { value: "Rome: 20 (metric) for ann" } },
    ]);
    expect(log).toEqual(["before reset {}", "ran reset", "after reset reset"]);
  });

  test("one request may bring them: as its input, and as an option", async () => {
    const script = [callTool(ArrowWeather, { city: "Oslo" }), replyWith("sunny")];
    await using app = await createApp(Bare, { models: { default: scriptedModel(...script, ...script) }, providers });
    const asked = await app.agent(Bare).run({ prompt: "Weather?", tools: [ArrowWeather] });
    expect(asked).toMatchObject({ status: "completed", output: "sunny", usage: { toolCalls: 1 } });
    const optional = await app.run({ prompt: "Weather?" }, { tools: [ArrowWeather] });
    expect(optional).toMatchObject({ status: "completed", usage: { toolCalls: 1 } });
  });

  test("app.tool calls one by hand, with what the app provides", async () => {
    await using app = await createApp(Bare, { models: { default: scriptedModel() }, providers });
    expect(await app.tool(ArrowWeather).invoke({ city: "Oslo" })).toEqual({ kind: "ok", value: "Oslo: 20 (metric)" });
    const log: string[] = [];
    expect(await app.tool(Reset).invoke({}, { executionContext: { log } })).toMatchObject({
      code: "denied",
      message: expect.stringContaining("Who are you?"),
    });
    expect(log).toEqual(["before reset {}", expect.stringMatching(/^after reset .*Who are you/)]);
  });

  test("describe shows them as it shows any other", async () => {
    const home = defineWorkflow({ name: "home", agents: [Clerk], providers });
    await using app = await createApp(home, { models: { default: scriptedModel() } });
    expect(app.describe().agents[0]!.tools).toMatchObject([
      { name: "get_weather", access: "read", deps: ["STATIONS"], inputSchema: schema },
      { name: "look_up_weather", deps: ["STATIONS"] },
      { name: "reset", access: "write", inDoubt: "ask", deps: [] },
    ]);
  });
});

testWith(Bare)(
  "a test calls them by their classes, and mocks what they depend on",
  async ({ app, mockLlm, mockOf, events }) => {
    mockOf(STATIONS).reading.mockReturnValue("mocked");
    mockLlm(Bare).thenReturn(callTool(ArrowWeather, { city: "Oslo" }), replyWith("done"));
    await app.run({ prompt: "go", tools: [ArrowWeather] });
    expect(events).toHaveCalled(ArrowWeather, { city: "Oslo" });
    expect(mockOf(STATIONS).reading).toHaveBeenCalledWith("Oslo", "metric");
  },
);

test("policy of the decorator holds: approval, timeout, output, exclusive", async () => {
  @decorator.tool({
    access: "write",
    approval: (input) => input.n > 1 && "More than one?",
    timeoutMs: 50,
    output: Assert({ n: "number" }),
  })
  class Policy implements ITool<{ n: number }, Promise<{ n: number }>> {
    getName = (): string => "policy";
    getDescription = (): string => "Has a policy.";
    getInputSchema = () => Assert({ n: "number" });
    handler = async ({ n }: { n: number }): Promise<{ n: number }> =>
      n < 0 ? new Promise<never>(() => {}) : n === 0 ? ({ n: "0" } as never) : { n };
  }
  const tool = toolOf(new Policy());
  expect(await tool.invoke({ n: 1 })).toEqual({ kind: "ok", value: { n: 1 } });
  expect(await tool.invoke({ n: 2 })).toMatchObject({ code: "approval_required" });
  expect(await tool.invoke({ n: 2 }, { approvedBy: "ann" })).toMatchObject({ kind: "ok" });
  expect(await tool.invoke({ n: 0 })).toMatchObject({ code: "invalid_output" });
  expect(await tool.invoke({ n: -1 })).toMatchObject({ code: "unknown_outcome" });
});

test("reconcile says what became of a call, with `this`", async () => {
  class Sent {
    readonly ids = new Set<string>();
  }
  @decorator.tool({ access: "write", deps: [Sent], timeoutMs: 20 })
  class Send implements ITool<Record<string, never>, Promise<string>> {
    constructor(private readonly sent: Sent) {}
    getName = (): string => "send";
    getDescription = (): string => "Sends.";
    handler = async (_param: Record<string, never>, ctx: { readonly callId: string }): Promise<string> => {
      this.sent.ids.add(ctx.callId);
      return new Promise<never>(() => {});
    };
    reconcile(callId: string): { outcome: "done"; value: string } | { outcome: "not-done" } {
      return this.sent.ids.has(callId) ? { outcome: "done", value: "sent once" } : { outcome: "not-done" };
    }
  }
  const model = scriptedModel(callTool(Send), replyWith("done"));
  await using app = await createApp(Bare, { models: { default: model }, providers: [Sent] });
  expect(await app.run({ prompt: "go", tools: [Send] })).toMatchObject({ status: "completed" });
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain("sent once");
});

test("a call that waits for a person goes on in another app on the same file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-itool-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ran: string[] = [];
  @decorator.tool({ access: "write", approval: true, deps: [STATIONS] })
  class Order implements ITool<{ city: string }, string> {
    constructor(private readonly source: typeof stations) {}
    getName = (): string => "order";
    getDescription = (): string => "Orders.";
    getInputSchema = () => Assert({ city: "string" });
    handler = ({ city }: { city: string }): string => {
      ran.push(city);
      return this.source.reading(city, "metric");
    };
  }
  const agent = defineAgent({ name: "orders", description: "Orders.", tools: [Order] });
  const open = (...steps: readonly ModelStep[]) =>
    createApp(agent, {
      models: { default: scriptedModel(...steps) },
      providers,
      store: sqliteStore(join(folder, "runs.db")),
    });
  const first = await open(callTool(Order, { city: "Oslo" }));
  const { status, runId, pauses } = await first.run({ prompt: "go" });
  expect(status).toBe("paused");
  await first.close();
  expect(ran).toEqual([]);
  await using second = await open(replyWith("ordered"));
  const edit = { approved: true, edit: { city: "Rome" }, by: "ann" } as const;
  expect(await second.resume(runId, { [pauses[0]!.id]: edit })).toMatchObject({ status: "completed", text: "ordered" });
  expect(ran).toEqual(["Rome"]);
});

describe("scope", () => {
  class Ticket {}
  const made: object[] = [];
  const counted = (
    scope: "run" | "singleton" | undefined,
    deps: readonly [] | readonly [typeof Ticket] = [],
  ): ToolEntry => {
    @decorator.tool({ scope, deps } as object)
    class Counted implements ITool<Record<string, never>, number> {
      getName(): string {
        return "counted";
      }
      getDescription(): string {
        return "Counts.";
      }
      onBeforeCall: OnBeforeCall = () => this.mark();
      mark(): void {
        if (!made.includes(this)) made.push(this);
      }
      handler(): number {
        this.mark();
        return made.length;
      }
    }
    return Counted;
  };
  const twice = async (tool: ToolEntry): Promise<number> => {
    made.length = 0;
    const run = [
      callTools([
        [tool, {}],
        [tool, {}],
      ] as never),
      replyWith("done"),
    ];
    await using app = await createApp(Bare, {
      models: { default: scriptedModel(...run, ...run) },
      providers: [{ provide: Ticket, useClass: Ticket, scope: "run" }],
    });
    await app.run({ prompt: "go", tools: [tool] });
    await app.run({ prompt: "go", tools: [tool] });
    return made.length;
  };
  test("default: one object for the app, or one for each run where a dependency is of a run", async () => {
    expect(await twice(counted(undefined))).toBe(1);
    expect(await twice(counted(undefined, [Ticket]))).toBe(2);
  });
  test("`run`: one for each run", async () => {
    expect(await twice(counted("run"))).toBe(2);
  });
  test("`singleton`: one for the app, and nothing of a run may be given to it", async () => {
    expect(await twice(counted("singleton"))).toBe(1);
    await expect(twice(counted("singleton", [Ticket]))).rejects.toThrow(
      /tool counted: it has `scope: "singleton"` and would keep Ticket of one run: tool counted -> Ticket/,
    );
  });
});
