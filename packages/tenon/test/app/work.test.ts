import { expect, test } from "vitest";
import { createApp, memoryStore, type Store } from "../../src/doors/tenon/index.js";
import { createAppWith } from "../../src/app/create-app.js";
import { callTool, replyWith, scriptedModel, testClock } from "../../src/doors/testing/index.js";
import { LookUp, SaveNote, Support, type Diary } from "./desk.js";

const yes = { approved: true, by: "ann" } as const;

/** So many paused runs, all answered: somebody has to continue them. */
async function answered(store: Store, count: number): Promise<readonly string[]> {
  const model = scriptedModel(...Array.from({ length: count }, (_, at) => callTool(SaveNote, { title: `n${at}` })));
  const app = await createApp(Support, { models: { default: model }, store });
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const paused = await app.run({ prompt: "go" }, { threadId: `t${at}`, runId: `run-0000${at}` });
    await app.decide(paused.runId, { [paused.pauses[0]!.id]: yes });
    ids.push(paused.runId);
  }
  await app.close();
  return ids;
}

const dones = (count: number) => scriptedModel(...Array.from({ length: count }, () => replyWith("done")));

test("continues what nobody has, at once and at every pass, and resolves when the app is closed", async () => {
  const store = memoryStore();
  const clock = testClock();
  const [first] = await answered(store, 1);
  const model = scriptedModel(replyWith("done"), callTool(SaveNote, { title: "x" }), replyWith("saved"));
  const app = await createAppWith(Support, { models: { default: model }, store }, { clock });
  const working = app.work({ pollMs: 200 });
  await clock.advance(0);
  expect(await app.result(first!)).toMatchObject({ status: "completed", text: "done" });
  const paused = await app.run({ prompt: "again" });
  await app.decide(paused.runId, { [paused.pauses[0]!.id]: yes });
  const result = app.result(paused.runId);
  await clock.advance(199);
  expect((await store.run(paused.runId))?.status).toBe("paused");
  await clock.advance(300);
  expect(await result).toMatchObject({ text: "saved" });
  await app.close();
  await working;
  await expect(app.work()).rejects.toMatchObject({ code: "app_closed" });
});

test("a run that takes long does not hold up the pass, and is not taken twice", async () => {
  const store = memoryStore();
  const clock = testClock();
  const ids = await answered(store, 3);
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const seen: string[] = [];
  const app = await createAppWith(
    Support,
    {
      models: { default: dones(3) },
      store,
      hooks: [{ onAfterCall: () => (seen.push("after"), undefined) }],
      onEvent: ({ type, runId }) => void (type === "run-resumed" && seen.push(runId)),
    },
    { clock },
  );
  const slow = store.pickUp.bind(store);
  (store as { pickUp: Store["pickUp"] }).pickUp = (runId, ...rest) =>
    runId === ids[0] ? gate.then(() => slow(runId, ...rest)) : slow(runId, ...rest);
  const working = app.work({ pollMs: 100 });
  await clock.advance(1_000);
  expect((await app.result(ids[1]!)).status).toBe("completed");
  expect((await app.result(ids[2]!)).status).toBe("completed");
  open();
  await clock.advance(500);
  expect((await app.result(ids[0]!)).status).toBe("completed");
  expect(seen.filter((entry) => entry === "after")).toHaveLength(3);
  expect(seen.filter((entry) => entry === ids[0])).toHaveLength(1);
  await app.close();
  await working;
});

