import { expect, test } from "vitest";
import { priced } from "../../src/doors/models/index.js";
import {
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  memoryStore,
  usd,
  type Limits,
  type Pause,
} from "../../src/doors/tenon/index.js";
import { rawCall, rawTurn, scriptedModel, type ModelStep } from "../../src/doors/testing/index.js";

const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
const usage = { inputTokens: 100, outputTokens: 50 };
const called = (n: number) => rawTurn({ calls: [rawCall({ name: "look", arguments: `{}`, id: `${n}` })], usage });

function appOf(store: ReturnType<typeof memoryStore>, turns: readonly ModelStep[], limits: Limits) {
  const clerk = defineAgent({
    name: "clerk",
    description: "Works.",
    tools: [look],
    maxOutputTokens: 60,
    model: priced(scriptedModel(...turns), { input: usd(1), output: usd(10) }),
  });
  return createApp(defineWorkflow({ name: "desk", agents: [clerk], limits }), { store, env: {} });
}

const limits: Limits = { atLimit: "ask", perRun: { cost: usd(0.001) } };
const done = rawTurn({ text: "done", usage });

test("at the limit a person is asked; what they raise it by counts for this run, in any process", async () => {
  const store = memoryStore();
  const events: string[] = [];
  let pause: Pause;
  {
    await using app = await appOf(store, [called(1)], limits);
    const result = await app.run(
      { prompt: "go" },
      { runId: "asks-for-more", onEvent: ({ type }) => void events.push(type) },
    );
    expect(result).toMatchObject({ status: "paused", usage: { modelCalls: 1 } });
    [pause] = result.pauses as [Pause];
  }
  expect(events).toContain("pause");
  {
    await using app = await appOf(store, [], limits);
    const told = [];
    for await (const event of app.watch("asks-for-more")) told.push(event.type);
    expect(told.slice(-2)).toEqual(["pause", "run-end"]);
  }
  expect(pause).toMatchObject({
    kind: "question",
    tool: "limits.perRun.cost",
    input: { limit: "limits.perRun.cost", max: 0.001, spent: 0.0006 },
  });
  expect(pause.question).toMatch(/^Run budget exhausted.*By how many US dollars is limits\.perRun\.cost raised/);
  expect(store.ledger.entries({}).every(({ state }) => state === "settled")).toBe(true);

  await using app = await appOf(store, [done, called(1)], limits);
  const refuse = (answer: unknown) =>
    app.resume("asks-for-more", { [pause.id]: { answer: answer as never, by: "ann" } });
  for (const bad of [0, -1, "much", null])
    await expect(refuse(bad)).rejects.toMatchObject({ code: "decision_refused" });
  await expect(refuse("$0.01")).rejects.toThrow(
    /The answer does not fit: .*got "\$0\.01"\. This was for the pause: pause_call_asks-for-more_2_0_1\. Change the answer/,
  );
  expect(await refuse(0.001)).toMatchObject({ status: "completed", text: "done", usage: { modelCalls: 2 } });
  // Another run has the limit as it was.
  await using other = await appOf(store, [called(1)], limits);
  expect((await other.run({ prompt: "go" })).status).toBe("paused");
});

test("a raise that is not enough asks again, and a refusal ends the run", async () => {
  const store = memoryStore();
  await using app = await appOf(store, [called(1), done], limits);
  const first = await app.run({ prompt: "go" });
  const second = await app.resume(first.runId, { [first.pauses[0]!.id]: { answer: 0.0001, by: "ann" } });
  expect(second).toMatchObject({ status: "paused", pauses: [{ input: { max: 0.0011 } }] });
  const ended = await app.resume(first.runId, {
    [second.pauses[0]!.id]: { approved: false, reason: "enough", by: "ann" },
  });
  expect(ended).toMatchObject({ status: "failed", stopReason: "budget", error: { code: "limit_exceeded" } });
  expect(ended.error!.message).toContain("enough");
});

test("a run that waits for money can be canceled, and its thread goes on", async () => {
  const store = memoryStore();
  await using app = await appOf(store, [called(1), done], { atLimit: "ask", perRun: { modelCalls: 1 } });
  const paused = await app.run({ prompt: "go" }, { threadId: "t" });
  expect(paused.pauses[0]!.schema).toMatchObject({ type: "integer" });
  expect(await app.cancel(paused.runId)).toMatchObject({ status: "cancelled" });
  expect((await app.run({ prompt: "go" }, { threadId: "t" })).text).toBe("done");
});

test("what was reserved by a process that is gone is looked at again: a person is asked, and the run does not fail", async () => {
  const store = memoryStore();
  const wide: Limits = { atLimit: "ask", perRun: { cost: usd(0.0007) } };
  const hanging = {
    specificationVersion: "v4" as const,
    provider: "test",
    modelId: "m1",
    doGenerate: () => new Promise(() => {}),
    doStream: () => new Promise(() => {}),
  };
  const clerk = defineAgent({
    name: "clerk",
    description: "Works.",
    tools: [look],
    maxOutputTokens: 60,
    model: priced(hanging, { input: usd(1), output: usd(10) }),
  });
  const left = await createApp(defineWorkflow({ name: "desk", agents: [clerk], limits: wide }), { store, env: {} });
  const run = left.run({ prompt: "go" }, { runId: "left-in-call" });
  await expect.poll(() => store.ledger.entries({}).length).toBe(1);
  await Promise.allSettled([left.close({ graceMs: 0 }), run]);
  // What was lost counts in full.
  const [lost] = store.ledger.entries({});
  const { runId: _run, key: _key, operations: _operations, state: _state, overrun: _overrun, ...rest } = lost!;
  store.ledger.settle({
    runId: "left-in-call",
    key: "turn:1/model",
    attempt: 1,
    usage: { ...rest, costNanoUsd: 600_000 },
  });
  await using app = await appOf(store, [done], { atLimit: "ask", perRun: { cost: usd(0.0007) } });
  const { continued } = await app.recover();
  expect(continued).toMatchObject([{ status: "paused" }]);
  const pause = continued[0]!.pauses[0]!;
  expect(await app.resume("left-in-call", { [pause.id]: { answer: 1, by: "ann" } })).toMatchObject({ text: "done" });
});

test("the question says what the next call may take, what is left, and the smallest raise that lets it be made", async () => {
  const store = memoryStore();
  await using app = await appOf(store, [called(1), done], limits);
  const first = await app.run({ prompt: "go" });
  const said =
    /^Run budget exhausted: the next call may take \$(0\.\d+), and \$0\.0004 of \$0\.001 is left\. By .*\? The least that helps is (0\.\d+)\.$/.exec(
      first.pauses[0]!.question,
    )!;
  const [need, least] = [Number(said[1]), Number(said[2])];
  expect(least).toBeCloseTo(need - 0.0004, 9);
  const less = await app.resume(first.runId, { [first.pauses[0]!.id]: { answer: least - 1e-9, by: "ann" } });
  expect(less.pauses[0]!.question).toContain("The least that helps is 0.000000001.");
  expect(await app.resume(first.runId, { [less.pauses[0]!.id]: { answer: 1e-9, by: "ann" } })).toMatchObject({
    text: "done",
  });
  await using calls = await appOf(store, [called(1)], { atLimit: "ask", perRun: { modelCalls: 1 } });
  expect((await calls.run({ prompt: "go" })).pauses[0]!.question).toBe(
    "Run budget exhausted: 1 model call was made, each attempt counted, and 1 may be made. By how many model calls is limits.perRun.modelCalls raised for this run? The least that helps is 1.",
  );
});
