import { describe, expect, test } from "vitest";
import {
  createApp,
  LimitExceededError,
  Agent,
  Workflow,
  defineTool,
  usd,
  CostUnknownError,
} from "../../src/doors/tenon/index.js";
import { free } from "../../src/doors/models/index.js";
import { callTool, callTools, rawTurn, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { fakeModel, streamOf, textAnswer } from "../llm/request.js";
import { Charge, Desk, LookUp, SaveNote, Support, WaitLong, type Diary } from "./desk.js";

/** Each call is followed by exactly one result. */
function assertPaired(request: { readonly messages: readonly unknown[] }): void {
  const calls: string[] = [];
  const results: string[] = [];
  for (const message of request.messages as { content: unknown }[]) {
    if (!Array.isArray(message.content)) continue;
    for (const part of message.content as { type: string; toolCallId: string }[]) {
      if (part.type === "tool-call") calls.push(part.toolCallId);
      if (part.type === "tool-result") results.push(part.toolCallId);
    }
  }
  expect(results).toEqual(calls);
}

test("[B25] abort while a tool runs: the call gets a result, the tool's signal is aborted, the thread goes on", async () => {
  const model = scriptedModel(
    callTools([
      [WaitLong, {}],
      [LookUp, { q: "x" }],
      [Charge, {}],
    ]),
    replyWith("next"),
  );
  await using app = await createApp(Support, { models: { default: model } });
  const stop = new AbortController();
  const diary: Diary = { lines: [] };
  diary.lines.push = (line) => {
    if (line === "charge started") queueMicrotask(() => stop.abort());
    return Array.prototype.push.call(diary.lines, line);
  };
  const running = app.run({ prompt: "go" }, { threadId: "t", signal: stop.signal, executionContext: diary });
  expect(await running).toMatchObject({ status: "cancelled", stopReason: "cancel" });
  expect(diary.lines).toContain("wait_long aborted: AbortError");
  expect((await app.run({ prompt: "again" }, { threadId: "t" })).text).toBe("next");
  assertPaired(model.requests[1]!);
  const text = JSON.stringify(model.requests[1]);
  expect(text).toContain("wait_long was stopped before it gave a result");
  expect(text).toContain("charge was stopped while it was running. It may have completed");
  expect(text).toContain('{\\"found\\":\\"x\\"}');
});

test("abort while the model answers: its call is in the usage, and nothing of it is in the thread", async () => {
  const slow = scriptedModel(replyWith("never seen"), replyWith("next"));
  let asked = 0;
  const model = {
    specificationVersion: "v4" as const,
    provider: "slow",
    modelId: "slow",
    doGenerate: (options: any) => (++asked === 1 ? new Promise<never>(() => {}) : slow.doGenerate(options)),
    doStream: (options: any) => slow.doStream(options),
  };
  await using app = await createApp(Support, { models: { default: free(model) } });
  const stop = new AbortController();
  const running = app.run({ prompt: "go" }, { threadId: "t", signal: stop.signal });
  await expect.poll(() => asked).toBe(1);
  stop.abort();
  expect(await running).toMatchObject({ status: "cancelled", usage: { modelCalls: 1, calls: [{ estimated: true }] } });
  expect((await app.run({ prompt: "again" }, { threadId: "t" })).status).toBe("completed");
});

describe.each([
  ["whole", false],
  ["streamed", true],
])("a run that is stopped while its provider is being asked, %s", (_way, listens) => {
  const broken = { finishReason: { unified: "error", raw: "error" } };
  const late = { ...textAnswer("too late"), stream: streamOf([]) };
  test.each<[what: string, give: () => unknown]>([
    ["answers at once", () => Promise.resolve(late)],
    ["gives an answer at once that is broken off", () => Promise.resolve({ ...late, ...broken, content: [] })],
    ["gives what is no answer", () => Promise.resolve({})],
    ["fails at once", () => Promise.reject(new Error("down"))],
    [
      "throws",
      () => {
        throw new Error("down");
      },
    ],
    ["answers later", () => new Promise((resolve) => setImmediate(() => resolve(late)))],
    ["is never heard of again", () => new Promise(() => {})],
  ])("has nothing of it where that one %s", async (_what, give) => {
    const stop = new AbortController();
    const next = scriptedModel(replyWith("next"));
    const ask = (options: any, goOn: "doGenerate" | "doStream"): any => {
      if (stop.signal.aborted) return next[goOn](options);
      stop.abort();
      return give();
    };
    const model = {
      ...fakeModel(),
      doGenerate: (options: any) => ask(options, "doGenerate"),
      doStream: (options: any) => ask(options, "doStream"),
    };
    await using app = await createApp(Support, { models: { default: free(model) } });
    const told: string[] = [];
    const onEvent = listens ? ({ type }: { readonly type: string }): void => void told.push(type) : undefined;
    const run = await app.run({ prompt: "go" }, { threadId: "t", signal: stop.signal, onEvent });
    expect(run).toMatchObject({ status: "cancelled", stopReason: "cancel", text: "", usage: { modelCalls: 1 } });
    expect(next.requests).toHaveLength(0);
    expect(told).not.toContain("text-delta");
    expect(told.filter((type) => type === "run-end")).toHaveLength(listens ? 1 : 0);
    expect((await app.run({ prompt: "again" }, { threadId: "t" })).text).toBe("next");
  });
});

test("app.cancel stops a run that is going on, one that waits, and leaves one that has ended", async () => {
  const model = scriptedModel(callTool(WaitLong), callTool(SaveNote, { title: "x" }), replyWith("after"));
  await using app = await createApp(Support, { models: { default: model } });
  const diary: Diary = { lines: [] };
  const running = app.run({ prompt: "go" }, { runId: "run-00001", executionContext: diary });
  await expect.poll(() => diary.lines.length).toBe(1);
  expect(await app.cancel("run-00001")).toMatchObject({ status: "cancelled" });
  expect((await running).status).toBe("cancelled");
  expect(await app.cancel("run-00001")).toMatchObject({ status: "cancelled" });

  const paused = await app.run({ prompt: "save" }, { threadId: "t", executionContext: diary });
  expect(await app.cancel(paused.runId)).toMatchObject({ status: "cancelled" });
  await expect(
    app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } }),
  ).rejects.toMatchObject({ code: "decision_refused" });
  expect(diary.lines.filter((line) => line.startsWith("save_note"))).toEqual([]);
  expect(await app.pauses()).toEqual([]);
  expect((await app.run({ prompt: "on" }, { threadId: "t" })).text).toBe("after");
  assertPaired(model.requests.at(-1)!);
  await expect(app.cancel("run-of-nobody")).rejects.toMatchObject({ code: "run_not_found" });
});

