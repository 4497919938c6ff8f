import { describe, expect, test } from "./vitest.js";
import {
  ended,
  isKind,
  lease,
  newRun,
  NOW,
  openStore,
  paused,
  request,
  started,
  type OpenStore,
} from "./store-contract-fixture.js";

/** Threads that are busy, and the queues for them. */
export function queueContract(open: OpenStore): void {
  describe("a busy thread", () => {
    test("tells its holder, until when it is held, and its open pauses", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      const busy = { kind: "busy", holder, holderLeaseUntil: NOW + 10_000, pauses: [], ticket: undefined };
      expect(await store.start(request(newRun("run-2", "thread-1")))).toEqual(busy);
      expect(await store.start(request(newRun("run-2", "thread-1"), { now: NOW + 10_000 }))).toEqual({
        ...busy,
        holderLeaseUntil: 0,
      });
      await paused(store, holder, "pause-1", "pause-2");
      const waiting = isKind(await store.start(request(newRun("run-2", "thread-1"))), "busy");
      expect(waiting.holder?.status).toBe("paused");
      expect(waiting.holderLeaseUntil).toBe(0);
      expect(waiting.pauses.map(({ id }) => id)).toEqual(["pause-1", "pause-2"]);
      expect(await store.run("run-2")).toBeUndefined();
    });

    test("is freed only by the end of its holder", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      await store.release("run-1", 1);
      isKind(await store.start(request(newRun("run-2", "thread-1"), { now: NOW + 99_000 })), "busy");
      await ended(store, holder);
      expect((await started(store, "run-2", "thread-1")).n).toBe(2);
    });

    test("is served first come first served, and nobody slips in", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      const second = isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: true })), "busy").ticket!;
      const third = isKind(
        await store.start(request(newRun("run-3", "thread-1"), { queue: true, lease: lease("app-2") })),
        "busy",
      ).ticket!;
      expect(isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: second })), "busy").ticket).toBe(
        second,
      );
      await ended(store, holder);
      const newcomer = isKind(await store.start(request(newRun("run-4", "thread-1"))), "busy");
      expect(newcomer).toEqual({ kind: "busy", holder: undefined, holderLeaseUntil: 0, pauses: [], ticket: undefined });
      const last = isKind(await store.start(request(newRun("run-5", "thread-1"), { queue: true })), "busy").ticket!;
      isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: third })), "busy");
      const next = isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: second })), "started").run;
      await ended(store, next);
      isKind(await store.start(request(newRun("run-5", "thread-1"), { queue: last })), "busy");
      await ended(
        store,
        isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: third })), "started").run,
      );
      await ended(
        store,
        isKind(await store.start(request(newRun("run-5", "thread-1"), { queue: last })), "started").run,
      );
      expect((await started(store, "run-6", "thread-1")).n).toBe(5);
    });

    test("a queue is of one thread: a ticket says nothing in another", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      const other = await started(store, "run-2", "thread-2");
      const ticket = isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: true })), "busy").ticket!;
      const elsewhere = isKind(
        await store.start(request(newRun("run-4", "thread-2"), { queue: ticket })),
        "busy",
      ).ticket!;
      expect(elsewhere).not.toBe(ticket);
      await store.leaveQueue("thread-2", ticket);
      await ended(store, holder);
      await ended(store, other);
      isKind(await store.start(request(newRun("run-5", "thread-1"))), "busy");
      isKind(await store.start(request(newRun("run-4", "thread-2"), { queue: elsewhere })), "started");
      isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: ticket })), "started");
    });

    test("a place ends with its lease unless its process renews it", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      const dead = isKind(
        await store.start(request(newRun("run-2", "thread-1"), { queue: true, lease: lease("app-2") })),
        "busy",
      ).ticket!;
      const alive = isKind(
        await store.start(request(newRun("run-3", "thread-1"), { queue: true, lease: lease("app-3") })),
        "busy",
      ).ticket!;
      await ended(store, holder);
      await store.renew([], lease("app-3", NOW + 30_000));
      const late = { now: NOW + 20_000, lease: lease("app-3", NOW + 30_000) };
      isKind(await store.start(request(newRun("run-4", "thread-1"), { ...late, queue: false })), "busy");
      await ended(
        store,
        isKind(await store.start(request(newRun("run-3", "thread-1"), { ...late, queue: alive })), "started").run,
      );
      const back = isKind(
        await store.start(request(newRun("run-2", "thread-1"), { ...late, queue: dead })),
        "started",
      ).run;
      await ended(store, back);
      isKind(await store.start(request(newRun("run-4", "thread-1"), late)), "started");
    });

    test("a place that was cleared is made again at the end", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      const dead = isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: true })), "busy").ticket!;
      const late = { now: NOW + 20_000, lease: lease("app-1", NOW + 30_000) };
      const other = isKind(
        await store.start(request(newRun("run-3", "thread-1"), { ...late, queue: true })),
        "busy",
      ).ticket!;
      const again = isKind(
        await store.start(request(newRun("run-2", "thread-1"), { ...late, queue: dead })),
        "busy",
      ).ticket!;
      expect(again).toBeGreaterThan(other);
      await ended(store, holder);
      isKind(await store.start(request(newRun("run-2", "thread-1"), { ...late, queue: again })), "busy");
      isKind(await store.start(request(newRun("run-3", "thread-1"), { ...late, queue: other })), "started");
    });

    test("a place can be given up, and is given up when the run turns out to be there", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      const second = isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: true })), "busy").ticket!;
      const third = isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: true })), "busy").ticket!;
      await store.leaveQueue("thread-1", second);
      await store.leaveQueue("thread-1", second);
      isKind(await store.start(request(newRun("run-1", "thread-1"), { queue: third })), "exists");
      await ended(store, holder);
      expect((await started(store, "run-4", "thread-1")).n).toBe(2);
    });
  });
}
