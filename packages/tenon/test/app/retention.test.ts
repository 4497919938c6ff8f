import { describe, expect, test } from "vitest";
import { Agent, createApp, defineTool, type Store } from "../../src/doors/tenon/index.js";
import { createAppWith } from "../../src/app/create-app.js";
import { callTool, replyWith, scriptedModel, testClock } from "../../src/doors/testing/index.js";
import { SaveNote, Support, WaitLong, type Diary } from "./desk.js";
import { stores } from "./stores.js";

const day = 86_400_000;

/** A write that never ends: its run, once it is canceled, leaves a question behind. */
function hanging() {
  let started = (): void => {};
  const running = new Promise<void>((resolve) => (started = resolve));
  const tool = defineTool({
    name: "pay",
    description: "Pays.",
    access: "write",
    run: () => {
      started();
      return new Promise<string>(() => {});
    },
  });
  return { tool, running };
}

describe.each(stores)("on %s", (_kind, newStore) => {
  test("prune forgets what ended long ago, in batches, and nothing that is open or in doubt", async () => {
    const clock = testClock();
    const store: Store = newStore();
    const { tool, running } = hanging();
    @Agent({ name: "clerk", description: "d", tools: [tool, SaveNote] })
    class Clerk {}
    const answers = Array.from({ length: 450 }, (_, at) => replyWith(`a${at}`));
    const model = scriptedModel(callTool(SaveNote, { title: "x" }), callTool(tool), ...answers);
    await using app = await createAppWith(Clerk, { models: { default: model }, store }, { clock });
    const paused = await app.run({ prompt: "waits" });
    const doubtful = app.run({ prompt: "pays" }, { runId: "run-00001" });
    await running;
    await app.cancel("run-00001");
    expect(await doubtful).toMatchObject({ status: "cancelled" });
    for (let at = 0; at < 449; at++) await app.run({ prompt: `p${at}` }, { threadId: `t${at % 7}` });
    await clock.advance(31 * day);
    const young = await app.run({ prompt: "young" }, { threadId: "t0" });

    const batches: number[] = [];
    const prune = store.prune.bind(store);
    store.prune = (before, limit) => (batches.push(limit), prune(before, limit));
    let others = 0;
    const beat = setInterval(() => others++, 0);
    expect(await app.prune({ olderThan: "30d" })).toBe(449);
    clearInterval(beat);
    expect(batches.length).toBeGreaterThan(2);
    expect(await app.prune({ olderThan: 0 })).toBe(0);
    expect((await app.runs()).map(({ id }) => id).sort()).toEqual([paused.runId, "run-00001", young.runId].sort());
    expect(await app.pauses()).toHaveLength(2);

    const question = (await app.pauses({ runId: "run-00001" }))[0]!;
    await app.decide("run-00001", { [question.id]: { action: "give-up", by: "ann" } });
    expect(await app.prune({ olderThan: "30d" })).toBe(1);
    await expect(app.inspect("run-00001")).rejects.toMatchObject({ code: "run_not_found" });
    expect((await app.inspect(young.runId)).status).toBe("completed");
  });

  test("erase ends the open runs of a thread first, and leaves nothing of it", async () => {
    const store = newStore();
    const diary: Diary = { lines: [] };
    const model = scriptedModel(replyWith("one"), callTool(WaitLong), replyWith("other"), replyWith("fresh"));
    await using app = await createApp(Support, { models: { default: model }, store });
    const first = await app.run({ prompt: "one" }, { threadId: "t", owner: "ann" });
    const second = app.run({ prompt: "two" }, { threadId: "t", owner: "ann", executionContext: diary });
    await expect.poll(() => diary.lines.length).toBe(1);
    await app.run({ prompt: "other" }, { threadId: "u", owner: "ann" });
    expect(await app.erase({ threadId: "t" })).toEqual({ threads: 1, runs: 2, cancelled: 1 });
    expect((await second).status).toBe("cancelled");
    await expect(app.inspect(first.runId)).rejects.toMatchObject({ code: "run_not_found" });
    expect(await app.runs({ threadId: "t" })).toEqual([]);
    expect(await app.runs()).toHaveLength(1);
    expect(await app.erase({ threadId: "t" })).toEqual({ threads: 0, runs: 0, cancelled: 0 });
    // The thread is anybody's now.
    expect((await app.run({ prompt: "mine" }, { threadId: "t", owner: "bob" })).text).toBe("fresh");
  });

  test("erase of an owner: paused runs, runs of another process, questions in doubt, and runs that start meanwhile", async () => {
    const store = newStore();
    const { tool, running } = hanging();
    @Agent({ name: "clerk", description: "d", tools: [tool, SaveNote] })
    class Clerk {}
    const there = await createApp(Clerk, { models: { default: scriptedModel(callTool(tool)) }, store });
    const model = scriptedModel(callTool(SaveNote, { title: "x" }), replyWith("bob's"), replyWith("late"));
    await using here = await createApp(Clerk, { models: { default: model }, store });
    await here.run({ prompt: "waits" }, { threadId: "a", owner: "ann" });
    const bob = await here.run({ prompt: "bob's" }, { threadId: "b", owner: "bob" });
    const paying = there.run({ prompt: "pays" }, { threadId: "c", owner: "ann" });
    await running;
    // Somebody waits for the thread, and starts as soon as it is free.
    const late = here.run({ prompt: "late" }, { threadId: "c", owner: "ann" });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const erased = await here.erase({ owner: "ann" });
    expect((await paying).status).toBe("cancelled");
    await late;
    const rest = await here.erase({ owner: "ann" });
    expect(erased.runs + rest.runs).toBe(3);
    expect(erased.cancelled + rest.cancelled).toBeGreaterThanOrEqual(2);
    expect((await here.runs()).map(({ id }) => id)).toEqual([bob.runId]);
    expect(await here.pauses()).toEqual([]);
    expect(await store.threadsOf("ann")).toEqual([]);
    await there.close();
  });

  test("an owner's erase goes on until nothing is left: a run that started meanwhile is erased too", async () => {
    const store: Store = newStore();
    const model = scriptedModel(replyWith("one"), replyWith("two"));
    await using app = await createApp(Support, { models: { default: model }, store });
    await app.run({ prompt: "one" }, { threadId: "t", owner: "ann" });
    const erase = store.erase.bind(store);
    let more = 1;
    store.erase = async (threadId) => {
      const done = await erase(threadId);
      if (more-- > 0) await app.run({ prompt: "two" }, { threadId: "t2", owner: "ann" });
      return done;
    };
    expect(await app.erase({ owner: "ann" })).toEqual({ threads: 2, runs: 2, cancelled: 0 });
    expect(await app.runs()).toEqual([]);
  });

  test("what is no clear wish is refused, and nothing is forgotten", async () => {
    const app = await createApp(Support, { models: { default: scriptedModel(replyWith("one")) } });
    await app.run({ prompt: "one" }, { threadId: "t", owner: "ann" });
    for (const bad of [undefined, null, {}, { olderThan: "soon" }, { olderThan: -1 }, { olderThan: "1d", limit: 3 }])
      await expect(app.prune(bad as never), JSON.stringify(bad)).rejects.toMatchObject({ code: "bad_input" });
    for (const bad of [
      undefined,
      null,
      {},
      "t",
      { threadId: "" },
      { owner: 7 },
      { threadId: "t", owner: "ann" },
      { thread: "t" },
    ])
      await expect(app.erase(bad as never), JSON.stringify(bad)).rejects.toMatchObject({ code: "bad_input" });
    expect(await app.runs()).toHaveLength(1);
    await app.close();
    await expect(app.prune({ olderThan: 0 })).rejects.toMatchObject({ code: "app_closed" });
    await expect(app.erase({ threadId: "t" })).rejects.toMatchObject({ code: "app_closed" });
  });
});
