import { describe, expect, test as plain } from "vitest";
import { Agent, defineTool, type CallHook } from "../../src/doors/tenon/index.js";
import { callTool, replyWith, slow, testClock, testWith } from "../../src/doors/testing/index.js";

describe("a clock by itself", () => {
  plain("stands still, and fires what is due in order and at its own time", async () => {
    const clock = testClock(1_000);
    const fired: string[] = [];
    const set = (name: string, ms: number) => clock.setTimer(() => void fired.push(`${name} ${clock.now()}`), ms);
    set("c", 30);
    set("a", 10);
    set("b", 10);
    set("negative", -5);
    const gone = set("gone", 20);
    gone.clear();
    gone.hold();
    gone.release();
    expect(clock.now()).toBe(1_000);
    await clock.advance(10);
    expect(fired).toEqual(["negative 1000", "a 1010", "b 1010"]);
    await clock.advance(19);
    expect(fired).toHaveLength(3);
    await clock.advance(1);
    expect(fired.at(-1)).toBe("c 1030");
    expect(clock.now()).toBe(1_030);
  });

  plain("lets what a timer sets off go on, and set timers of its own, before time goes on", async () => {
    const clock = testClock();
    const fired: number[] = [];
    const start = clock.now();
    const again = async (): Promise<void> => {
      fired.push(clock.now() - start);
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.resolve();
      clock.setTimer(() => void again(), 10);
    };
    clock.setTimer(() => void again(), 10);
    const [one, two] = [clock.advance(25), clock.advance(10)];
    await Promise.all([one, two]);
    expect(fired).toEqual([10, 20, 30]);
    expect(clock.now() - start).toBe(35);
  });

  plain("rejects with what a timer throws, and goes on from there", async () => {
    const clock = testClock(new Date(0));
    clock.setTimer(() => {
      throw new Error("boom");
    }, 5);
    await expect(clock.advance(10)).rejects.toThrow("boom");
    expect(clock.now()).toBe(5);
    await clock.advance(10);
    expect(clock.now()).toBe(15);
  });

  plain("runs until something has settled, whatever that is", async () => {
    const clock = testClock(0);
    const hour = new Promise<string>((resolve) => clock.setTimer(() => resolve("done"), 3_600_000));
    clock.setTimer(() => {}, 7_200_000);
    expect(await clock.runUntil(hour)).toBe("done");
    expect(clock.now()).toBe(3_600_000);
    await expect(clock.runUntil(Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await testClock(0).runUntil(new Promise((resolve) => setTimeout(() => resolve("real"), 1)))).toBe("real");
  });

  plain("stands still while something starts", async () => {
    const clock = testClock(0);
    const starting = new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => {
      clock.setTimer(() => void fired.push(clock.now()), 5);
    });
    const fired: number[] = [];
    clock.holdFor(starting);
    clock.holdFor(Promise.reject(new Error("no")));
    await clock.advance(5);
    expect(fired).toEqual([5]);
  });

  plain("takes times only", () => {
    for (const bad of [NaN, Infinity, "now", null, new Date(NaN)])
      expect(() => testClock(bad as never)).toThrowError(expect.objectContaining({ code: "bad_input" }));
    for (const bad of [-1, NaN, Infinity, "1", undefined])
      expect(() => testClock().advance(bad as never)).toThrowError(expect.objectContaining({ code: "bad_input" }));
  });
});

const never = defineTool({
  name: "never",
  description: "Never comes back.",
  timeoutMs: 3_600_000,
  run: () => new Promise(() => {}),
});
const quick = defineTool({ name: "quick", description: "Is quick.", run: () => "quick" });
@Agent({ name: "waiter", description: "Waits.", tools: [never, quick] })
class Waiter {}

describe("an app under a clock", () => {
  const clock = testClock();
  const test = testWith(Waiter, { clock });

  test("times its tools out by it", async ({ app, mockLlm }) => {
    mockLlm(Waiter).thenReturn(callTool(never), replyWith("done"));
    const running = app.run({ prompt: "go" });
    await clock.advance(3_599_999);
    expect(mockLlm(Waiter).requests).toHaveLength(1);
    await clock.advance(1);
    expect((await running).text).toBe("done");
    expect(JSON.stringify(mockLlm(Waiter).requests[1]!.messages.at(-1))).toContain("no answer within 3600000 ms");
  });

  test("tells the time of events by it, and a slow step takes that time", async ({ app, mockLlm, events }) => {
    mockLlm(Waiter).thenReturn(slow(callTool(quick), 5_000), replyWith("done"));
    const running = app.run({ prompt: "go" });
    const start = clock.now();
    await clock.advance(4_999);
    expect(events.some(({ type }) => type === "tool-start")).toBe(false);
    await clock.advance(1);
    expect((await running).text).toBe("done");
    expect(events.find(({ type }) => type === "tool-start")!.at - start).toBe(5_000);
  });

  const asked: CallHook = { onBeforeCall: () => new Promise<undefined>(() => {}) };
  testWith(Waiter, { clock, hooks: [asked] })("times its hooks out by it", async ({ app, mockLlm }) => {
    mockLlm(Waiter).thenReturn(callTool(quick), replyWith("done"));
    const running = app.run({ prompt: "go" });
    await clock.advance(5_000);
    expect((await running).text).toBe("done");
    expect(JSON.stringify(mockLlm(Waiter).requests[1]!.messages.at(-1))).toContain("was not allowed");
  });

  test("keeps a run's lease by it", async ({ app, mockLlm }) => {
    mockLlm(Waiter).thenReturn(callTool(never), replyWith("done"));
    const running = app.run({ prompt: "go" });
    await clock.advance(60_000);
    expect(await app.recover()).toEqual({ continued: [], skipped: [] });
    await clock.advance(3_600_000);
    expect((await running).status).toBe("completed");
  });

  test("is closed after a test that leaves a run behind: the time is moved on", async ({ app, mockLlm }) => {
    mockLlm(Waiter).thenReturn(callTool(never));
    void app.run({ prompt: "go" }).catch(() => {});
    await clock.advance(10);
    expect((await app.health()).activeRuns).toBe(1);
  });

  testWith(Waiter, (() => ({ clock: { now: () => 0 } })) as never)("refuses another clock", async ({ app }) => {
    await expect(app.health()).rejects.toThrow(/testClock\(\)/);
  });
});
