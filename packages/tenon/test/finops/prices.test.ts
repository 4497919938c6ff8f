import { expect, test } from "vitest";
import { MissingPeerError } from "../../src/errors/environment-errors.js";
import { priceOf } from "../../src/finops/model-price.js";
import { createApp, defineAgent, defineWorkflow, usd } from "../../src/doors/tenon/index.js";
import { free, genaiPrices, priced } from "../../src/doors/models/index.js";
import { failWith, rawTurn, replyWith, scriptedModel, type StepUsage } from "../../src/doors/testing/index.js";

const prices = { input: usd(3), output: usd(15), cachedInput: usd(0.3), cacheWrite: usd(3.75) };
const tokens = { inputTokens: 1000, outputTokens: 100, cachedInputTokens: 400, cacheWriteTokens: 100 };

test("a price is exact, and rounded up once", () => {
  expect(priceOf(prices).costOf(tokens)).toBe(500 * 3000 + 400 * 300 + 100 * 3750 + 100 * 15000);
  const odd = priceOf({ input: usd(0.0375), output: usd(0) });
  const plain = { inputTokens: 1, outputTokens: 9, cachedInputTokens: 0, cacheWriteTokens: 0 };
  expect(odd.costOf(plain)).toBe(38);
  expect(odd.costOf({ ...plain, inputTokens: 2 })).toBe(75);
  expect(odd.costOf({ ...plain, inputTokens: 2, cachedInputTokens: 1, cacheWriteTokens: 1 })).toBe(75);
  expect(priceOf(prices).boundOf(1000, 100)).toBe(1000 * 3750 + 100 * 15000);
});

const agent = (model: Parameters<typeof priced>[0]) => defineAgent({ name: "desk", description: "Answers.", model });

async function run(model: Parameters<typeof priced>[0], options: Parameters<typeof createApp>[1] = {}) {
  await using app = await createApp(agent(model), { env: {}, ...options });
  return app.run({ prompt: "go" });
}
const answer = (usage: StepUsage | null) => scriptedModel(rawTurn({ text: "done", usage }));
const used: StepUsage = { inputTokens: 1000, outputTokens: 100, cachedInputTokens: 400 };
const cost = (600 * 3000 + 400 * 300 + 100 * 15000) / 1e9;

test("a model's own prices make the cost of its calls", async () => {
  const result = await run(priced(answer(used), prices));
  expect(result.usage).toMatchObject({ costUsd: cost, calls: [{ costSource: "price-table", estimated: false }] });
});

test("[B103] cached tokens are billed as such, streamed or whole", async () => {
  const model = priced(scriptedModel(rawTurn({ text: "a", usage: used }), rawTurn({ text: "a", usage: used })), prices);
  await using app = await createApp(agent(model), { env: {} });
  const whole = await app.run({ prompt: "go" });
  const streamed = await app.stream({ prompt: "go" }).result;
  expect(streamed.usage).toEqual(whole.usage);
  expect(whole.usage.costUsd).toBe(cost);
});

test("[B105] the cost of a call without usage is an estimate, and flagged", async () => {
  const { usage } = await run(priced(answer(null), prices));
  expect(usage.calls).toMatchObject([{ costSource: "estimate", estimated: true }]);
  expect(usage.costUsd).toBeGreaterThan(0);
});

test("a call that failed costs what was sent, as an estimate", async () => {
  const result = await run(priced(scriptedModel(failWith(new Error("overloaded"))), prices));
  expect(result.status).toBe("failed");
  expect(result.usage.calls).toMatchObject([{ costSource: "estimate", estimated: true }]);
  expect(result.usage.costUsd).toBeGreaterThan(0);
});

test("what the provider reports wins, then the model's own prices, then the app's in their order", async () => {
  const reported = await run(priced(answer({ ...used, costUsd: 0.5 }), prices));
  expect(reported.usage).toMatchObject({ costUsd: 0.5, calls: [{ costSource: "api" }] });
  const bare = (model: ReturnType<typeof scriptedModel>) => {
    const declared = priced(model, prices);
    return {
      specificationVersion: "v4" as const,
      provider: "mine",
      modelId: "m1",
      doGenerate: (options: any) => declared.doGenerate(options),
      doStream: (options: any) => declared.doStream(options),
    };
  };
  expect((await run(bare(answer(used)))).usage).toMatchObject({
    costUsd: undefined,
    calls: [{ costSource: "unknown" }],
  });
  const one = { m1: { input: usd(1), output: usd(0) } };
  expect((await run(bare(answer(used)), { prices: one })).usage.costUsd).toBe(0.001);
  expect((await run(bare(answer(used)), { prices: [{ other: prices }, one, { m1: prices }] })).usage.costUsd).toBe(
    0.001,
  );
  expect((await run(priced(bare(answer(used)), prices), { prices: one })).usage.costUsd).toBe(cost);
  expect((await run(free(bare(answer(used))), { prices: one })).usage).toMatchObject({ costUsd: 0 });
});

