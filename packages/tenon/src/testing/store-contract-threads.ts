import { describe, expect, test } from "vitest";
import { ended, isKind, lease, newRun, NOW, openStore, outcome, paused, pickedUp, record, request, started, type OpenStore } from "./store-contract-fixture.js";

/** Starting runs: threads, owners and queues. */
export function threadContract(open: OpenStore): void {
  describe("start", () => {
    test("a started run is stored as it was given, numbered, running, in epoch 1", async () => {
      const store = await openStore(open);
      const given = newRun("run-1", "thread-1", { owner: "ann", metadata: { a: [1, null] }, model: "m", toolNames: ["x"], hadContext: true, agent: "b" });
      const { run } = isKind(await store.start(request(given)), "started");
      expect(run).toEqual({ ...given, n: 1, status: "running", endedAt: undefined, outcome: undefined, epoch: 1 });
      expect(await store.run("run-1")).toEqual(run);
      expect(await store.records("run-1")).toEqual([]);
      expect(await store.thread("thread-1")).toEqual({ owner: "ann" });
    });

    test("what is not there is absent, not an error", async () => {
      const store = await openStore(open);
      expect(await store.run("nobody")).toBeUndefined();
      expect(await store.records("nobody")).toEqual([]);
      expect(await store.thread("nobody")).toBeUndefined();
      expect(await store.window("nobody", 9, 5)).toEqual([]);
      expect(await store.pauses({ runId: "nobody" })).toEqual([]);
      expect(await store.runs({})).toEqual([]);
      await store.leaveQueue("nobody", 7);
      await store.check();
    });

    test("runs of a thread are numbered on, each thread for itself", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1"));
      await ended(store, await started(store, "run-2", "thread-1"));
      expect((await started(store, "run-3", "thread-1")).n).toBe(3);
      expect((await started(store, "run-4", "thread-2")).n).toBe(1);
    });

    test("a run id that is there gives that run, whatever its state, before the thread is looked at", async () => {
      const store = await openStore(open);
      const first = await started(store, "run-1", "thread-1");
      await started(store, "run-2", "thread-2");
      expect(await store.start(request(newRun("run-1", "thread-2", { prompt: "other" })))).toEqual({ kind: "exists", run: first });
      await ended(store, first, outcome("failed"));
      const { run } = isKind(await store.start(request(newRun("run-1", "thread-1"))), "exists");
      expect(run).toEqual({ ...first, status: "failed", endedAt: NOW + 1, outcome: outcome("failed") });
      expect(first.status).toBe("running");
    });
  });

  describe("owners", () => {
    test("a thread with an owner refuses any other owner, and none, and writes nothing", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1", { owner: "ann" }));
      for (const owner of ["bob", "", "Ann", undefined]) {
        expect(await store.start(request(newRun("run-2", "thread-1", { owner }), { queue: true }))).toEqual({ kind: "owner" });
      }
      expect(await store.run("run-2")).toBeUndefined();
      expect((await started(store, "run-2", "thread-1", { owner: "ann" })).n).toBe(2);
    });

    test("a busy thread does not tell another owner that it is busy", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1", { owner: "ann" });
      expect(await store.start(request(newRun("run-2", "thread-1", { owner: "bob" }), { queue: true }))).toEqual({ kind: "owner" });
    });

    test("a run of another owner's thread is not shown to who guesses its id", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1", { owner: "ann" });
      for (const threadId of ["thread-1", "thread-2"]) {
        expect(await store.start(request(newRun("run-1", threadId, { owner: "bob" })))).toEqual({ kind: "owner" });
      }
      expect(isKind(await store.start(request(newRun("run-1", "thread-1", { owner: "ann" }))), "exists").run.id).toBe("run-1");
    });

    test("a thread without an owner is open to everybody and stays without one", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1"));
      await ended(store, await started(store, "run-2", "thread-1", { owner: "ann" }));
      expect((await started(store, "run-3", "thread-1", { owner: "bob" })).owner).toBe("bob");
      expect(await store.thread("thread-1")).toEqual({ owner: undefined });
    });
  });

  describe("a busy thread", () => {
    test("tells its holder, until when it is held, and its open pauses", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      const busy = { kind: "busy", holder, holderLeaseUntil: NOW + 10_000, pauses: [], ticket: undefined };
      expect(await store.start(request(newRun("run-2", "thread-1")))).toEqual(busy);
      expect(await store.start(request(newRun("run-2", "thread-1"), { now: NOW + 10_000 }))).toEqual({ ...busy, holderLeaseUntil: 0 });
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
      const third = isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: true, lease: lease("app-2") })), "busy").ticket!;
      expect(isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: second })), "busy").ticket).toBe(second);
      await ended(store, holder);
      const newcomer = isKind(await store.start(request(newRun("run-4", "thread-1"))), "busy");
      expect(newcomer).toEqual({ kind: "busy", holder: undefined, holderLeaseUntil: 0, pauses: [], ticket: undefined });
      const last = isKind(await store.start(request(newRun("run-5", "thread-1"), { queue: true })), "busy").ticket!;
      isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: third })), "busy");
      const next = isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: second })), "started").run;
      await ended(store, next);
      isKind(await store.start(request(newRun("run-5", "thread-1"), { queue: last })), "busy");
      await ended(store, isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: third })), "started").run);
      await ended(store, isKind(await store.start(request(newRun("run-5", "thread-1"), { queue: last })), "started").run);
      expect((await started(store, "run-6", "thread-1")).n).toBe(5);
    });

    test("a queue is of one thread: a ticket says nothing in another", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      const other = await started(store, "run-2", "thread-2");
      const ticket = isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: true })), "busy").ticket!;
      const elsewhere = isKind(await store.start(request(newRun("run-4", "thread-2"), { queue: ticket })), "busy").ticket!;
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
      const dead = isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: true, lease: lease("app-2") })), "busy").ticket!;
      const alive = isKind(await store.start(request(newRun("run-3", "thread-1"), { queue: true, lease: lease("app-3") })), "busy").ticket!;
      await ended(store, holder);
      await store.renew([], lease("app-3", NOW + 30_000));
      const late = { now: NOW + 20_000, lease: lease("app-3", NOW + 30_000) };
      isKind(await store.start(request(newRun("run-4", "thread-1"), { ...late, queue: false })), "busy");
      await ended(store, isKind(await store.start(request(newRun("run-3", "thread-1"), { ...late, queue: alive })), "started").run);
      const back = isKind(await store.start(request(newRun("run-2", "thread-1"), { ...late, queue: dead })), "started").run;
      await ended(store, back);
      isKind(await store.start(request(newRun("run-4", "thread-1"), late)), "started");
    });

    test("a place that was cleared is made again at the end", async () => {
      const store = await openStore(open);
      const holder = await started(store, "run-1", "thread-1");
      const dead = isKind(await store.start(request(newRun("run-2", "thread-1"), { queue: true })), "busy").ticket!;
      const late = { now: NOW + 20_000, lease: lease("app-1", NOW + 30_000) };
      const other = isKind(await store.start(request(newRun("run-3", "thread-1"), { ...late, queue: true })), "busy").ticket!;
      const again = isKind(await store.start(request(newRun("run-2", "thread-1"), { ...late, queue: dead })), "busy").ticket!;
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

  describe("lists", () => {
    test("runs come newest first, by status, thread and number", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1"));
      await ended(store, await started(store, "run-2", "thread-2"), outcome("failed"));
      await paused(store, await started(store, "run-3", "thread-3"), "pause-1");
      await started(store, "run-4", "thread-1");
      const ids = async (filter: Parameters<typeof store.runs>[0]): Promise<readonly string[]> => (await store.runs(filter)).map(({ id }) => id);
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
        await store.append({ runId: run.id, epoch: 1, records: [record("b"), record("a", i)], end: { outcome: outcome(status), at: NOW + i } });
      }
      await started(store, "run-5", "thread-1");
      await ended(store, await started(store, "run-6", "thread-2"));
      const numbers = async (before: number, count: number): Promise<readonly number[]> => (await store.window("thread-1", before, count)).map(({ run }) => run.n);
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
      const runnable = async (at: number): Promise<readonly string[]> => (await store.runs({ runnableAt: at })).map(({ id }) => id);
      expect(await runnable(NOW)).toEqual([]);
      expect(await runnable(NOW + 9_999)).toEqual([]);
      expect(await runnable(NOW + 10_000)).toEqual(["run-2"]);
      await store.release("run-2", left.epoch);
      await store.signal("run-3", [{ id: "s", name: "pause-3", value: true }]);
      await store.cancel("run-4", NOW);
      expect(await runnable(NOW)).toEqual(["run-4", "run-3", "run-2"]);
      await pickedUp(store, "run-3");
      expect(await runnable(NOW)).toEqual(["run-4", "run-2"]);
    });
  });
}
