import { expect, test } from "vitest";
import { createApp, defineAgent, defineWorkflow, usd, type AppOptions } from "../../src/doors/tenon/index.js";
import { chatServer, textAnswer } from "../llm/loopback.js";

const { whole, pieces } = textAnswer("hello");
const answer = { whole: { ...whole, usage: { prompt_tokens: 1000, completion_tokens: 100 } }, pieces };
const prices = { "local-7b": { input: usd(1), output: usd(10) } };

async function localApp(options: AppOptions, model: string | readonly string[] = "local-7b") {
  const { url } = await chatServer(answer);
  const clerk = defineAgent({ name: "clerk", description: "Answers.", model, maxOutputTokens: 100 });
  const desk = defineWorkflow({ name: "desk", agents: [clerk], limits: { perRun: { cost: usd(1) } } });
  return createApp(desk, { env: { TENON_BASE_URL: url }, ...options });
}

test("a model served on this machine counts as free where nobody says what it costs, and describe says so", async () => {
  await using app = await localApp({ prices: { other: prices["local-7b"] } });
  expect(app.describe().agents).toMatchObject([{ model: "local-7b", freeHere: ["local-7b"] }]);
  expect((await app.run({ prompt: "go" })).usage).toMatchObject({ costUsd: 0, calls: [{ costSource: "free" }] });
});

test("a price by its id wins over that, for the agent's model and for one of a run", async () => {
  await using app = await localApp({ prices });
  expect(app.describe().agents).toMatchObject([{ model: "local-7b", freeHere: [] }]);
  const priced = { costUsd: 0.002, calls: [{ costSource: "price-table" }] };
  expect((await app.run({ prompt: "go" })).usage).toMatchObject(priced);
  expect(await app.ledger.entries()).toMatchObject([{ name: "local-7b", costNanoUsd: 2_000_000 }]);

  await using other = await localApp({ prices: [prices] }, ["mine", "third"]);
  expect(other.describe().agents).toMatchObject([{ freeHere: ["mine", "third"] }]);
  expect((await other.run({ prompt: "go" })).usage).toMatchObject({ costUsd: 0 });
  expect((await other.run({ prompt: "go" }, { model: "local-7b" })).usage).toMatchObject(priced);
});

test("a priced model of this machine is kept from what its limit does not allow", async () => {
  await using app = await localApp({ prices: { "local-7b": { input: usd(1), output: usd(20_000) } } });
  expect(await app.run({ prompt: "go" })).toMatchObject({
    status: "failed",
    error: { code: "limit_exceeded", data: { limit: "limits.perRun.cost" } },
  });
});

test("a table of list prices, which are of hosted models, does not make a model of this machine cost", async () => {
  const all = { input: usd(1), output: usd(1) };
  const table = { source: "a list", priceOf: () => ({ costOf: () => 5, boundOf: () => 5 }) };
  await using app = await localApp({ prices: table });
  expect((await app.run({ prompt: "go" })).usage).toMatchObject({ costUsd: 0 });
  await using named = await localApp({ prices: [{ "local-7b": all }, table] });
  expect((await named.run({ prompt: "go" })).usage.costUsd).toBeCloseTo(0.0011, 9);
});
