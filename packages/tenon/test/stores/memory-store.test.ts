import { describe, expect, test } from "vitest";
import { BadInputError } from "../../src/errors/run-errors.js";
import { memoryStore } from "../../src/journal/memory-store.js";
import { storeContract } from "../../src/testing/store-contract.js";
import {
  doubt,
  ended,
  lease,
  newRun,
  NOW,
  opened,
  outcome,
  pause,
  paused,
  record,
  request,
  signal,
  started,
} from "../../src/testing/store-contract-fixture.js";

storeContract("memory", () => memoryStore());
storeContract("memory, keeping everything", () => memoryStore({ keep: Infinity }));

describe("memoryStore({ keep })", () => {
  test("forgets the runs that ended first, in all threads together", async () => {
    const store = memoryStore({ keep: 2 });
    await ended(store, await started(store, "run-1", "thread-1"));
    await ended(store, await started(store, "run-2", "thread-2"));
    await ended(store, await started(store, "run-3", "thread-1"));
    await ended(store, await started(store, "run-4", "thread-1"));
    expect(store.runs({}).map(({ id }) => id)).toEqual(["run-4", "run-3"]);
    expect(store.run("run-1")).toBeUndefined();
    expect(store.records("run-1")).toEqual([]);
    expect(store.window("thread-1", 9, 9).map(({ run }) => run.n)).toEqual([2, 3]);
    expect((await started(store, "run-5", "thread-1")).n).toBe(4);
  });

  test("never forgets a run that has not ended", async () => {
    const store = memoryStore({ keep: 0 });
    const first = await started(store, "run-1", "thread-1");
    await paused(store, await started(store, "run-2", "thread-2"), "pause-1");
    store.append({ runId: "run-1", epoch: 1, records: [record("a")] });
    expect(store.runs({})).toHaveLength(2);
    await ended(store, first);
    expect(store.run("run-1")).toBeUndefined();
    expect(store.signal("run-2", [signal("pause-1")])).toEqual({ kind: "recorded" });
  });

  test("a thread that nothing is left of is forgotten with its owner; one with a queue is not", async () => {
    const store = memoryStore({ keep: 1 });
    const run = await started(store, "run-1", "thread-1", { owner: "ann" });
    const busy = store.start(request(newRun("run-2", "thread-1", { owner: "ann" }), { queue: true }));
    await ended(store, run);
    await ended(store, await started(store, "run-3", "thread-2"));
    expect(store.thread("thread-1")).toEqual({ owner: "ann" });
    store.leaveQueue("thread-1", busy.kind === "busy" ? busy.ticket! : 0);
    expect(store.thread("thread-1")).toBeUndefined();
    expect(await started(store, "run-4", "thread-1", { owner: "bob" })).toMatchObject({ n: 1, owner: "bob" });
  });

  test("what it forgets takes its pauses along, those in doubt too", async () => {
    const store = memoryStore({ keep: 1 });
    const run = await started(store, "run-1", "thread-1", { owner: "ann" });
    await opened(store, run, pause("a", run), doubt("b", run));
    await store.signal("run-1", [signal("a")]);
    await ended(store, run, outcome("cancelled"));
    expect(store.pauses({}).map(({ id }) => id)).toEqual(["b"]);
    await ended(store, await started(store, "run-2", "thread-2"));
    expect(store.pauses({})).toEqual([]);
    expect(store.audit("run-1")).toEqual([]);
    expect(store.signal("run-1", [signal("b")])).toEqual({ kind: "absent" });
    expect(store.threadsOf("ann")).toEqual([]);
    store.expire(NOW + 99_000);
    expect(await started(store, "run-1", "thread-1")).toMatchObject({ n: 1, owner: undefined });
    expect(store.audit("run-1")).toEqual([]);
  });

  test("keep: 0 forgets a run as it ends, and a thread as its last run does", async () => {
    const store = memoryStore({ keep: 0 });
    const run = await started(store, "run-1", "thread-1", { owner: "ann" });
    await opened(store, run, doubt("b", run));
    await ended(store, run);
    expect([store.pauses({}), store.runs({}), store.threadsOf("ann")]).toEqual([[], [], []]);
    expect(store.prune(Infinity, 100)).toBe(0);
    expect(store.erase("thread-1")).toEqual({ erased: 0 });
  });

  test("runs that were pruned or erased do not count as kept", async () => {
    const store = memoryStore({ keep: 4 });
    const past = async (...ids: readonly string[]): Promise<void> => {
      for (const id of ids)
        await ended(store, await started(store, id, `thread-${id[0]}`), outcome(), NOW + Number(id[1]));
    };
    const left = (): readonly string[] => store.runs({}).map(({ id }) => id);
    await past("a1", "b2", "a3", "b4");
    expect(store.prune(NOW + 2, 100)).toBe(1);
    await past("c5");
    expect(left()).toEqual(["c5", "b4", "a3", "b2"]);
    // The last in the list goes, then the first, then one between.
    expect(store.erase("thread-c")).toEqual({ erased: 1 });
    await past("c6");
    expect(left()).toEqual(["c6", "b4", "a3", "b2"]);
    expect(store.erase("thread-a")).toEqual({ erased: 1 });
    await past("a7", "a8");
    expect(left()).toEqual(["a8", "a7", "c6", "b4"]);
    expect(store.prune(Infinity, 100)).toBe(4);
    expect(left()).toEqual([]);
    await past("a1", "b2", "c3", "d4", "e5");
    expect(left()).toEqual(["e5", "d4", "c3", "b2"]);
    expect(store.window("thread-a", 9, 9)).toEqual([]);
  });

  test("a thread that is waited for outlives its runs, and erase forgets it all the same", async () => {
    const store = memoryStore({ keep: 0 });
    const run = await started(store, "run-1", "thread-1", { owner: "ann" });
    store.start(request(newRun("run-2", "thread-1", { owner: "ann" }), { queue: true }));
    await ended(store, run);
    expect(store.threadsOf("ann")).toEqual(["thread-1"]);
    expect(store.erase("thread-1")).toEqual({ erased: 0 });
    expect(store.threadsOf("ann")).toEqual([]);
    expect(await started(store, "run-3", "thread-1", { owner: "bob" })).toMatchObject({ n: 1, owner: "bob" });
  });

  test("keeps 1000 by default", async () => {
    const store = memoryStore();
    for (let i = 0; i < 1005; i++) await ended(store, await started(store, `run-${i}`, "thread-1"));
    expect(store.runs({ limit: Infinity })).toHaveLength(1000);
    expect(store.window("thread-1", 9999, 9999).map(({ run }) => run.n)[0]).toBe(6);
  });

  test.each([-1, 1.5, Number.NaN, "9" as unknown as number, null as unknown as number])("refuses keep: %s", (keep) => {
    expect(() => memoryStore({ keep })).toThrow(BadInputError);
  });

  test("refuses an unknown option", () => {
    expect(() => memoryStore({ kep: 1 } as never)).toThrow("kep");
  });

  test("answers at once and survives its close", () => {
    const store = memoryStore();
    const start = store.start(request(newRun("run-1", "thread-1"), { lease: lease("app-1", NOW + 1) }));
    expect(start.kind).toBe("started");
    store.close();
    expect(store.run("run-1")?.status).toBe("running");
  });
});

