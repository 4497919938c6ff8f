import { expect, test } from "vitest";
import { createAppWith } from "../../src/app/create-app.js";
import { priced } from "../../src/doors/models/index.js";
import {
  defineAgent,
  defineTool,
  defineWorkflow,
  memoryStore,
  usd,
  type AgentOptions,
  type App,
  type Limits,
  type Store,
} from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel, testClock, type TestClock } from "../../src/doors/testing/index.js";

/** The first call never answers, so what it reserved stays reserved. */
function hangingFirst() {
  let made = 0;
  return {
    specificationVersion: "v4" as const,
    provider: "test",
    modelId: "m1",
    get made() {
      return made;
    },
    doGenerate: () => {
      made++;
      return new Promise(() => {});
    },
    doStream: () => Promise.reject(new Error("Nobody listens.")),
  };
}

/** Two bounds of a call do not fit at once. */
const perDay = { workflow: { cost: usd(0.0015) } };

function appOf(
  clock: TestClock,
  model: object,
  limits: Limits,
  agent: Partial<AgentOptions> = {},
  store: Store = memoryStore(),
): Promise<App> {
  const clerk = defineAgent({
    name: "clerk",
    description: "Works.",
    model: priced(model as never, { input: usd(1), output: usd(10) }),
    maxOutputTokens: 100,
    ...agent,
  });
  const desk = defineWorkflow({ name: "desk", agents: [clerk], limits });
  return createAppWith(desk, { store, env: {} }, { clock });
}

const cases: readonly (readonly [what: string, limits: Partial<Limits>, agent: Partial<AgentOptions>, ms: number])[] = [
  ["a minute by default", {}, {}, 60_000],
  ["as long as `reserveWaitMs` says", { reserveWaitMs: 5_000 }, {}, 5_000],
  ["no longer than the call's own deadline", {}, { modelCall: { timeoutMs: 2_000, deadlineMs: 2_000 } }, 2_000],
  ["not at all", { reserveWaitMs: 0 }, {}, 0],
];

test.each(cases)("a call waits for what others have reserved: %s", async (_what, limits, agent, ms) => {
  const clock = testClock();
  const model = hangingFirst();
  const store = memoryStore();
  const holder = await appOf(clock, model, { perDay }, {}, store);
  const app = await appOf(clock, model, { perDay, ...limits }, agent, store);
  const stop = new AbortController();
  const first = holder.run({ prompt: "go" }, { signal: stop.signal });
  let ended = false;
  const second = app.run({ prompt: "go" }).finally(() => (ended = true));
  if (ms > 0) {
    await clock.advance(ms - 1);
    expect(ended).toBe(false);
  }
  // It is looked at every now and then.
  await clock.advance(400);
  const result = await second;
  expect(result).toMatchObject({
    status: "failed",
    stopReason: "budget",
    error: { code: "limit_exceeded", data: { limit: "limits.perDay.workflow.cost", max: 0.0015 } },
    usage: { modelCalls: 0 },
  });
  expect(result.error!.message).toContain(`waited ${ms} ms for what other calls have reserved`);
  expect(result.error!.message).toContain("limits.reserveWaitMs");
  expect(model.made).toBe(1);
  stop.abort();
  await first;
  await Promise.all([holder.close(), app.close()]);
});

test("a run whose time is over while its call waits leaves nothing reserved", async () => {
  const clock = testClock();
  const model = hangingFirst();
  const store = memoryStore();
  const holder = await appOf(clock, model, { perDay }, {}, store);
  const app = await appOf(clock, model, { perDay, perRun: { wallTimeMs: 4_000 } }, {}, store);
  const stop = new AbortController();
  const first = holder.run({ prompt: "go" }, { signal: stop.signal });
  const second = app.run({ prompt: "go" });
  await clock.advance(4_000);
  expect(await second).toMatchObject({
    status: "failed",
    stopReason: "limit",
    error: { data: { limit: "limits.perRun.wallTimeMs" } },
    usage: { modelCalls: 0 },
  });
  stop.abort();
  await first;
  await clock.advance(1_000);
  expect(store.ledger.entries({})).toMatchObject([{ state: "settled" }]);
  await Promise.all([holder.close(), app.close()]);
});

test("a tool with `maxCost` waits as long, and its model reads that it was not started", async () => {
  const clock = testClock();
  let ran = 0;
  const never = new Promise<string>(() => {});
  const buy = defineTool({
    name: "buy",
    description: "Buys.",
    maxCost: usd(0.6),
    timeoutMs: 1_000_000,
    run: () => (ran++ === 0 ? never : "bought"),
  });
  const limits: Limits = { perDay: { workflow: { cost: usd(1) } }, reserveWaitMs: 3_000 };
  const model = scriptedModel(callTool(buy, {}), callTool(buy, {}), replyWith("done"));
  const app = await appOf(clock, model, limits, { tools: [buy] });
  const stop = new AbortController();
  const first = app.run({ prompt: "go" }, { signal: stop.signal });
  const second = app.run({ prompt: "go" });
  await clock.advance(3_400);
  expect((await second).text).toBe("done");
  expect(ran).toBe(1);
  expect(JSON.stringify(model.requests.at(-1))).toContain(
    "buy was not started: the call waited 3000 ms for what other calls have reserved. Call it again later, or go on without it",
  );
  stop.abort();
  await first;
  await app.close();
});
