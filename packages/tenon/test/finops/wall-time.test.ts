import { describe, expect, test } from "vitest";
import { createAppWith } from "../../src/app/create-app.js";
import { free } from "../../src/doors/models/index.js";
import {
  defineAgent,
  defineTool,
  defineWorkflow,
  LimitExceededError,
  type AgentOptions,
  type App,
  type Limits,
  type Store,
  type ToolEntry,
} from "../../src/doors/tenon/index.js";
import {
  callTool,
  callTools,
  failWith,
  replyWith,
  scriptedModel,
  testClock,
  type TestClock,
} from "../../src/doors/testing/index.js";
import { stores } from "../app/stores.js";

const forever = (): Promise<never> => new Promise(() => {});

interface Setup extends Partial<AgentOptions> {
  readonly perRun?: Limits["perRun"];
  readonly store: Store;
  readonly clock: TestClock;
  readonly tools?: readonly ToolEntry[];
}

function appOf(model: object, { perRun, store, clock, ...agent }: Setup): Promise<App> {
  const clerk = defineAgent({ name: "clerk", description: "Works.", model: model as never, ...agent });
  const limits = perRun === undefined ? {} : { limits: { perRun } };
  return createAppWith(defineWorkflow({ name: "desk", agents: [clerk], ...limits }), { store, env: {} }, { clock });
}

/** A read that takes so long, and says so when it is stopped. */
function slow(clock: TestClock, ms: number, more: object = {}) {
  const stopped: unknown[] = [];
  const tool = defineTool({
    name: "slow",
    description: "Takes time.",
    timeoutMs: 100_000_000,
    ...more,
    run: (_input, ctx) =>
      new Promise<string>((resolve) => {
        ctx.signal.addEventListener("abort", () => stopped.push(ctx.signal.reason));
        clock.setTimer(() => resolve("done"), ms);
      }),
  });
  return Object.assign(tool, { stopped });
}

const over = (max: number, limit = "limits.perRun.wallTimeMs") => ({
  status: "failed",
  stopReason: "limit",
  error: { code: "limit_exceeded", data: { limit, max } },
});

