import { describe, expect, test } from "vitest";
import { JournalError, StoreError } from "../../src/errors/run-errors.js";
import {
  ended,
  isKind,
  lease,
  newRun,
  NOW,
  paused,
  pickedUp,
  record,
  request,
  signal,
  started,
} from "../../src/testing/store-contract-fixture.js";
import { databaseAt, freshPath, storeAt } from "./sqlite-fixture.js";

function namesIn(path: string, table: string): number {
  return (databaseAt(path).prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
}

describe("names of ended runs move together", () => {
  test("and every run is found by its id, its thread and in lists, before and after", async () => {
    const path = freshPath();
    const store = storeAt(path);
    const ids = Array.from({ length: 100 }, (_, i) => `run-${i}`);
    for (const [i, id] of ids.entries()) {
      const threadId = i % 3 === 0 ? id : i % 3 === 1 ? "shared" : `thread-${i}`;
      await ended(store, await started(store, id, threadId, { owner: "ann" }));
    }
    expect(namesIn(path, "open_runs")).toBeLessThan(40);
    expect(namesIn(path, "open_runs") + namesIn(path, "run_names")).toBe(100);
    for (const id of ids) {
      expect((await store.run(id))?.status, id).toBe("completed");
      expect((await store.start(request(newRun(id, "elsewhere", { owner: "ann" })))).kind, id).toBe("exists");
    }
    expect((await store.runs({ limit: 1000 })).map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await store.runs({ threadId: "shared", limit: 1000 })).map(({ n }) => n)).toEqual(
      Array.from({ length: 33 }, (_, i) => 33 - i),
    );
    expect((await store.window("shared", 34, 5)).map(({ run }) => run.n)).toEqual([29, 30, 31, 32, 33]);
    expect((await store.window("shared", 10, 2)).map(({ run }) => run.n)).toEqual([8, 9]);
    expect(await store.runs({ runnableAt: NOW + 1e9 })).toEqual([]);
    expect(await store.thread("run-0")).toEqual({ owner: "ann" });
    expect(isKind(await store.start(request(newRun("next", "shared", { owner: "ann" }))), "started").run.n).toBe(34);
  });

  test("also those that another process left behind, at the first start", async () => {
    const path = freshPath();
    const first = storeAt(path);
    for (let i = 0; i < 20; i++) await ended(first, await started(first, `run-${i}`, `run-${i}`));
    await started(first, "run-open", "thread-open");
    await first.close();
    expect(namesIn(path, "run_names")).toBe(0);
    const second = storeAt(path);
    await started(second, "run-new", "thread-new");
    expect([namesIn(path, "open_runs"), namesIn(path, "run_names")]).toEqual([2, 20]);
    expect((await second.run("run-7"))?.status).toBe("completed");
  });

  test("one that has not moved is ended to every call", async () => {
    const path = freshPath();
    const [store, other] = [storeAt(path), storeAt(path)];
    const run = await started(store, "run-1", "thread-1");
    await store.cancel("run-1", NOW, "cancelled");
    await ended(store, run);
    expect(namesIn(path, "open_runs")).toBe(1);
    for (const one of [store, other]) {
      expect((await one.pickUp("run-1", lease("app-2"), NOW + 1e9)).kind).toBe("ended");
      expect((await one.cancel("run-1", NOW + 1e9, "cancelled")).kind).toBe("ended");
      expect(await one.signal("run-1", [])).toEqual({ kind: "recorded" });
      expect(await one.park("run-1", 1, [])).toBe("fenced");
      expect(await one.append({ runId: "run-1", epoch: 1, records: [record("late")] })).toBe("fenced");
      expect(await one.append({ runId: "run-1", epoch: 1, records: [record("a"), record("b")] })).toBe("fenced");
      expect(await one.renew([{ runId: "run-1", epoch: 1 }], lease())).toEqual({ lost: [], cancels: [], woken: [] });
      expect(await one.runs({ runnableAt: NOW + 1e9 })).toEqual([]);
      expect(await one.runs({ status: ["running"] })).toEqual([]);
    }
    expect((await started(other, "run-2", "thread-1")).n).toBe(2);
  });

  test("a run whose id is the name of an older thread is another run", async () => {
    const store = storeAt(freshPath());
    await ended(store, await started(store, "run-aaaa", "run-bbbb"));
    await ended(store, await started(store, "run-bbbb", "run-bbbb"));
    await ended(store, await started(store, "run-cccc", "run-cccc"));
    expect((await store.run("run-bbbb"))?.n).toBe(2);
    expect((await store.run("run-aaaa"))?.n).toBe(1);
    expect(await store.run("run-dddd")).toBeUndefined();
    expect((await store.start(request(newRun("run-cccc", "run-bbbb")))).kind).toBe("exists");
  });
});

