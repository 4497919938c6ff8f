import { describe, expect, test } from "./vitest.js";
import {
  ended,
  NOW,
  openStore,
  outcome,
  paused,
  pickedUp,
  record,
  started,
  type OpenStore,
} from "./store-contract-fixture.js";

/** Lists of runs, and the window on a thread. */
export function listContract(open: OpenStore): void {
  describe("lists", () => {
    test("runs come newest first, by status, thread and number", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1"));
      await ended(store, await started(store, "run-2", "thread-2"), outcome("failed"));
      await paused(store, await started(store, "run-3", "thread-3"), "pause-1");
      await started(store, "run-4", "thread-1");
      const ids = async (filter: Parameters<typeof store.runs>[0]): Promise<readonly string[]> =>
        (await store.runs(filter)).map(({ id }) => id);
      expect(await ids({})).toEqual(["run-4", "run-3", "run-2", "run-1"]);
      expect(await ids({ threadId: "thread-1" })).toEqual(["run-4", "run-1"]);
      expect(await ids({ status: ["failed", "paused"] })).toEqual(["run-3", "run-2"]);
      expect(await ids({ status: ["completed"], threadId: "thread-1" })).toEqual(["run-1"]);
      expect(await ids({ status: [] })).toEqual([]);
      expect(await ids({ limit: 2 })).toEqual(["run-4", "run-3"]);
      for (const limit of [0, -1, Number.NaN]) expect(await ids({ limit })).toEqual([]);
      expect(await ids({ limit: Infinity })).toHaveLength(4);
      expect(await store.runs({ threadId: "thread-2" })).toEqual([await store.run("run-2")]);
    });

    test("a list without a limit has 100 runs", async () => {
      const store = await openStore(open);
      for (let i = 0; i < 101; i++) await started(store, `run-${i}`, `thread-${i}`);
      const all = await store.runs({});
      expect(all).toHaveLength(100);
      expect(all[0]?.id).toBe("run-100");
    });

    test("a window has the last ended runs before a number, oldest first, with their records", async () => {
      const store = await openStore(open);
      for (let i = 1; i <= 4; i++) {
        const run = await started(store, `run-${i}`, "thread-1");
        const status = i === 2 ? "failed" : "completed";
        await store.append({
          runId: run.id,
          epoch: 1,
          records: [record("b"), record("a", i)],
          end: { outcome: outcome(status), at: NOW + i },
        });
      }
      await started(store, "run-5", "thread-1");
      await ended(store, await started(store, "run-6", "thread-2"));
      const numbers = async (before: number, count: number): Promise<readonly number[]> =>
        (await store.window("thread-1", before, count)).map(({ run }) => run.n);
      expect(await numbers(5, 2)).toEqual([3, 4]);
      expect(await numbers(3, 5)).toEqual([1, 2]);
      expect(await numbers(9, 9)).toEqual([1, 2, 3, 4]);
      expect(await numbers(1, 5)).toEqual([]);
      expect(await numbers(5, 0)).toEqual([]);
      const [past] = await store.window("thread-1", 3, 1);
      expect(past).toEqual({ run: await store.run("run-2"), records: [record("b"), record("a", 2)] });
      expect(past?.run.status).toBe("failed");
    });

    test("runnable are runs that are not ended, not held, and not waiting in vain", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1"));
      const left = await started(store, "run-2", "thread-2");
      await paused(store, await started(store, "run-3", "thread-3"), "pause-3");
      await paused(store, await started(store, "run-4", "thread-4"), "pause-4");
      const runnable = async (at: number): Promise<readonly string[]> =>
        (await store.runs({ runnableAt: at })).map(({ id }) => id);
      expect(await runnable(NOW)).toEqual([]);
      expect(await runnable(NOW + 9_999)).toEqual([]);
      expect(await runnable(NOW + 10_000)).toEqual(["run-2"]);
      await store.release("run-2", left.epoch);
      await store.signal("run-3", [{ id: "s", name: "pause-3", value: true, at: NOW }]);
      await store.cancel("run-4", NOW, "cancelled");
      expect(await runnable(NOW)).toEqual(["run-4", "run-3", "run-2"]);
      await pickedUp(store, "run-3");
      expect(await runnable(NOW)).toEqual(["run-4", "run-2"]);
    });
  });
}