describe.each(stores)("on %s", (_, newStore) => {
  test("a run that is active for too long ends: its read is stopped, and its thread goes on", async () => {
    const clock = testClock();
    const tool = slow(clock, 60_000);
    const model = scriptedModel(callTool(tool, {}), replyWith("next"));
    await using app = await appOf(model, { store: newStore(), clock, perRun: { wallTimeMs: 30_000 }, tools: [tool] });
    const run = app.run({ prompt: "go" }, { threadId: "t", runId: "too-long-1" });
    await clock.advance(29_999);
    expect(tool.stopped).toEqual([]);
    await clock.advance(1);
    const result = await run;
    expect(result).toMatchObject(over(30_000));
    expect(LimitExceededError.is(result.error)).toBe(true);
    expect(result.error!.message).toMatch(/active for 30000 ms.*limits\.perRun\.wallTimeMs = 30000.*Raise the limit/);
    expect(tool.stopped).toMatchObject([{ name: "AbortError", message: expect.stringContaining("limit") }]);
    const { turns } = await app.inspect("too-long-1");
    expect(turns[0]!.calls[0]!.result).toMatchObject({ code: "cancelled" });
    expect(await app.result("too-long-1")).toMatchObject(over(30_000));
    expect((await app.run({ prompt: "again" }, { threadId: "t" })).text).toBe("next");
  });

  test.each(["rerun", "ask"] as const)("a write in flight has an unknown outcome (inDoubt: %s)", async (inDoubt) => {
    const clock = testClock();
    const tool = slow(clock, 60_000, { access: "write", inDoubt });
    const model = scriptedModel(callTool(tool, {}));
    await using app = await appOf(model, { store: newStore(), clock, perRun: { wallTimeMs: 10_000 }, tools: [tool] });
    const run = app.run({ prompt: "go" }, { runId: "write-in-flight" });
    await clock.advance(10_000);
    expect(await run).toMatchObject(over(10_000));
    const { turns } = await app.inspect("write-in-flight");
    expect(turns[0]!.calls[0]!.result).toMatchObject({ code: "unknown_outcome" });
    // Nobody knows whether it happened: the question stays.
    const asked = await app.pauses({ runId: "write-in-flight" });
    expect(asked).toMatchObject(inDoubt === "ask" ? [{ kind: "in-doubt" }] : []);
  });

  test("a model that does not answer is left, and its call is in the usage", async () => {
    const clock = testClock();
    let aborted = false;
    const model = {
      specificationVersion: "v4" as const,
      provider: "test",
      modelId: "slow",
      doGenerate: ({ abortSignal }: { abortSignal: AbortSignal }) => {
        abortSignal.addEventListener("abort", () => (aborted = true));
        return forever();
      },
      doStream: forever,
    };
    await using app = await appOf(free(model), { store: newStore(), clock, perRun: { wallTimeMs: 7_000 } });
    const run = app.run({ prompt: "go" });
    await clock.advance(7_000);
    expect(await run).toMatchObject({ ...over(7_000), usage: { modelCalls: 1, calls: [{ estimated: true }] } });
    expect(aborted).toBe(true);
  });

  test("the time that a run waits for a person does not count, and what it was active before does, in any process", async () => {
    const store = newStore();
    const clock = testClock();
    const tool = slow(clock, 6_000);
    const ask = defineTool({ name: "ask", description: "Asks.", approval: true, run: () => "yes" });
    const perRun = { wallTimeMs: 10_000 };
    const first = scriptedModel(callTool(tool, {}), callTool(ask, {}));
    const app = await appOf(first, { store, clock, perRun, tools: [tool, ask] });
    const run = app.run({ prompt: "go" }, { runId: "waits-long" });
    await clock.advance(6_000);
    const [pause] = (await run).pauses;
    await clock.advance(3_600_000);
    const second = scriptedModel(callTool(tool, {}), replyWith("never"));
    const other = await appOf(second, { store, clock, perRun, tools: [tool, ask] });
    const resumed = other.resume("waits-long", { [pause!.id]: { approved: true, by: "ann" } });
    await clock.advance(3_999);
    expect(await store.run("waits-long")).toMatchObject({ status: "running" });
    await clock.advance(1);
    expect(await resumed).toMatchObject({ ...over(10_000), usage: { modelCalls: 3 } });
    await Promise.all([app.close(), other.close()]);
  });

  test("a crash in the middle of a long call loses at most five seconds; what nobody has does not count", async () => {
    const store = newStore();
    const perRun = { wallTimeMs: 30_000 };
    const dead = testClock();
    const first = slow(dead, 1e9);
    await appOf(scriptedModel(callTool(first, {})), { store, clock: dead, perRun, tools: [first] }).then((app) => {
      void app.run({ prompt: "go" }, { runId: "left-in-call" });
    });
    // From here on this process is gone: its clock stands still.
    await dead.advance(23_000);
    let at = dead.now();
    for (const ends of [false, true]) {
      const clock = testClock((at += 3_600_000));
      const tool = slow(clock, 1e9);
      const app = await appOf(scriptedModel(), { store, clock, perRun, tools: [tool] });
      const recovering = app.recover();
      if (!ends) {
        await clock.advance(6_000);
        expect(await store.run("left-in-call")).toMatchObject({ status: "running" });
        at = clock.now();
        continue;
      }
      await clock.advance(5_000);
      expect((await recovering).continued).toMatchObject([over(30_000)]);
      expect(clock.now()).toBe(at + 5_000);
      await app.close();
    }
  });
});

test("a sibling that waits for a person is answered as cancelled when the time is over", async () => {
  const clock = testClock();
  const tool = slow(clock, 60_000);
  const ask = defineTool({ name: "ask", description: "Asks.", approval: true, run: () => "yes" });
  const model = scriptedModel(
    callTools([
      [tool, {}],
      [ask, {}],
    ]),
  );
  const store = stores[0]![1]();
  await using app = await appOf(model, { store, clock, perRun: { wallTimeMs: 10_000 }, tools: [tool, ask] });
  const run = app.run({ prompt: "go" }, { runId: "sibling-waits" });
  await clock.advance(9_999);
  expect(await app.pauses()).toHaveLength(1);
  await clock.advance(1);
  expect(await run).toMatchObject(over(10_000));
  expect(await app.pauses()).toEqual([]);
  expect((await app.inspect("sibling-waits")).audit).toMatchObject([{ decision: { lapsed: "cancelled" } }]);
});

