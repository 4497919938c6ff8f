import { expect, test } from "vitest";
import { priced } from "../../src/doors/models/index.js";
import {
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  memoryStore,
  usd,
  type AgentOptions,
  type Limits,
  type ToolEntry,
} from "../../src/doors/tenon/index.js";

const prices = { input: usd(1), output: usd(10) };
/** What a call costs that uses 100 tokens of input and 50 of output. */
const CALL = 600_000;
const nano = (amount: number) => usd(amount / 1e9);

interface Turn {
  readonly call?: string;
  readonly output?: number;
  readonly wait?: Promise<unknown>;
}

/** Answers turn by turn, over all runs; after the last one with a text. */
function modelOf(...turns: readonly Turn[]) {
  let made = 0;
  const model = {
    specificationVersion: "v4" as const,
    provider: "test",
    modelId: "m1",
    get made() {
      return made;
    },
    async doGenerate() {
      const turn = turns[made++] ?? {};
      await turn.wait;
      const call = turn.call && { type: "tool-call", toolCallId: "", toolName: turn.call, input: "{}" };
      return {
        content: [call ?? { type: "text", text: "done" }],
        finishReason: { unified: call === undefined ? "stop" : "tool-calls" },
        usage: { inputTokens: { total: 100 }, outputTokens: { total: turn.output ?? 50 } },
      };
    },
    doStream: () => Promise.reject(new Error("Nobody listens.")),
  };
  return model;
}

interface Setup extends Partial<AgentOptions> {
  readonly store?: ReturnType<typeof memoryStore>;
  readonly budget?: Limits;
  readonly tools?: readonly ToolEntry[];
  readonly ledger?: boolean;
}

function appOf(model: object, { store = memoryStore(), budget, ledger, ...agent }: Setup) {
  const clerk = defineAgent({
    name: "clerk",
    description: "Works.",
    model: priced(model as never, prices),
    maxOutputTokens: 60,
    ...agent,
  });
  const desk = defineWorkflow({ name: "desk", agents: [clerk], ...(budget === undefined ? {} : { limits: budget }) });
  return createApp(desk, { store, env: {}, ...(ledger === undefined ? {} : { ledger }) });
}

test("a call that fits what is spent waits for what others have reserved, and is made once it fits", async () => {
  const first = Promise.withResolvers<void>();
  const model = modelOf({ wait: first.promise });
  // Two bounds do not fit at once, two costs do.
  const budget: Limits = { perDay: { workflow: { cost: nano(1_700_000) } } };
  await using app = await appOf(model, { maxOutputTokens: 100, budget });
  const runs = [1, 2, 3].map(() => app.run({ prompt: "go" }));
  await expect.poll(() => model.made).toBe(1);
  first.resolve();
  const results = await Promise.all(runs);
  expect(results.map(({ status }) => status).sort()).toEqual(["completed", "completed", "failed"]);
  expect(results.find(({ status }) => status === "failed")).toMatchObject({
    stopReason: "budget",
    error: { code: "limit_exceeded", data: { limit: "limits.perDay.workflow.cost", max: 0.0017 } },
    usage: { modelCalls: 0 },
  });
  expect(model.made).toBe(2);
});

test("each limit has its name, and stops before the call", async () => {
  const cases: readonly (readonly [Setup, string])[] = [
    [{ budget: { perRun: { cost: nano(1000) } } }, "limits.perRun.cost"],
    [{ budget: { perRun: { tokens: 60 } } }, "limits.perRun.tokens"],
    [{ budget: { perRun: { modelCalls: 0 } } }, "limits.perRun.modelCalls"],
    [{ budget: { perDay: { workflow: { tokens: 10 } } } }, "limits.perDay.workflow.tokens"],
    [{ budget: { perDay: { owner: { modelCalls: 0 } } } }, "limits.perDay.owner.modelCalls"],
    [{ limits: { cost: nano(1000) } }, "agents.clerk.limits.cost"],
  ];
  for (const [setup, limit] of cases) {
    const model = modelOf();
    await using app = await appOf(model, setup);
    const result = await app.run({ prompt: "go" }, { owner: "ann" });
    expect(result).toMatchObject({ status: "failed", stopReason: "budget", error: { data: { limit } } });
    expect(model.made, limit).toBe(0);
  }
});

