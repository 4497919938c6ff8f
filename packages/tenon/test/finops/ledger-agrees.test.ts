import { expect, test } from "vitest";
import { priced } from "../../src/doors/models/index.js";
import { createApp, defineAgent, defineTool, defineWorkflow, memoryStore, usd } from "../../src/doors/tenon/index.js";
import { callTools, failWith, rawTurn, replyWith, scriptedModel } from "../../src/doors/testing/index.js";

test("the ledger says of a run what its usage says: attempts that failed, fallbacks, estimates, tools and what was stopped", async () => {
  const store = memoryStore();
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    maxCost: usd(0.4),
    access: "write",
    inDoubt: "rerun",
    run: (_input, ctx) => (ctx.reportCost(0.3), "paid"),
  });
  const free = defineTool({ name: "free", description: "Costs nothing.", run: () => "seen" });
  const tip = defineTool({ name: "tip", description: "Pays.", run: (_input, ctx) => (ctx.reportCost(0.05), "paid") });
  const first = scriptedModel(
    failWith(new Error("busy"), { status: 503, retryAfterMs: 1 }),
    callTools([
      [pay, {}],
      [free, {}],
      [tip, {}],
    ]),
    failWith(new Error("busy"), { status: 500, retryAfterMs: 1 }),
    failWith(new Error("busy"), { status: 500, retryAfterMs: 1 }),
    failWith(new Error("busy"), { status: 500, retryAfterMs: 1 }),
  );
  const second = scriptedModel(
    rawTurn({ text: "done", usage: null }),
    rawTurn({ text: "told", usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.01 } }),
  );
  const prices = { input: usd(1), output: usd(10) };
  const clerk = defineAgent({
    name: "clerk",
    description: "Works.",
    model: [priced(first, prices), priced(second, prices)],
    tools: [pay, free, tip],
    modelCall: { retries: 2 },
  });
  const desk = defineWorkflow({ name: "desk", agents: [clerk], limits: { perRun: { cost: usd(5) } } });
  await using app = await createApp(desk, { store, env: {} });
  const { usage, status } = await app.run({ prompt: "go" }, { runId: "agrees-run" });
  expect(status).toBe("completed");
  expect(usage).toMatchObject({ modelCalls: 2, toolCalls: 3, toolCostUsd: 0.35 });
  const [sum] = await app.ledger.sums([], { runId: "agrees-run" });
  expect(sum).toMatchObject({
    costUsd: usage.costUsd,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    reservedUsd: 0,
  });
  const models = await app.ledger.entries({ runId: "agrees-run" });
  expect(models.filter(({ kind }) => kind === "model").length).toBe(usage.calls.length);
  expect(usage.calls.map(({ costSource }) => costSource)).toEqual(
    models.filter(({ kind }) => kind === "model").map(({ costSource }) => costSource),
  );
  expect(models.every(({ state }) => state === "settled")).toBe(true);
  // Asked again with the same id, it is followed: nothing is booked a second time.
  await app.run({ prompt: "go" }, { runId: "agrees-run" });
  expect(await app.ledger.entries({ runId: "agrees-run" })).toEqual(models);
});

test("what a handler reports after its call was booked in full is in what was booked", async () => {
  const store = memoryStore();
  const late = Promise.withResolvers<void>();
  const buy = defineTool({
    name: "buy",
    description: "Buys.",
    maxCost: usd(0.2),
    timeoutMs: 5,
    run: async (_input, ctx) => {
      await late.promise;
      ctx.reportCost(0.15);
      ctx.reportCost(0.15);
      return "late";
    },
  });
  const clerk = defineAgent({
    name: "clerk",
    description: "Works.",
    model: priced(scriptedModel(callTools([[buy, {}]]), replyWith("done")), { input: usd(1), output: usd(10) }),
    tools: [buy],
  });
  const desk = defineWorkflow({ name: "desk", agents: [clerk], limits: { perRun: { cost: usd(1) } } });
  await using app = await createApp(desk, { store, env: {} });
  await app.run({ prompt: "go" });
  const costs = () => store.ledger.entries({ kind: "tool" }).map(({ costNanoUsd }) => costNanoUsd / 1e9);
  expect(costs()).toEqual([0.2]);
  late.resolve();
  await expect.poll(() => costs().length).toBe(2);
  // More than the bound is booked beside it.
  expect(costs()).toEqual([0.2, 0.1]);
});
