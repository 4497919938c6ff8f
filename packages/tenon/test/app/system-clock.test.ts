import { describe, expect, test } from "vitest";
import { createAppWith } from "../../src/app/create-app.js";
import { priced } from "../../src/doors/models/index.js";
import {
  defineAgent,
  defineTool,
  defineWorkflow,
  memoryStore,
  usd,
  type AfterCall,
  type AgentOptions,
  type App,
  type Limits,
  type RunEvent,
  type Store,
} from "../../src/doors/tenon/index.js";
import {
  callTool,
  failWith,
  hang,
  replyWith,
  scriptedModel,
  testClock,
  type TestClock,
} from "../../src/doors/testing/index.js";
import { stores } from "./stores.js";
import type { Clock } from "../../src/util/clock.js";

const HOUR = 3_600_000;
const jumps = [
  ["an hour back", -HOUR],
  ["a day ahead", 24 * HOUR],
] as const;

const never = (): Promise<never> => new Promise(() => {});
const stuck = defineTool({ name: "stuck", description: "Never ends.", timeoutMs: 30_000, run: never });
/** Its time is over earlier: all that waits is looked at then. */
const brief = defineTool({ name: "brief", description: "Never ends.", timeoutMs: 15_000, run: never });
const quick = defineTool({ name: "quick", description: "Ends at once.", run: () => "done" });

interface Setup extends Partial<Omit<AgentOptions, "limits">> {
  readonly limits?: Limits;
  readonly store?: Store;
}

function appOf(
  clock: Clock,
  model: object,
  { limits = {}, store = memoryStore(), ...agent }: Setup = {},
): Promise<App> {
  const tools = [stuck, brief];
  const clerk = defineAgent({ name: "clerk", description: "Works.", model: model as never, tools, ...agent });
  return createAppWith(defineWorkflow({ name: "desk", agents: [clerk], limits }), { store, env: {} }, { clock });
}

type Wait = readonly [what: string, app: (clock: TestClock) => Promise<App>, end: object];

/** Runs that wait for thirty seconds, and how they end. */
const waits: readonly Wait[] = [
  [
    "the time of a call",
    (clock) => appOf(clock, scriptedModel(callTool(stuck, {}), replyWith("on"))),
    { status: "completed", text: "on" },
  ],
  [
    "the time of a model's answer",
    (clock) => appOf(clock, scriptedModel(hang()), { modelCall: { timeoutMs: 30_000, retries: 0 } }),
    { status: "failed", error: { data: { timeoutMs: 30_000 } } },
  ],
  [
    "the time of a turn with all attempts",
    (clock) => appOf(clock, scriptedModel(hang()), { modelCall: { timeoutMs: 30_000, deadlineMs: 30_000 } }),
    { status: "failed", error: { data: { timeoutMs: 30_000 } } },
  ],
  [
    "the wait before a model is asked again",
    (clock) => {
      const busy = Object.assign(new Error("busy"), { statusCode: 503, responseHeaders: { "retry-after": "27" } });
      return appOf(clock, scriptedModel(failWith(busy), replyWith("now")), { modelCall: { deadlineMs: 60_000 } });
    },
    { status: "completed", text: "now" },
  ],
  [
    "the time of a run",
    (clock) => appOf(clock, scriptedModel(hang()), { limits: { perRun: { wallTimeMs: 30_000 } } }),
    { status: "failed", error: { data: { limit: "limits.perRun.wallTimeMs" } } },
  ],
  [
    "the time of six hooks",
    (clock) => {
      const hooks = Array.from({ length: 6 }, () => ({ onAfterCall: never }));
      return appOf(clock, scriptedModel(callTool(quick, {}), replyWith("on")), { tools: [quick, brief], hooks });
    },
    { status: "completed", text: "on" },
  ],
  [
    "the wait for what others have reserved",
    async (clock) => {
      const prices = { input: usd(1), output: usd(10) };
      const limits = { reserveWaitMs: 30_000, perDay: { owner: { cost: usd(0.0015) } } };
      const modelCall = { timeoutMs: 10 * HOUR };
      const model = priced(scriptedModel(hang()), prices);
      const app = await appOf(clock, model, { limits, maxOutputTokens: 100, modelCall });
      void app.run({ prompt: "go" }, { owner: "ann" }).catch(() => {});
      return app;
    },
    { status: "failed", error: { data: { limit: "limits.perDay.owner.cost" } } },
  ],
];

describe.each(jumps)("the system's clock is set %s", (_, ms) => {
  test.each(waits)("which changes nothing for %s", async (_what, newApp, end) => {
    const clock = testClock();
    const app = await newApp(clock);
    let endedAt = 0;
    const run = app.run({ prompt: "go" }, { owner: "ann" }).finally(() => (endedAt = clock.elapsedMs()));
    void app.tool(brief).invoke({});
    await clock.advance(10_000);
    clock.jump(ms);
    await clock.advance(25_000);
    expect(endedAt).toBeGreaterThanOrEqual(27_000);
    expect(await run).toMatchObject(end);
    await clock.runUntil(app.close({ graceMs: 0 }));
  });

  test("which changes nothing for what events and hooks are told of a call's time", async () => {
    const clock = testClock();
    const told: number[] = [];
    const slow = defineTool({
      name: "slow",
      description: "Takes two seconds, and is late with it.",
      timeoutMs: 1_500,
      run: () => new Promise<string>((resolve) => clock.setTimer(() => resolve("done"), 2_000)),
    });
    const model = scriptedModel(callTool(slow, {}), hang());
    const hooks = [{ onAfterCall: (_ctx: unknown, { durationMs }: AfterCall) => void told.push(durationMs) }];
    const app = await appOf(clock, model, { tools: [slow], hooks });
    const onEvent = (event: RunEvent): void => void (event.type === "tool-end" && told.push(event.durationMs));
    const run = app.run({ prompt: "go" }, { onEvent, runId: "told-in-time" });
    await clock.advance(1_000);
    clock.jump(ms);
    await clock.advance(1_000);
    expect(told).toEqual([1_500, 1_500, 2_000]);
    await app.cancel("told-in-time");
    expect((await run).status).toBe("cancelled");
    await app.close();
  });
});

test.each(stores)("on %s: limits of a day hold when the system's clock was some days ahead", async (_, newStore) => {
  const clock = testClock();
  const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
  const turns = [callTool(look, {}), replyWith("on")];
  const model = scriptedModel(...turns, ...turns, ...turns, callTool(look, {}), replyWith("unseen"));
  const limits = { perDay: { workflow: { toolCalls: 1, modelCalls: 2 }, owner: { modelCalls: 2 } } };
  const app = await appOf(clock, model, { store: newStore(), limits, tools: [look] });
  const run = async (): Promise<string> => (await app.run({ prompt: "go" }, { owner: "ann" })).status;
  expect(await run()).toBe("completed");
  clock.jump(24 * HOUR);
  expect(await run()).toBe("completed");
  clock.jump(48 * HOUR);
  expect(await run()).toBe("completed");
  clock.jump(-72 * HOUR);
  expect(await run()).toBe("failed");
  expect(model.requests).toHaveLength(6);
  await clock.runUntil(app.close());
});