test("a run's tool calls: a turn that goes over them runs none of its calls, and nothing else is kept", async () => {
  const store = memoryStore();
  let ran = 0;
  const look = defineTool({ name: "look", description: "Looks.", run: () => `seen ${++ran}` });
  const model = modelOf({ call: "look" }, { call: "look" });
  await using app = await appOf(model, { store, tools: [look], budget: { perRun: { toolCalls: 1 } } });
  expect(await app.run({ prompt: "go" })).toMatchObject({
    status: "failed",
    stopReason: "limit",
    error: { code: "limit_exceeded", data: { limit: "limits.perRun.toolCalls", max: 1 } },
  });
  expect(ran).toBe(1);
  expect(store.ledger.entries({})).toEqual([]);
  expect(app.describe().limits.budgets).toEqual({ "limits.perRun.toolCalls": 1 });
});

test("a day's limit of owners holds for each of them, also over runs and apps on one store", async () => {
  const store = memoryStore();
  const budget: Limits = { perDay: { owner: { modelCalls: 2 } } };
  for (const owner of ["ann", "ann", "bob"]) {
    await using app = await appOf(modelOf(), { store, budget });
    expect((await app.run({ prompt: "go" }, { owner })).status).toBe("completed");
  }
  await using app = await appOf(modelOf(), { store, budget });
  expect((await app.run({ prompt: "go" }, { owner: "ann" })).error?.message).toContain("2 model calls were made");
  expect((await app.run({ prompt: "go" }, { owner: "bob" })).status).toBe("completed");
  expect((await app.run({ prompt: "go" })).status).toBe("completed");
});

test("what costs more than was reserved is booked in full, flagged, and stops the next call", async () => {
  const store = memoryStore();
  const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
  const model = modelOf({ call: "look", output: 5000 });
  await using app = await appOf(model, { store, tools: [look], budget: { perRun: { cost: usd(0.01) } } });
  const result = await app.run({ prompt: "go" });
  expect(result).toMatchObject({ stopReason: "budget", usage: { costUsd: 0.0501, modelCalls: 1 } });
  expect(store.ledger.entries({})).toMatchObject([
    { costNanoUsd: 50_100_000, overrun: true, costSource: "price-table" },
  ]);
  expect(model.made).toBe(1);
});

test("a run that is canceled while its call waits makes no call and leaves nothing reserved", async () => {
  const store = memoryStore();
  const first = Promise.withResolvers<void>();
  const model = modelOf({ wait: first.promise });
  await using app = await appOf(model, { store, budget: { perDay: { workflow: { cost: nano(CALL * 2) } } } });
  const held = app.run({ prompt: "go" });
  const waiting = app.run({ prompt: "go" }, { runId: "waiting-run" });
  await expect.poll(() => model.made).toBe(1);
  expect(await app.cancel("waiting-run")).toMatchObject({ status: "cancelled", usage: { modelCalls: 0 } });
  expect((await waiting).status).toBe("cancelled");
  first.resolve();
  expect((await held).status).toBe("completed");
  expect(store.ledger.entries({})).toMatchObject([{ state: "settled", costNanoUsd: CALL }]);
});

test("a call that was under way when its process let go is booked as an estimate, and the next one as another attempt", async () => {
  const store = memoryStore();
  const budget: Limits = { perRun: { cost: usd(1) } };
  const hanging = modelOf({ wait: new Promise(() => {}) });
  const left = await appOf(hanging, { store, budget });
  const run = left.run({ prompt: "go" }, { runId: "left-open" });
  await expect.poll(() => hanging.made).toBe(1);
  await Promise.allSettled([left.close({ graceMs: 0 }), run]);
  await using app = await appOf(modelOf(), { store, budget });
  expect(await app.recover()).toMatchObject({ continued: [{ status: "completed" }] });
  expect(store.ledger.entries({})).toMatchObject([
    { attempt: 1, state: "settled", costSource: "estimate", estimated: true },
    { attempt: 2, state: "settled", costNanoUsd: CALL, estimated: false },
  ]);
});

