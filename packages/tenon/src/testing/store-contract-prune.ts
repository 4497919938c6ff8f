import { describe, expect, test } from "./vitest.js";
import type { StartResult } from "../journal/store.js";
import type { Maybe } from "../util/class.js";
import {
  ended,
  idsOf,
  isKind,
  lease,
  newRun,
  NOW,
  openStore,
  outcome,
  paused,
  pickedUp,
  record,
  request,
  signal,
  started,
  type OpenStore,
} from "./store-contract-fixture.js";
import { doubtful, expectGone, numbers, pastRun } from "./store-contract-past.js";

/** Forgetting old runs. */
export function pruneContract(open: OpenStore): void {
  describe("prune", () => {
    test("forgets runs that ended before a time, with all that belongs to them", async () => {
      const store = await openStore(open);
      await pastRun(store, "run-1", "thread-1", NOW + 10);
      await pastRun(store, "run-2", "thread-2", NOW + 20);
      await pastRun(store, "run-3", "thread-1", NOW + 30);
      expect(await store.prune(NOW + 10, 100)).toBe(0);
      expect(await store.prune(NOW + 11, 100)).toBe(1);
      expect(await store.prune(NOW + 11, 100)).toBe(0);
      await expectGone(store, "run-1");
      expect(await idsOf(store.runs({}))).toEqual(["run-3", "run-2"]);
      expect(await store.records("run-3")).toEqual([record("a", "run-3")]);
      expect(await store.audit("run-3")).toHaveLength(1);
      expect(await store.prune(Infinity, 100)).toBe(2);
      expect(await store.runs({})).toEqual([]);
    });

    test("never touches a run that is open: held, left, paused, woken or to be ended", async () => {
      const store = await openStore(open);
      await started(store, "held", "thread-1");
      await started(store, "left", "thread-2");
      await store.release("left", 1);
      await paused(store, await started(store, "paused", "thread-3"), "p");
      await paused(store, await started(store, "woken", "thread-4"), "p");
      await store.signal("woken", [signal("p")]);
      await paused(store, await started(store, "asked", "thread-5"), "p");
      await store.cancel("asked", NOW, "cancelled");
      await store.append({ runId: "held", epoch: 1, records: [record("a")] });
      const before = await store.runs({});
      expect(await store.prune(Infinity, 100)).toBe(0);
      expect(await store.runs({})).toEqual(before);
      expect(await store.records("held")).toEqual([record("a")]);
      expect(await idsOf(store.pauses({}))).toEqual(["p"]);
      expect((await pickedUp(store, "woken")).signals).toEqual([signal("p")]);
    });

    test("never touches a run with an open pause, until that is answered", async () => {
      const store = await openStore(open);
      await doubtful(store, "run-1", "thread-1", NOW + 1);
      await doubtful(store, "run-2", "thread-2", NOW + 2);
      expect(await store.prune(Infinity, 100)).toBe(0);
      await store.signal("run-2", [signal("doubt-run-2", { action: "give-up", by: "ann" })]);
      expect(await store.prune(Infinity, 100)).toBe(1);
      await expectGone(store, "run-2");
      expect(await idsOf(store.pauses({}))).toEqual(["doubt-run-1"]);
      expect(await store.audit("run-1")).toHaveLength(1);
    });

    test("a window has what is left, and runs that go on keep their numbers", async () => {
      const store = await openStore(open);
      for (const n of [1, 2, 3, 4, 5]) {
        if (n === 3) await doubtful(store, "run-3", "thread-1", NOW + 3);
        else await pastRun(store, `run-${n}`, "thread-1", NOW + n);
      }
      const holder = await started(store, "run-6", "thread-1");
      await pastRun(store, "other", "thread-2", NOW + 1);
      expect(await store.prune(NOW + 5, 100)).toBe(4);
      expect(await numbers(store, "thread-1")).toEqual([3, 5]);
      expect(await numbers(store, "thread-1", 6, 1)).toEqual([5]);
      expect(await numbers(store, "thread-1", 5)).toEqual([3]);
      expect(await numbers(store, "thread-1", 3)).toEqual([]);
      expect((await store.window("thread-1", 9, 1))[0]).toEqual({
        run: await store.run("run-5"),
        records: [record("a", "run-5")],
      });
      await ended(store, holder, outcome(), NOW + 6);
      const next = await started(store, "run-7", "thread-1");
      expect(next.n).toBe(7);
      expect(await store.prune(Infinity, 100)).toBe(2);
      expect(await numbers(store, "thread-1")).toEqual([3]);
      await ended(store, next, outcome(), NOW + 7);
      expect((await started(store, "run-8", "thread-1")).n).toBe(8);
      expect(await numbers(store, "thread-1")).toEqual([3, 7]);
    });

    test("a run that starts after its thread's last ones are gone comes after all that are left", async () => {
      const store = await openStore(open);
      await doubtful(store, "run-1", "thread-1", NOW + 1);
      await pastRun(store, "run-2", "thread-1", NOW + 2);
      await pastRun(store, "run-3", "thread-1", NOW + 3);
      expect(await store.prune(Infinity, 100)).toBe(2);
      const next = await started(store, "run-4", "thread-1");
      expect(next.n).toBeGreaterThan(1);
      await ended(store, next);
      expect(await idsOf((await store.window("thread-1", 999, 9)).map(({ run }) => run))).toEqual(["run-1", "run-4"]);
      expect(await idsOf(store.runs({}))).toEqual(["run-4", "run-1"]);
    });

    test("a thread keeps its owner while one of its runs is left, and is anybody's afterwards", async () => {
      const store = await openStore(open);
      await pastRun(store, "run-1", "thread-1", NOW + 1, "ann");
      await pastRun(store, "run-2", "thread-1", NOW + 2, "ann");
      await pastRun(store, "run-3", "thread-2", NOW + 1, "ann");
      await store.prune(NOW + 2, 100);
      expect(await store.thread("thread-1")).toEqual({ owner: "ann" });
      expect(await store.thread("thread-2")).toBeUndefined();
      expect(await store.threadsOf("ann")).toEqual(["thread-1"]);
      isKind(await store.start(request(newRun("run-4", "thread-1", { owner: "bob" }))), "owner");
      expect(await started(store, "run-5", "thread-2", { owner: "bob" })).toMatchObject({ n: 1, owner: "bob" });
      await store.prune(Infinity, 100);
      expect(await store.thread("thread-1")).toBeUndefined();
      expect(await store.threadsOf("ann")).toEqual([]);
      expect(await started(store, "run-4", "thread-1")).toMatchObject({ n: 1, owner: undefined });
      expect(await store.thread("thread-1")).toEqual({ owner: undefined });
    });

    test("a thread stays while its newest run is open, with its owner and its numbers", async () => {
      const store = await openStore(open);
      await pastRun(store, "run-1", "thread-1", NOW + 1, "ann");
      const holder = await started(store, "run-2", "thread-1", { owner: "ann" });
      expect(await store.prune(Infinity, 100)).toBe(1);
      expect(await store.thread("thread-1")).toEqual({ owner: "ann" });
      isKind(await store.start(request(newRun("run-3", "thread-1", { owner: "bob" }))), "owner");
      isKind(await store.start(request(newRun("run-3", "thread-1", { owner: "ann" }))), "busy");
      await ended(store, holder);
      expect((await started(store, "run-3", "thread-1", { owner: "ann" })).n).toBe(3);
    });

    test("an id that was forgotten is free, and nothing of the former run comes back", async () => {
      const store = await openStore(open);
      for (let round = 1; round <= 3; round++) {
        const run = await started(store, "run-1", "thread-1", { prompt: `${round}` });
        expect(run).toMatchObject({ n: 1, epoch: 1, prompt: `${round}` });
        expect([await store.records("run-1"), await store.audit("run-1")]).toEqual([[], []]);
        await paused(store, run, "p");
        isKind(await store.pickUp("run-1", lease("app-2"), NOW), "waiting");
        await store.signal("run-1", [signal("p", round)]);
        const taken = await pickedUp(store, "run-1");
        expect(taken.signals).toEqual([signal("p", round)]);
        await store.append({ runId: "run-1", epoch: 2, records: [record("a", round)] });
        await ended(store, taken.run);
        expect(await store.records("run-1")).toEqual([record("a", round)]);
        expect(await store.prune(Infinity, 1)).toBe(1);
      }
    });

    test("a place in a thread's queue is good after prune, and nobody slips in", async () => {
      const store = await openStore(open);
      const holder = await pastRun(store, "run-1", "thread-1", NOW + 1, "ann");
      const second = await started(store, "run-2", "thread-1", { owner: "ann" });
      const mine = (id: string, queue: boolean | number): Maybe<StartResult> =>
        store.start(request(newRun(id, "thread-1", { owner: "ann" }), { queue }));
      const place = isKind(await mine("run-3", true), "busy").ticket!;
      await ended(store, second, outcome(), NOW + 2);
      // The thread's last run keeps the order of those who wait.
      expect(await store.prune(NOW + 3, 100)).toBe(1);
      expect(await store.run(holder.id)).toBeUndefined();
      isKind(await store.start(request(newRun("run-4", "thread-1", { owner: "bob" }))), "owner");
      expect(await mine("run-4", false)).toMatchObject({ kind: "busy", holder: undefined });
      expect(await mine("run-3", place)).toMatchObject({ kind: "started", run: { n: 3 } });
      expect(await store.prune(NOW + 3, 100)).toBe(1);
    });

    test("the places of the dead keep no run", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1", { owner: "ann" });
      await store.start(request(newRun("run-2", "thread-1", { owner: "ann" }), { queue: true, lease: lease("gone") }));
      await ended(store, run);
      expect(await store.prune(NOW + 9_999, 100)).toBe(0);
      expect(await store.prune(NOW + 10_000, 100)).toBe(1);
      expect(await store.thread("thread-1")).toBeUndefined();
      await store.renew([], lease("gone", NOW + 99_000));
      expect((await started(store, "run-3", "thread-1", { owner: "bob" })).n).toBe(1);
    });

    test("several hundred runs go in batches, and what is open or in doubt among them stays", async () => {
      const store = await openStore(open);
      for (let i = 0; i < 240; i++) {
        const thread = `thread-${i % 7}`;
        if (i % 60 === 30) await doubtful(store, `run-${i}`, thread, NOW + i);
        else await ended(store, await started(store, `run-${i}`, thread), outcome(), NOW + i);
      }
      for (let i = 0; i < 3; i++) await started(store, `open-${i}`, `thread-${i}`);
      const left = async (): Promise<number> => (await store.runs({ limit: Infinity })).length;
      for (const limit of [0, -1, Number.NaN, 0.5]) expect(await store.prune(Infinity, limit)).toBe(0);
      expect(await left()).toBe(243);
      const batches: number[] = [];
      // Ended before NOW + 200, but three in doubt.
      for (let some = 50; some === 50; batches.push(some)) some = await store.prune(NOW + 200, 50);
      expect(batches).toEqual([50, 50, 50, 47]);
      expect(await left()).toBe(46);
      expect(await store.prune(NOW + 240, 7.9)).toBe(7);
      expect(await store.prune(Infinity, Infinity)).toBe(32);
      expect(new Set(await idsOf(store.runs({ limit: Infinity })))).toEqual(
        new Set(["run-30", "run-90", "run-150", "run-210", "open-0", "open-1", "open-2"]),
      );
      expect(await idsOf(store.pauses({}))).toEqual([30, 90, 150, 210].map((i) => `doubt-run-${i}`));
      for (let i = 0; i < 7; i++) {
        const kept = [30, 90, 150, 210].filter((run) => run % 7 === i).length;
        expect(await numbers(store, `thread-${i}`)).toHaveLength(kept);
        expect((await store.thread(`thread-${i}`)) !== undefined).toBe(kept > 0 || i < 3);
      }
    });
  });
}
