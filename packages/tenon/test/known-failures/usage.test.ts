import { describe, expect, test } from "vitest";
import { createApp, defineTool, memoryStore, type RunEvent } from "../../src/doors/tenon/index.js";
import { failWith, rawCall, rawTurn, replyWith, scriptedModel, type StepUsage } from "../../src/doors/testing/index.js";
import { writtenModel } from "./models.js";
import { agentOf, appOf, start, ways } from "./wire.js";

const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
const save = defineTool({ name: "save", description: "Saves.", approval: true, run: () => "saved" });
const called = (name: string, usage: StepUsage | null) =>
  rawTurn({ calls: [rawCall({ id: "", name, arguments: "{}" })], usage });
const three: readonly StepUsage[] = [
  { inputTokens: 100, outputTokens: 10, costUsd: 0.001 },
  { inputTokens: 200, outputTokens: 20, cachedInputTokens: 50, costUsd: 0.002 },
  { inputTokens: 300, outputTokens: 30, reasoningTokens: 7, cacheWriteTokens: 9, costUsd: 0.003 },
];

describe.each(ways)("%s", (way) => {
  test("[B101] a run's usage is the sum of its steps, and each step is listed", async () => {
    const store = memoryStore();
    const events: RunEvent[] = [];
    const model = scriptedModel(
      called("look", three[0]!),
      called("look", three[1]!),
      rawTurn({ text: "done", usage: three[2]! }),
    );
    await using app = await appOf([look], model, {
      store,
      ...(way === "stream" ? { onEvent: (event: RunEvent) => void events.push(event) } : {}),
    });
    const { usage, runId } = await start(app, way, "go");
    expect(usage).toEqual({
      inputTokens: 600,
      outputTokens: 60,
      cachedInputTokens: 50,
      cacheWriteTokens: 9,
      reasoningTokens: 7,
      costUsd: 0.006,
      toolCostUsd: 0,
      modelCalls: 3,
      toolCalls: 2,
      calls: [
        {
          inputTokens: 100,
          outputTokens: 10,
          cachedInputTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
          costNanoUsd: 1_000_000,
          costSource: "api",
          estimated: false,
        },
        {
          inputTokens: 200,
          outputTokens: 20,
          cachedInputTokens: 50,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
          costNanoUsd: 2_000_000,
          costSource: "api",
          estimated: false,
        },
        {
          inputTokens: 300,
          outputTokens: 30,
          cachedInputTokens: 0,
          cacheWriteTokens: 9,
          reasoningTokens: 7,
          costNanoUsd: 3_000_000,
          costSource: "api",
          estimated: false,
        },
      ],
    });
    expect(store.run(runId)?.outcome?.usage).toEqual(usage);
    if (way === "stream") {
      expect(events.filter(({ type }) => type === "usage")).toMatchObject(
        usage.calls.map((call, i) => ({ turn: i + 1, usage: call })),
      );
      expect(events.at(-1)).toMatchObject({ type: "run-end", usage });
    }
    // A second run of the thread counts for itself.
    model.thenReturn(rawTurn({ text: "again", usage: three[0]! }));
    expect((await start(app, way, "more")).usage).toMatchObject({ inputTokens: 100, outputTokens: 10, modelCalls: 1 });
  });

  test("[B101] a pause in the middle loses nothing and counts nothing twice", async () => {
    const model = scriptedModel(
      called("look", three[0]!),
      called("save", three[1]!),
      rawTurn({ text: "done", usage: three[2]! }),
    );
    await using app = await appOf([look, save], model);
    const paused = await start(app, way, "go");
    expect(paused).toMatchObject({ status: "paused", usage: { inputTokens: 300, outputTokens: 30, modelCalls: 2 } });
    const ended = await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } });
    expect(ended.usage).toMatchObject({
      inputTokens: 600,
      outputTokens: 60,
      costUsd: 0.006,
      modelCalls: 3,
      toolCalls: 2,
    });
  });

  test("[B101] a run that fails or goes over its limit has the sum of what it used", async () => {
    const failing = scriptedModel(
      called("look", three[0]!),
      called("look", three[1]!),
      failWith(new Error("overloaded")),
    );
    await using app = await appOf([look], failing);
    expect(await start(app, way, "go")).toMatchObject({
      status: "failed",
      usage: { modelCalls: 3, calls: [{ inputTokens: 100 }, { inputTokens: 200 }, { estimated: true }] },
    });
    const endless = scriptedModel(...three.map((usage) => called("look", usage)));
    await using limited = await appOf([look], endless, {}, { maxModelCalls: 3 });
    expect(await start(limited, way, "go")).toMatchObject({
      status: "failed",
      stopReason: "limit",
      usage: { inputTokens: 600, outputTokens: 60, costUsd: 0.006, modelCalls: 3 },
    });
  });

  const odd: readonly unknown[] = [
    undefined,
    null,
    {},
    [],
    5,
    "none",
    { inputTokens: NaN, outputTokens: -1 },
    { inputTokens: { total: NaN }, outputTokens: { total: Infinity } },
    { inputTokens: { total: "12" }, outputTokens: { total: null } },
    { inputTokens: null },
    { inputTokens: { total: 1e300 } },
  ];

  test.each(odd)("[B101] usage that a provider garbled is estimated and flagged, never NaN: %j", async (usage) => {
    const finishReason = { unified: "stop" };
    const model = writtenModel(
      () => ({ content: [{ type: "text", text: "done" }], finishReason, usage }),
      () => ({
        stream: new ReadableStream({
          start(controller) {
            for (const part of [
              { type: "text-start", id: "0" },
              { type: "text-delta", id: "0", delta: "done" },
              { type: "finish", finishReason, usage },
            ])
              controller.enqueue(part);
            controller.close();
          },
        }),
      }),
    );
    await using app = await createApp(agentOf([look]), { models: { default: model }, env: {} });
    const result = await start(app, way, "go");
    expect(result).toMatchObject({
      status: "completed",
      text: "done",
      usage: { costUsd: undefined, calls: [{ estimated: true, costSource: "unknown" }] },
    });
    for (const [name, value] of Object.entries(result.usage))
      if (typeof value === "number") expect(Number.isSafeInteger(value), name).toBe(true);
    expect(result.usage.inputTokens).toBeGreaterThan(0);
  });
});

test("[B101] the same usage costs the same, streamed or whole", async () => {
  const totals = await Promise.all(
    ways.map(async (way) => {
      const model = scriptedModel(called("look", three[0]!), called("look", three[1]!), replyWith("done"));
      await using app = await appOf([look], model);
      return (await start(app, way, "go")).usage;
    }),
  );
  expect(totals[0]).toEqual(totals[1]);
});
