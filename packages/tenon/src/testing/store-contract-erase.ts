import { describe, expect, test } from "./vitest.js";
import {
  doubt,
  ended,
  idsOf,
  isKind,
  lease,
  newRun,
  NOW,
  opened,
  openStore,
  outcome,
  pause,
  paused,
  pickedUp,
  record,
  request,
  signal,
  started,
  type OpenStore,
} from "./store-contract-fixture.js";
import { doubtful, expectGone, numbers, pastRun } from "./store-contract-past.js";

/** Forgetting whole threads. */
export function eraseContract(open: OpenStore): void {
  describe("erase", () => {
    test("forgets a whole thread, its owner too, and no other thread", async () => {
      const store = await openStore(open);
      for (const n of [1, 2, 3]) await pastRun(store, `run-${n}`, "thread-1", NOW + n, "ann");
      await pastRun(store, "other", "thread-2", NOW + 1, "ann");
      expect(await store.erase("thread-1")).toEqual({ erased: 3 });
      for (const n of [1, 2, 3]) await expectGone(store, `run-${n}`);
      expect(await store.thread("thread-1")).toBeUndefined();
      expect(await numbers(store, "thread-1")).toEqual([]);
      expect(await store.runs({ threadId: "thread-1" })).toEqual([]);
      expect(await store.threadsOf("ann")).toEqual(["thread-2"]);
      expect(await idsOf(store.runs({}))).toEqual(["other"]);
      expect(await store.records("other")).toEqual([record("a", "other")]);
      expect(await store.erase("thread-1")).toEqual({ erased: 0 });
      expect(await started(store, "run-1", "thread-1", { owner: "bob" })).toMatchObject({ n: 1, owner: "bob" });
    });

    test("a run that is open is in the way, and nothing is forgotten", async () => {
      const store = await openStore(open);
      await pastRun(store, "run-1", "thread-1", NOW + 1, "ann");
      const run = await started(store, "run-2", "thread-1", { owner: "ann" });
      expect(await store.erase("thread-1")).toEqual({ open: run });
      await paused(store, run, "p");
      expect(await store.erase("thread-1")).toEqual({ open: { ...run, status: "paused" } });
      expect(await numbers(store, "thread-1")).toEqual([1]);
      expect(await store.records("run-1")).toEqual([record("a", "run-1")]);
      expect(await idsOf(store.pauses({}))).toEqual(["p"]);
      await store.cancel("run-2", NOW, "cancelled");
      await ended(store, (await pickedUp(store, "run-2")).run, outcome("cancelled"));
      expect(await store.erase("thread-1")).toEqual({ erased: 2 });
    });

    test("takes open questions of ended runs along", async () => {
      const store = await openStore(open);
      await doubtful(store, "run-1", "thread-1", NOW + 1);
      await doubtful(store, "run-2", "thread-2", NOW + 1);
      expect(await store.erase("thread-1")).toEqual({ erased: 1 });
      expect(await idsOf(store.pauses({}))).toEqual(["doubt-run-2"]);
      await store.expire(Number.MAX_SAFE_INTEGER);
      await expectGone(store, "run-1");
    });

    test("who waited for the thread starts over, and leaves nothing behind that blocks it", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1", { owner: "ann" });
      const second = isKind(
        await store.start(request(newRun("run-2", "thread-1", { owner: "ann" }), { queue: true })),
        "busy",
      ).ticket!;
      isKind(await store.start(request(newRun("run-3", "thread-1", { owner: "ann" }), { queue: true })), "busy");
      await ended(store, run);
      expect(await store.erase("thread-1")).toEqual({ erased: 1 });
      expect(await store.thread("thread-1")).toBeUndefined();
      expect(await store.threadsOf("ann")).toEqual([]);
      await store.renew([], lease("app-1", NOW + 99_000));
      const next = isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: second })), "started").run;
      expect(next.n).toBe(1);
      await ended(store, next);
      expect((await started(store, "run-4", "thread-1")).n).toBe(2);
    });

    test("a newer run of the thread stays open, however many other runs end after it", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1"));
      expect(await store.erase("thread-1")).toEqual({ erased: 1 });
      const run = await started(store, "run-2", "thread-1");
      await paused(store, run, "p");
      for (let n = 0; n < 80; n++) await ended(store, await started(store, `other-${n}`, `thread-${n + 2}`));
      expect(await idsOf(store.pauses({}))).toEqual(["p"]);
      expect(await store.signal("run-2", [signal("p")])).toEqual({ kind: "recorded" });
      expect((await pickedUp(store, "run-2")).run).toMatchObject({ n: 1, status: "running", epoch: 2 });
    });

    test("a thread that is erased again and again takes its places again", async () => {
      const store = await openStore(open);
      for (let n = 0; n < 80; n++) {
        await ended(store, await started(store, `run-${n}`, "thread-1"));
        expect(await store.erase("thread-1")).toEqual({ erased: 1 });
        await ended(store, await started(store, `other-${n}`, `thread-${n % 3}-x`));
      }
      await ended(store, await started(store, "last", "thread-1"));
      expect(await idsOf(store.runs({ threadId: "thread-1" }))).toEqual(["last"]);
      expect(await numbers(store, "thread-0-x")).toHaveLength(27);
    });

    test("ids of any script stay apart", async () => {
      const store = await openStore(open);
      const threads = [
        "straße",
        "strasse",
        "日本",
        "日本\0",
        "é",
        "e\u0301",
        "\ud83d",
        "😀",
        '"',
        "'; --",
        "%",
        "_",
        "",
      ];
      for (const thread of threads) {
        const run = await started(store, `r${thread}`, thread, { owner: thread });
        await opened(store, run, pause(thread, run, { expiresAt: NOW + 5 }), doubt(`d${thread}`, run));
      }
      await store.expire(NOW + 5);
      for (const thread of threads) {
        const id = `r${thread}`;
        expect((await store.audit(id)).map(({ pause: { id: of }, decision }) => [of, decision])).toEqual([
          [thread, { lapsed: "expired" }],
          [`d${thread}`, undefined],
        ]);
        expect(await store.threadsOf(thread)).toEqual([thread]);
        expect((await pickedUp(store, id, "app-1")).signals).toEqual([
          { id: thread, name: thread, value: { lapsed: "expired" }, at: NOW + 5 },
        ]);
        await ended(store, (await store.run(id))!);
      }
      for (const [at, thread] of threads.entries()) {
        expect(await store.prune(Infinity, 100)).toBe(0);
        expect(await store.erase(thread)).toEqual({ erased: 1 });
        expect(await store.runs({})).toHaveLength(threads.length - at - 1);
        expect(await store.thread(thread)).toBeUndefined();
      }
    });
  });
}