test("an agent's own limit holds where it is the smaller one", async () => {
  for (const [own, ofRun, limit] of [
    [5_000, 9_000, "agents.clerk.limits.wallTimeMs"],
    [9_000, 5_000, "limits.perRun.wallTimeMs"],
    [5_000, undefined, "agents.clerk.limits.wallTimeMs"],
  ] as const) {
    const clock = testClock();
    const tool = slow(clock, 60_000);
    const perRun = ofRun === undefined ? undefined : { wallTimeMs: ofRun };
    const limits = { wallTimeMs: own };
    const setup = { store: stores[0]![1](), clock, tools: [tool], limits, ...(perRun === undefined ? {} : { perRun }) };
    await using app = await appOf(scriptedModel(callTool(tool, {})), setup);
    expect(app.describe().limits.budgets).toEqual({ [limit]: 5_000 });
    const run = app.run({ prompt: "go" });
    await clock.advance(5_000);
    expect(await run).toMatchObject(over(5_000, limit));
  }
});

test("what is canceled before stays canceled, and an answer that is there counts", async () => {
  const clock = testClock();
  const tool = slow(clock, 60_000);
  const store = stores[0]![1]();
  const model = scriptedModel(callTool(tool, {}), replyWith("in time"));
  await using app = await appOf(model, { store, clock, perRun: { wallTimeMs: 10_000 }, tools: [tool] });
  const run = app.run({ prompt: "go" }, { runId: "canceled-first" });
  await clock.advance(9_000);
  await app.cancel("canceled-first");
  await clock.advance(9_000);
  expect(await run).toMatchObject({ status: "cancelled", stopReason: "cancel" });
  expect((await app.run({ prompt: "again" })).text).toBe("in time");
});

test("a run that holds its process so that no timer fires is stopped before its next model call", async () => {
  const clock = testClock();
  const tool = defineTool({
    name: "busy",
    description: "Holds the process.",
    run: () => void Object.assign(clock, { elapsedMs: () => 11_000 }),
  });
  const model = scriptedModel(callTool(tool, {}), replyWith("never"));
  const app = await appOf(model, {
    store: stores[0]![1](),
    clock,
    perRun: { wallTimeMs: 10_000 },
    tools: [tool],
  });
  expect(await app.run({ prompt: "go" })).toMatchObject({ ...over(10_000), usage: { modelCalls: 1, toolCalls: 1 } });
  await app.close();
});

test("a run whose time is over while it waits to ask a model again asks no more", async () => {
  const clock = testClock();
  const model = scriptedModel(failWith(new Error("busy"), { status: 503, retryAfterMs: 30_000 }), replyWith("never"));
  await using app = await appOf(model, { store: stores[0]![1](), clock, perRun: { wallTimeMs: 8_000 } });
  const run = app.run({ prompt: "go" });
  await clock.advance(8_000);
  expect(await run).toMatchObject(over(8_000));
  expect(model.requests).toHaveLength(1);
});

test("without the limit nothing is timed and nothing more is recorded", async () => {
  for (const limited of [false, true]) {
    const clock = testClock();
    const timers: number[] = [];
    const { setTimer } = clock;
    Object.assign(clock, {
      setTimer: (run: () => void, ms: number) => {
        timers.push(ms);
        return setTimer.call(clock, run, ms);
      },
    });
    const store = stores[0]![1]();
    const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
    const setup = { store, clock, tools: [look], ...(limited ? { perRun: { wallTimeMs: 4_321 } } : {}) };
    await using app = await appOf(scriptedModel(callTool(look, {}), replyWith("done")), setup);
    expect(await app.run({ prompt: "go" }, { runId: "plain-run" })).toMatchObject({ text: "done" });
    expect(timers.includes(4_321)).toBe(limited);
    const records = await store.records("plain-run");
    expect(records).toHaveLength(3);
    expect(records.some(({ value }) => "activeMs" in (value as object))).toBe(limited);
  }
});