test("under a money limit a model without a price is refused before the call, with what to declare", async () => {
  const scripted = priced(scriptedModel(replyWith("x")), prices);
  let asked = 0;
  const model = {
    specificationVersion: "v4" as const,
    provider: "mine",
    modelId: "m1",
    doGenerate: (options: any) => (asked++, scripted.doGenerate(options)),
    doStream: (options: any) => (asked++, scripted.doStream(options)),
  };
  const desk = defineWorkflow({ name: "desk", agents: [agent(model)], limits: { perRun: { cost: usd(1) } } });
  await using app = await createApp(desk, { env: {} });
  const refused = await app.run({ prompt: "go" });
  expect(refused).toMatchObject({ status: "failed", stopReason: "budget", error: { code: "cost_unknown" } });
  for (const way of ["priced(", "prices", "free("]) expect(refused.error!.message).toContain(way);
  expect(asked).toBe(0);
  await using told = await createApp(desk, { env: {}, prices: { m1: prices } });
  expect((await told.run({ prompt: "go" })).status).toBe("completed");
});

test("a fallback without a price is refused at the same place, by its name, before any model is called", async () => {
  let asked = 0;
  const counted = (modelId: string) => {
    const scripted = scriptedModel();
    const doGenerate = (options: any) => (asked++, scripted.doGenerate(options));
    return { specificationVersion: "v4" as const, provider: "mine", modelId, doGenerate, doStream: doGenerate };
  };
  const first = priced(counted("first"), prices);
  const limited = (model: never, reserve?: "strict") =>
    defineWorkflow({
      name: "desk",
      agents: [defineAgent({ name: "desk", description: "Answers.", model, maxOutputTokens: 9 })],
      limits: { perRun: { cost: usd(1) }, ...(reserve && { reserve }) },
    });
  const list = [first, counted("second"), free(counted("third")), counted("fourth")] as never;
  const refusal = { status: "failed", stopReason: "budget", error: { code: "cost_unknown" }, usage: { modelCalls: 0 } };
  for (const reserve of [undefined, "strict"] as const) {
    await using app = await createApp(limited(list, reserve), { env: {} });
    const refused = await app.run({ prompt: "go" });
    expect(refused).toMatchObject(refusal);
    expect(refused.error!.data).toEqual({ model: "second", more: ["fourth"] });
    for (const part of ["second, fourth", "priced(", "free("]) expect(refused.error!.message).toContain(part);
    // The same of models that a run brings.
    await using bare = await createApp(limited(first as never, reserve), { env: {} });
    expect(await bare.run({ prompt: "go" }, { model: list })).toMatchObject(refusal);
  }
  expect(asked).toBe(0);
  // One whose provider tells its costs is called, but not where only a bound is a promise.
  const telling = { ...counted("telling"), provider: "openrouter" };
  await using usual = await createApp(limited([first, telling] as never), { env: {} });
  expect((await usual.run({ prompt: "go" })).error?.code).not.toBe("cost_unknown");
  await using strict = await createApp(limited([first, telling] as never, "strict"), { env: {} });
  expect((await strict.run({ prompt: "go" })).error).toMatchObject({
    code: "cost_unknown",
    data: { model: "telling" },
  });
});

test("a first model that is free is, whatever its fallbacks cost", async () => {
  const desk = defineWorkflow({
    name: "desk",
    agents: [agent([free(scriptedModel(replyWith("x"))), priced(scriptedModel(), prices)] as never)],
    limits: { perRun: { cost: usd(1) } },
  });
  await using app = await createApp(desk, { env: {}, ledger: true });
  expect(await app.run({ prompt: "go" })).toMatchObject({ status: "completed", usage: { costUsd: 0 } });
});

test("bad prices are told at once", async () => {
  const model = scriptedModel();
  expect(() => priced(model, { input: 3, output: usd(1) } as never)).toThrow(/input must be the price.*usd\(3\)/s);
  expect(() => priced(model, { input: usd(3) } as never)).toThrow(/output/);
  expect(() => priced("local-7b" as never, prices)).toThrow(
    /^`priced` takes a model object, and this is an id: "local-7b"\. Give its price with the app: .*prices: \{ "local-7b": /,
  );
  expect(() => free("local-7b" as never)).toThrow(/^`free` takes a model object, and this is an id: "local-7b"\. /);
  expect(() => priced(5 as never, prices)).toThrow(/This is no model/);
  await expect(createApp(agent(model), { env: {}, prices: 5 as never })).rejects.toThrow(/prices must be/);
  await expect(createApp(agent(model), { env: {}, prices: genaiPrices() as never })).rejects.toThrow(/await/);
  await expect(createApp(agent(model), { env: {}, prices: { m: { inputs: usd(1) } } as never })).rejects.toThrow(
    /prices\["m"\]: unknown option `inputs`; did you mean `input`/,
  );
});

test("the price table knows common models, their tiers and caches, and bounds are never below the cost", async () => {
  const table = await genaiPrices();
  const price = table.priceOf({ id: "claude-sonnet-4-5", provider: "anthropic.messages" })!;
  expect(price.costOf(tokens)).toBe(500 * 3000 + 400 * 300 + 100 * 3750 + 100 * 15000);
  const large = { inputTokens: 300_000, outputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0 };
  expect(price.costOf(large)).toBeGreaterThan(300_000 * 3000);
  for (const usage of [tokens, large])
    expect(price.boundOf(usage.inputTokens, usage.outputTokens)).toBeGreaterThanOrEqual(price.costOf(usage));
  expect(table.priceOf({ id: "no-such-model", provider: "mine" })).toBeUndefined();
});

test("a missing price table is an error that names the package", async () => {
  const missing = Object.assign(new Error("no"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(genaiPrices(() => Promise.reject(missing))).rejects.toThrow(MissingPeerError);
});