test("finds what is left after thousands of runs came and went", async () => {
  const store = memoryStore({ keep: 3 });
  const open = await started(store, "open-1", "open-thread", { owner: "ann" });
  await paused(store, await started(store, "open-2", "paused-thread"), "pause-1");
  for (let i = 0; i < 5000; i++) await ended(store, await started(store, `run-${i}`, `thread-${i % 7}`));
  expect(store.runs({}).map(({ id }) => id)).toEqual(["run-4999", "run-4998", "run-4997", "open-2", "open-1"]);
  expect(store.run("open-1")).toEqual(open);
  expect(store.run("run-4000")).toBeUndefined();
  expect(store.thread("open-thread")).toEqual({ owner: "ann" });
  expect(store.thread("thread-3")).toBeUndefined();
  expect((await started(store, "run-0", "thread-3")).n).toBe(1);
  expect(store.run("run-0")?.status).toBe("running");
  expect(store.signal("open-2", [signal("pause-1")])).toEqual({ kind: "recorded" });
});

test("keeps thousands of open runs apart", async () => {
  const store = memoryStore({ keep: 0 });
  for (let i = 0; i < 5000; i++) await started(store, `run-${i}`, `thread-${i}`);
  for (let i = 0; i < 5000; i += 2) await ended(store, store.run(`run-${i}`)!);
  expect(store.runs({ limit: Infinity }).map(({ n }) => n)).toHaveLength(2500);
  for (let i = 0; i < 5000; i++) expect(store.run(`run-${i}`)?.id).toBe(i % 2 === 0 ? undefined : `run-${i}`);
});

test("finds runs and threads by name that were not looked for while thousands came after them", async () => {
  const store = memoryStore({ keep: Infinity });
  const ids = Array.from({ length: 3000 }, (_, i) => `run-${i}`);
  const add = (from: number, to: number): void => {
    for (const id of ids.slice(from, to)) store.start(request(newRun(id, id, { owner: id }), { fresh: true }));
  };
  const assertFound = (count: number): void => {
    expect(ids.slice(0, count).filter((id) => store.run(id)?.id !== id)).toEqual([]);
    expect(ids.slice(0, count).filter((id) => store.thread(id)?.owner !== id)).toEqual([]);
    expect(ids.slice(count).filter((id) => store.run(id) !== undefined)).toEqual([]);
    expect(store.runs({ limit: Infinity })).toHaveLength(count);
  };
  add(0, 1500);
  assertFound(1500);
  // Some more that come to what was looked through, then so many that it is put together anew.
  add(1500, 1510);
  assertFound(1510);
  add(1510, 3000);
  assertFound(3000);
});

test("an id that was forgotten means the run that has it now, however old the former one is", async () => {
  const store = memoryStore({ keep: Infinity });
  const assertReused = async (ids: readonly string[], owner: string): Promise<void> => {
    for (const id of ids) {
      const known = store.run(id);
      if (known !== undefined) await ended(store, known);
      store.erase(id);
      expect([store.run(id), store.thread(id)]).toEqual([undefined, undefined]);
    }
    for (const id of ids) await started(store, id, id, { owner });
    for (const id of ids) expect([store.run(id)?.owner, store.thread(id)?.owner]).toEqual([owner, owner]);
    expect(store.threadsOf(owner).toSorted()).toEqual(ids.toSorted());
  };
  const ids = ["a", "b", "c"];
  for (let round = 0; round < 12; round++) {
    await assertReused(ids, `owner-${round}`);
    for (let i = 0; i < 300; i++) await started(store, `${round}-${i}`, `thread-${round}-${i}`);
  }
  expect(store.runs({ limit: Infinity })).toHaveLength(3603);
});
