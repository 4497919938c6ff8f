import { describe, expect, test } from "vitest";
import { BadInputError } from "../../src/errors/run-errors.js";
import { memoryStore } from "../../src/journal/memory-store.js";
import { storeContract } from "../../src/testing/store-contract.js";
import {
  ended,
  lease,
  newRun,
  NOW,
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