describe("two connections that write one run", () => {
  test("keep their records in order and their keys apart", async () => {
    const path = freshPath();
    const [first, second] = [storeAt(path), storeAt(path)];
    await started(first, "run-1", "thread-1");
    const append = (store: typeof first, ...keys: readonly string[]): unknown =>
      store.append({ runId: "run-1", epoch: 1, records: keys.map((key) => record(key)) });
    append(first, "a");
    append(second, "b");
    append(second, "c", "d");
    expect(() => append(first, "c")).toThrow(JournalError);
    expect(() => append(first, "e", "b")).toThrow(JournalError);
    expect(append(first, "e", "f")).toBe("written");
    expect(() => append(second, "f")).toThrow(/recorded twice: f of run run-1/);
    expect(append(second, "g")).toBe("written");
    expect((await second.records("run-1")).map(({ key }) => key)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  });

  test("one that did not see the end, or that another took the run, writes nothing", async () => {
    const path = freshPath();
    const [first, second] = [storeAt(path), storeAt(path)];
    const run = await started(first, "run-1", "thread-1");
    await first.append({ runId: "run-1", epoch: 1, records: [record("a")] });
    const taken = (await pickedUp(second, "run-1", "app-2", NOW + 20_000)).run;
    expect(await first.append({ runId: "run-1", epoch: run.epoch, records: [record("b")] })).toBe("fenced");
    await second.append({ runId: "run-1", epoch: taken.epoch, records: [record("c")] });
    expect(await first.append({ runId: "run-1", epoch: run.epoch, records: [record("a")] })).toBe("fenced");
    await ended(second, taken);
    const opened = [{ ...signal("pause-1"), runId: "run-1" } as never];
    expect(await first.append({ runId: "run-1", epoch: taken.epoch, records: [], opened })).toBe("fenced");
    expect(await first.append({ runId: "run-1", epoch: taken.epoch, records: [record("d")] })).toBe("fenced");
    expect((await first.records("run-1")).map(({ key }) => key)).toEqual(["a", "c"]);
    expect(await first.pauses({})).toEqual([]);
  });

  test("a run that was parked here and gone on with there goes on here again", async () => {
    const path = freshPath();
    const [first, second] = [storeAt(path), storeAt(path)];
    await paused(first, await started(first, "run-1", "thread-1"), "pause-1");
    await first.signal("run-1", [signal("pause-1")]);
    const there = (await pickedUp(second, "run-1")).run;
    await second.append({ runId: "run-1", epoch: there.epoch, records: [record("a"), record("b")] });
    await second.release("run-1", there.epoch);
    const here = (await pickedUp(first, "run-1", "app-1")).run;
    expect(await first.append({ runId: "run-1", epoch: here.epoch, records: [record("c")] })).toBe("written");
    expect((await first.records("run-1")).map(({ key }) => key)).toEqual(["a", "b", "c"]);
  });
});

test("a run with more records than can be counted is an error, and the next run's are untouched", async () => {
  const path = freshPath();
  const store = storeAt(path);
  await started(store, "run-1", "thread-1");
  await started(store, "run-2", "thread-2");
  databaseAt(path).exec(
    "INSERT INTO records (at, key, epoch, type, v, activation, json) VALUES (2097150, 'k', 1, 'model', 1, 'x', '1')",
  );
  const other = storeAt(path);
  const append = (key: string): unknown => other.append({ runId: "run-1", epoch: 1, records: [record(key)] });
  expect(append("last")).toBe("written");
  expect(() => append("more")).toThrow(StoreError);
  expect(() => append("more")).toThrow(/more records than the store can count: 1048575, more. Nothing was written/);
  expect((await store.records("run-1")).map(({ key }) => key)).toEqual(["k", "last"]);
  expect(await store.records("run-2")).toEqual([]);
});
