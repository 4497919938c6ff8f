import { expect, test } from "vitest";
import {
  createApp,
  memoryStore,
  ThreadBusyError,
  ThreadOwnerError,
  type RunResult,
} from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { LookUp, SaveNote, Support, WaitLong } from "./desk.js";

test("a thread goes on where it was, for its owner alone", async () => {
  const model = scriptedModel(replyWith("one"), replyWith("two"));
  await using app = await createApp(Support, { models: { default: model } });
  await app.run({ prompt: "first" }, { threadId: "t", owner: "ann" });
  await expect(app.run({ prompt: "x" }, { threadId: "t", owner: "bob" })).rejects.toThrow(ThreadOwnerError);
  await expect(app.run({ prompt: "x" }, { threadId: "t" })).rejects.toThrow(ThreadOwnerError);
  expect(model.requests).toHaveLength(1);
  const second = await app.run({ prompt: "second" }, { threadId: "t", owner: "ann" });
  expect(second.text).toBe("two");
  expect(JSON.stringify(model.requests[1])).toMatch(/first.*one.*second/s);
});

test("[B107] two runs on one thread come one after the other; other threads are not held up", async () => {
  const model = scriptedModel(callTool(WaitLong), replyWith("other"), replyWith("second"));
  await using app = await createApp(Support, { models: { default: model } });
  const stop = new AbortController();
  const diary = { lines: [] as string[] };
  const first = app.run({ prompt: "one" }, { threadId: "t", signal: stop.signal, executionContext: diary });
  await expect.poll(() => diary.lines).toEqual(["wait_long started"]);
  const second = app.run({ prompt: "two" }, { threadId: "t" });
  expect((await app.run({ prompt: "elsewhere" }, { threadId: "u" })).text).toBe("other");
  stop.abort();
  expect((await first).status).toBe("cancelled");
  expect((await second).text).toBe("second");
  const last = JSON.stringify(model.requests.at(-1));
  expect(last).toMatch(/one.*wait_long.*stopped before.*two/s);
});

test("[B107] first come, first served, each with the whole of the turn before", async () => {
  const model = scriptedModel(...Array.from({ length: 6 }, (_, i) => replyWith(`answer ${i}`)));
  await using app = await createApp(Support, { models: { default: model } });
  const results = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((i) => app.run({ prompt: `question ${i}` }, { threadId: "t" })),
  );
  expect(results.map(({ text }) => text)).toEqual([0, 1, 2, 3, 4, 5].map((i) => `answer ${i}`));
  for (let i = 1; i < 6; i++)
    expect(JSON.stringify(model.requests[i])).toMatch(
      new RegExp(`question ${i - 1}.*answer ${i - 1}.*question ${i}`, "s"),
    );
});

test("onBusy: refuse does not wait, and a paused run is never waited for", async () => {
  const model = scriptedModel(callTool(SaveNote, { title: "x" }), replyWith("saved"), replyWith("next"));
  await using app = await createApp(Support, { models: { default: model } });
  const paused = await app.run({ prompt: "save" }, { threadId: "t" });
  expect(paused.status).toBe("paused");
  for (const onBusy of ["wait", "refuse"] as const) {
    const refused: unknown = await app
      .run({ prompt: "more" }, { threadId: "t", onBusy })
      .catch((error: unknown) => error);
    expect(ThreadBusyError.is(refused)).toBe(true);
    expect((refused as ThreadBusyError).pauses).toMatchObject([{ id: paused.pauses[0]!.id, tool: "save_note" }]);
  }
  await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } });
  expect((await app.run({ prompt: "more" }, { threadId: "t" })).text).toBe("next");
});

test("a run id given again follows that run; with other input it is refused", async () => {
  const model = scriptedModel(callTool(LookUp, { q: "x" }), replyWith("done"));
  await using app = await createApp(Support, { models: { default: model } });
  const both = await Promise.all([
    app.run({ prompt: "go" }, { runId: "run-00001" }),
    app.run({ prompt: "go" }, { runId: "run-00001" }),
  ]);
  expect(both[0]).toEqual(both[1]);
  expect(await app.run({ prompt: "go" }, { runId: "run-00001" })).toEqual(both[0]);
  expect(model.requests).toHaveLength(2);
  await expect(app.run({ prompt: "another" }, { runId: "run-00001" })).rejects.toMatchObject({ code: "run_exists" });
  await expect(app.run({ prompt: "go" }, { runId: "run-00001", threadId: "elsewhere" })).rejects.toMatchObject({
    code: "run_exists",
  });
});

test("a caller that gives up waiting for a thread gets a canceled result, and leaves no run", async () => {
  const model = scriptedModel(callTool(WaitLong), replyWith("next"));
  const store = memoryStore();
  await using app = await createApp(Support, { models: { default: model }, store });
  const stop = new AbortController();
  const first = app.run({ prompt: "one" }, { threadId: "t", signal: stop.signal });
  await expect.poll(() => model.requests.length).toBe(1);
  const waiting: Promise<RunResult> = app.run({ prompt: "two" }, { threadId: "t", signal: AbortSignal.timeout(30) });
  expect(await waiting).toMatchObject({ status: "cancelled", usage: { modelCalls: 0 } });
  stop.abort();
  await first;
  expect(await store.runs({ threadId: "t" })).toHaveLength(1);
  expect((await app.run({ prompt: "three" }, { threadId: "t" })).text).toBe("next");
});
