import { expect, test } from "vitest";
import { createApp, memoryStore } from "../../src/doors/tenon/index.js";
import { callTool, rawTurn, replyWith, scriptedModel, testClock, testWith } from "../../src/doors/testing/index.js";
import { Desk, SaveNote, Support, WaitLong, type Diary } from "./desk.js";

const yes = { approved: true, by: "ann" } as const;

test("gives the result of a run that has ended or is paused, as the run itself did", async () => {
  const model = scriptedModel(callTool(SaveNote, { title: "x" }), replyWith("saved"));
  await using app = await createApp(Support, { models: { default: model } });
  const paused = await app.run({ prompt: "go" });
  expect(await app.result(paused.runId)).toEqual(paused);
  const ended = await app.resume(paused.runId, { [paused.pauses[0]!.id]: yes });
  expect(await app.result(paused.runId)).toEqual(ended);
});

test("says what cut an answer off, and nothing of a whole one", async () => {
  const model = scriptedModel(rawTurn({ text: "half", finish: "length" }), replyWith("whole"));
  await using app = await createApp(Support, { models: { default: model } });
  const cut = await app.run({ prompt: "go" });
  expect(cut).toMatchObject({ status: "completed", output: "half", finish: "length" });
  expect(await app.result(cut.runId)).toEqual(cut);
  expect(await app.run({ prompt: "go" })).not.toHaveProperty("finish");
});

test("waits for a run that is active here, and for one of another process; continues nothing", async () => {
  const store = memoryStore();
  const diary: Diary = { lines: [] };
  const options = { store, restore: () => ({ executionContext: diary }) };
  const there = await createApp(Support, { ...options, models: { default: scriptedModel(callTool(WaitLong)) } });
  const elsewhere = scriptedModel();
  await using here = await createApp(Support, { ...options, models: { default: elsewhere } });
  const run = there.run({ prompt: "go" }, { runId: "run-00001", executionContext: diary });
  await expect.poll(() => diary.lines).toEqual(["wait_long started"]);
  const waiting = [there.result("run-00001"), here.result("run-00001")];
  await there.cancel("run-00001");
  const result = await run;
  expect(result.status).toBe("cancelled");
  expect(await Promise.all(waiting)).toEqual([result, result]);
  expect(elsewhere.requests).toHaveLength(0);
  await there.close();
});

test("a run that was left, or answered and not picked up yet, is waited for until somebody continues it", async () => {
  const store = memoryStore();
  const model = scriptedModel(callTool(SaveNote, { title: "x" }), replyWith("saved"));
  await using app = await createApp(Support, { models: { default: model }, store });
  const paused = await app.run({ prompt: "go" });
  await app.decide(paused.runId, { [paused.pauses[0]!.id]: yes });
  let over = false;
  const waiting = app.result(paused.runId).finally(() => (over = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(over).toBe(false);
  expect((await store.run(paused.runId))?.status).toBe("paused");
  await app.recover();
  expect(await waiting).toMatchObject({ status: "completed", text: "saved" });
});

test("a signal ends the waiting and not the run; close ends it too; bad input is told", async () => {
  const diary: Diary = { lines: [] };
  const store = memoryStore();
  const app = await createApp(Support, { models: { default: scriptedModel(callTool(WaitLong)) }, store });
  const other = await createApp(Support, { models: { default: scriptedModel() }, store });
  const run = app.run({ prompt: "go" }, { runId: "run-00001", executionContext: diary }).catch(() => {});
  await expect.poll(() => diary.lines.length).toBe(1);
  for (const waiter of [app, other]) {
    const stop = new AbortController();
    const waiting = waiter.result("run-00001", { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(waiter.result("run-00001", { signal: stop.signal })).rejects.toThrow("enough");
  }
  expect((await store.run("run-00001"))?.status).toBe("running");

  await expect(app.result("run-of-nobody")).rejects.toMatchObject({ code: "run_not_found" });
  await expect(app.result(7 as never)).rejects.toMatchObject({ code: "bad_input" });
  await expect(app.result("run-00001", { signal: 7 } as never)).rejects.toMatchObject({ code: "bad_input" });
  await expect(app.result("run-00001", { onEvent: () => {} } as never)).rejects.toMatchObject({ code: "bad_input" });

  for (const waiter of [other, app]) {
    const closed = expect(waiter.result("run-00001")).rejects.toMatchObject({
      code: "app_closed",
      data: { runId: "run-00001" },
    });
    await waiter.close({ graceMs: 0 });
    await closed;
    await expect(waiter.result("run-00001")).rejects.toMatchObject({ code: "app_closed" });
  }
  await run;
});

const clock = testClock();
const timed = testWith(Desk, () => ({ clock }));

timed("the app of a test watches and waits too, by its clock", async ({ app, mockLlm }) => {
  mockLlm(Desk).thenReturn(callTool(SaveNote, { title: "x" }), replyWith("saved"));
  const paused = await app.run({ prompt: "go" });
  const seen: string[] = [];
  for await (const event of app.watch(paused.runId)) seen.push(event.type);
  expect(seen.at(-1)).toBe("run-end");
  await app.decide(paused.runId, { [paused.pauses[0]!.id]: yes });
  const waiting = app.result(paused.runId);
  const working = app.work();
  await clock.advance(1_000);
  expect(await waiting).toMatchObject({ text: "saved" });
  expect(await app.prune({ olderThan: "1d" })).toBe(0);
  expect(await app.erase({ threadId: paused.threadId })).toEqual({ threads: 1, runs: 1, cancelled: 0 });
  await app.close();
  await working;
});