test.each([
  ["the clock goes on", 0],
  ["the system's clock is set an hour back", -3_600_000],
  ["the system's clock is set a day ahead", 86_400_000],
])(
  "what cannot be continued is told once for each reason, tried again less and less often, and harms no other run: %s",
  async (_, jumpMs) => {
    const store = memoryStore();
    const clock = testClock();
    const first = await createApp(Support, {
      models: { default: scriptedModel(callTool(SaveNote, { title: "a" }), callTool(SaveNote, { title: "b" })) },
      store,
    });
    const diary: Diary = { lines: [] };
    const stuck = await first.run({ prompt: "go" }, { executionContext: diary });
    const fine = await first.run({ prompt: "go" });
    for (const { runId, pauses } of [stuck, fine]) await first.decide(runId, { [pauses[0]!.id]: yes });
    await first.close();

    const tries: number[] = [];
    let answer: () => { readonly executionContext?: unknown } = () => ({});
    const app = await createAppWith(
      Support,
      {
        models: { default: dones(2) },
        store,
        restore: ({ runId }) => {
          if (runId !== stuck.runId) return undefined;
          tries.push(clock.elapsedMs());
          return answer();
        },
      },
      { clock },
    );
    const skipped: unknown[] = [];
    const start = clock.elapsedMs();
    const working = app.work({
      pollMs: 1_000,
      onSkipped: (runId, { code }) => {
        skipped.push([runId, code]);
        throw new Error("a bad listener");
      },
    });
    await clock.advance(4_500);
    clock.jump(jumpMs);
    await clock.advance(4_000);
    expect((await app.result(fine.runId)).status).toBe("completed");
    expect(skipped).toEqual([[stuck.runId, "context_required"]]);
    expect(tries.map((at) => at - start)).toEqual([0, 1_000, 3_000, 7_000]);
    await clock.advance(3_600_000);
    const late = tries.slice(-5);
    expect(late[4]! - late[3]!).toBeLessThanOrEqual(61_000);
    answer = () => {
      throw new Error("no such user");
    };
    await clock.advance(61_000);
    expect(skipped).toHaveLength(2);
    answer = () => ({ executionContext: diary });
    await clock.advance(61_000);
    expect((await app.result(stuck.runId)).status).toBe("completed");
    expect(diary.lines).toEqual(["save_note a"]);
    expect(skipped).toHaveLength(2);
    expect((await app.health()).faults).toBe(2);
    await app.close();
    await working;
  },
);

test("a store that fails now is asked again at the next pass", async () => {
  const store = memoryStore();
  const clock = testClock();
  const [runId] = await answered(store, 1);
  const expire = store.expire.bind(store);
  let failures = 2;
  (store as { expire: Store["expire"] }).expire = (now) => {
    if (failures-- > 0) throw new Error("locked");
    return expire(now);
  };
  const app = await createAppWith(Support, { models: { default: dones(1) }, store }, { clock });
  const working = app.work({ pollMs: 100 });
  await clock.advance(150);
  expect((await store.run(runId!))?.status).toBe("paused");
  await clock.advance(200);
  expect((await app.result(runId!)).text).toBe("done");
  await app.close();
  await working;
});

test("two workers share the runs of one store, each run once", async () => {
  const store = memoryStore();
  const diary: string[] = [];
  const ids = await answered(store, 6);
  const apps = await Promise.all(
    ["a", "b"].map((name) =>
      createApp(Support, {
        models: { default: dones(6) },
        store,
        onEvent: ({ type, runId }) => void (type === "tool-start" && diary.push(`${name} ${runId}`)),
      }),
    ),
  );
  const working = apps.map((app) => app.work({ pollMs: 5 }));
  for (const id of ids) expect((await apps[0]!.result(id)).status).toBe("completed");
  expect(diary.map((line) => line.slice(2)).sort()).toEqual([...ids].sort());
  for (const app of apps) await app.close();
  await Promise.all(working);
});

test("a signal ends the work; what it has goes on; options that are none are refused", async () => {
  const store = memoryStore();
  const ids = await answered(store, 1);
  await using app = await createApp(Support, {
    models: { default: scriptedModel(callTool(LookUp, { q: "x" }), replyWith("done")) },
    store,
  });
  for (const bad of [{ pollMs: 0 }, { pollMs: "1s" }, { signal: 1 }, { onSkipped: 1 }, { every: 5 }, null, 5])
    await expect(app.work(bad as never)).rejects.toMatchObject({ code: "bad_input" });
  await app.work({ signal: AbortSignal.abort() });
  expect((await store.run(ids[0]!))?.status).toBe("paused");
  const stop = new AbortController();
  const working = app.work({ signal: stop.signal });
  await expect.poll(async () => (await store.run(ids[0]!))?.status).not.toBe("paused");
  stop.abort();
  await working;
  expect((await app.result(ids[0]!)).text).toBe("done");
});