test("what tools report is booked by call id, counts under the budget, and is not booked again by a replay", async () => {
  const store = memoryStore();
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    run: (_input, ctx) => {
      ctx.reportCost(0.001);
      ctx.reportCost(0.002);
      return "paid";
    },
  });
  await using app = await appOf(modelOf({ call: "pay" }), {
    store,
    tools: [pay],
    budget: { perRun: { cost: usd(0.003) } },
  });
  const result = await app.run({ prompt: "go" }, { runId: "pays-once" });
  expect(result.error).toMatchObject({ data: { limit: "limits.perRun.cost" } });
  expect(store.ledger.entries({ kind: "tool" })).toMatchObject([
    { name: "pay", key: "call:call_pays-once_1_1", attempt: 1, costNanoUsd: 1_000_000, costSource: "api" },
    { name: "pay", key: "call:call_pays-once_1_1", attempt: 2, costNanoUsd: 2_000_000, costSource: "api" },
  ]);
});

test("what a tool reports is booked as it comes: also what its handler reports after its call has a result", async () => {
  const store = memoryStore();
  const late = Promise.withResolvers<void>();
  const reported: number[] = [];
  const slow = defineTool({
    name: "slow",
    description: "Takes too long.",
    timeoutMs: 5,
    run: async (_input, ctx) => {
      ctx.reportCost(0.001);
      reported.push(store.ledger.entries({ kind: "tool" }).length);
      await late.promise;
      ctx.reportCost(0.002);
      return "late";
    },
  });
  await using app = await appOf(modelOf({ call: "slow" }), { store, tools: [slow], ledger: true });
  const result = await app.run({ prompt: "go" });
  expect(result.usage.toolCostUsd).toBe(0.001);
  expect(reported).toEqual([1]);
  late.resolve();
  await expect.poll(() => store.ledger.entries({ kind: "tool" }).length).toBe(2);
  const costs = store.ledger.entries({ kind: "tool" }).map(({ costNanoUsd }) => costNanoUsd);
  expect(costs).toEqual([1_000_000, 2_000_000]);
});

test("a tool's `maxCost` is reserved: a call that does not fit is not started, and the model is told", async () => {
  const store = memoryStore();
  let ran = 0;
  const buy = defineTool({
    name: "buy",
    description: "Buys.",
    maxCost: usd(0.6),
    run: (_input, ctx) => {
      ran++;
      ctx.reportCost(0.5);
      return "bought";
    },
  });
  const model = modelOf({ call: "buy" }, { call: "buy" });
  await using app = await appOf(model, { store, tools: [buy], budget: { perRun: { cost: usd(1) } } });
  const result = await app.run({ prompt: "go" }, { runId: "buys-once" });
  expect(result).toMatchObject({ status: "completed", usage: { toolCostUsd: 0.5, modelCalls: 3 } });
  expect(ran).toBe(1);
  const { turns } = await app.inspect("buys-once");
  expect(turns[1]!.calls[0]!.result).toMatchObject({ kind: "error", code: "limit" });
  expect(store.ledger.entries({ kind: "tool" })).toMatchObject([{ costNanoUsd: 500_000_000, overrun: false }]);
});

test("a tool with `maxCost` of which nothing is known is booked in full", async () => {
  const store = memoryStore();
  const buy = defineTool({
    name: "buy",
    description: "Buys.",
    maxCost: usd(0.2),
    timeoutMs: 5,
    run: () => new Promise<string>(() => {}),
  });
  await using app = await appOf(modelOf({ call: "buy" }), {
    store,
    tools: [buy],
    budget: { perRun: { cost: usd(1) } },
  });
  await app.run({ prompt: "go" });
  expect(store.ledger.entries({ kind: "tool" })).toMatchObject([
    { costNanoUsd: 200_000_000, costSource: "estimate", estimated: true },
  ]);
});

test("without a limit nothing is reserved or booked, unless the app asks for it", async () => {
  for (const ledger of [undefined, true]) {
    const store = memoryStore();
    await using app = await appOf(modelOf(), { store, ...(ledger === undefined ? {} : { ledger }) });
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
    expect(store.ledger.entries({})).toHaveLength(ledger === true ? 1 : 0);
  }
});