test("a turn that goes over maxToolCalls runs none of its calls, and its thread stays usable", async () => {
  let ran = 0;
  const tick = defineTool({ name: "tick", description: "Ticks.", run: () => void ran++ });
  @Agent({ name: "ticker", description: "Ticks.", tools: [tick], maxToolCalls: 3 })
  class Ticker {}
  const model = scriptedModel(
    callTools([
      [tick, {}],
      [tick, {}],
    ]),
    callTools([
      [tick, {}],
      [tick, {}],
    ]),
    replyWith("fine"),
  );
  await using app = await createApp(Ticker, { models: { default: model } });
  const result = await app.run({ prompt: "go" }, { threadId: "t" });
  expect(result).toMatchObject({
    status: "failed",
    stopReason: "limit",
    error: { code: "limit_exceeded", data: { limit: "agents.ticker.limits.toolCalls", max: 3 } },
  });
  expect(LimitExceededError.is(result.error)).toBe(true);
  expect(ran).toBe(2);
  expect((await app.run({ prompt: "again" }, { threadId: "t" })).text).toBe("fine");
  assertPaired(model.requests.at(-1)!);
});

test("model calls are limited too: 12 by default", async () => {
  const model = scriptedModel(...Array.from({ length: 12 }, (_, i) => callTool(LookUp, { q: `x${i}` })));
  await using app = await createApp(Support, { models: { default: model } });
  expect(await app.run({ prompt: "go" })).toMatchObject({
    status: "failed",
    error: { data: { limit: "agents.desk.limits.modelCalls", max: 12 } },
  });
});

test("limits.perRun.cost is checked before each model call, tools included", async () => {
  @Workflow({ name: "costly", agents: [Desk], limits: { perRun: { cost: usd(0.05) } } })
  class Costly {}
  const turn = (costUsd: number) =>
    rawTurn({
      calls: [{ id: "a", name: "charge", arguments: "{}" }],
      usage: { inputTokens: 1, outputTokens: 1, costUsd },
    });
  const model = scriptedModel(turn(0.01), turn(0.01), replyWith("never"));
  await using app = await createApp(Costly, { models: { default: model } });
  const result = await app.run({ prompt: "go" });
  expect(result).toMatchObject({
    status: "failed",
    stopReason: "budget",
    usage: { costUsd: 0.06, toolCostUsd: 0.04, modelCalls: 2 },
    error: { code: "limit_exceeded", data: { limit: "limits.perRun.cost" } },
  });
  expect(result.error!.message).toContain("Run budget exhausted");
});

test("under a money limit a model whose cost nobody knows is not called", async () => {
  @Workflow({ name: "careful", agents: [Desk], limits: { perRun: { cost: usd(1) } } })
  class Careful {}
  const scripted = scriptedModel(replyWith("x"));
  let asked = 0;
  const model = {
    specificationVersion: "v4" as const,
    provider: "somewhere",
    modelId: "m",
    doGenerate: (options: any) => (asked++, scripted.doGenerate(options)),
    doStream: (options: any) => scripted.doStream(options),
  };
  await using app = await createApp(Careful, { models: { default: model } });
  const refused = await app.run({ prompt: "go" });
  expect(CostUnknownError.is(refused.error)).toBe(true);
  expect(asked).toBe(0);
  await using open = await createApp(Careful, { models: { default: free(model) } });
  expect(await open.run({ prompt: "go" })).toMatchObject({ status: "completed", usage: { costUsd: 0 } });
});