test("strict: every agent bounds its answers, and a token a byte is reserved", async () => {
  const budget: Limits = { reserve: "strict", perRun: { tokens: 400 } };
  await expect(appOf(modelOf(), { budget, maxOutputTokens: undefined })).rejects.toThrow(/maxOutputTokens is needed/);
  const store = memoryStore();
  const model = modelOf();
  const prompt = "é".repeat(150);
  await using usual = await appOf(model, { store, budget: { perRun: { tokens: 400 } } });
  expect((await usual.run({ prompt })).status).toBe("completed");
  await using strict = await appOf(model, { store, budget });
  expect((await strict.run({ prompt })).error).toMatchObject({ data: { limit: "limits.perRun.tokens" } });
});

test("bad limits are told at once", async () => {
  const bad: readonly (readonly [Setup, RegExp])[] = [
    [{ budget: { perDay: { cost: usd(1) } } as never }, /perDay: unknown option `cost`/],
    [{ budget: { perDay: { owner: { cost: 5 } } } as never }, /owner: cost must be an amount of money, not 5/],
    [{ budget: { perRun: { tokens: 1.5 } } }, /tokens must be a whole number/],
    [{ budget: { reserve: "loose" } as never }, /reserve must be "usual" or "strict"/],
    [{ limits: { costs: 1 } as never }, /limits: unknown option `costs`; did you mean `cost`/],
    [{ ledger: 1 as never }, /ledger must be true or false/],
    [{ tools: [defineTool({ name: "a", description: "b", maxCost: 1 as never, run: () => 1 })] }, /maxCost.*usd\(1\)/],
  ];
  for (const [setup, fault] of bad) await expect(appOf(modelOf(), setup)).rejects.toThrow(fault);
});

test("amounts in messages have no exponents", async () => {
  await using app = await appOf(modelOf(), { budget: { perRun: { cost: nano(100) } } });
  const { error } = await app.run({ prompt: "go" });
  expect(error!.message).toMatch(
    /\$0 was spent, and the next call may take \$0\.000\d+ of the \$0\.0000001 that is left/,
  );
});

test("no limit takes a value that is none, wherever it stands", async () => {
  const places: readonly (readonly [string, (limits: object) => Setup])[] = [
    ["perRun", (perRun) => ({ budget: { perRun } })],
    ["workflow", (workflow) => ({ budget: { perDay: { workflow } } })],
    ["owner", (owner) => ({ budget: { perDay: { owner } } })],
    ["limits", (limits) => ({ limits })],
  ];
  const bad = [-1, 0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, "5", "", null, true, {}, [], 5n, usd(1)];
  for (const [place, setup] of places) {
    for (const name of ["tokens", "modelCalls", "toolCalls"])
      for (const value of bad)
        await expect(appOf(modelOf(), setup({ [name]: value }))).rejects.toThrow(
          new RegExp(`${place}: ${name} must be a whole number from 0, not `),
        );
    for (const cost of [-1, 0, 5, "5", null, true, {}, { nanoUsd: -1 }, { nanoUsd: Number.NaN }, { nanoUsd: 0.5 }])
      await expect(appOf(modelOf(), setup({ cost }))).rejects.toThrow(/cost must be an amount of money, not /);
    const timed = place === "perRun" || place === "limits";
    for (const value of [...bad, 0, 2 ** 31])
      await expect(appOf(modelOf(), setup({ wallTimeMs: value }))).rejects.toThrow(
        timed
          ? /wallTimeMs must be a whole number of milliseconds from 1 to 2147483647, not /
          : /wallTimeMs is of one run.*limits\.perRun\.wallTimeMs/,
      );
  }
  for (const value of [...bad, 2 ** 31])
    await expect(appOf(modelOf(), { budget: { reserveWaitMs: value as number } })).rejects.toThrow(
      /reserveWaitMs must be a whole number of milliseconds from 0 to 2147483647, not /,
    );
  for (const value of ["never", 1, null, true])
    await expect(appOf(modelOf(), { budget: { atLimit: value } as never })).rejects.toThrow(
      /atLimit must be "stop" or/,
    );
  for (const amount of [-1, Number.NaN, Infinity, "1" as never]) expect(() => usd(amount)).toThrow();
});
