import { describe, expect, test } from "./vitest.js";
import {
  ended,
  isKind,
  newRun,
  NOW,
  openStore,
  outcome,
  request,
  started,
  type OpenStore,
} from "./store-contract-fixture.js";

/** Starting runs, and who may. */
export function threadContract(open: OpenStore): void {
  describe("start", () => {
    test("a started run is stored as it was given, numbered, running, in epoch 1", async () => {
      const store = await openStore(open);
      const given = newRun("run-1", "thread-1", {
        owner: "ann",
        metadata: { a: [1, null] },
        model: "m",
        toolNames: ["x"],
        hadContext: true,
        agent: "b",
      });
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
      expect(await store.audit("nobody")).toEqual([]);
      expect(await store.threadsOf("nobody")).toEqual([]);
      expect(await store.prune(Infinity, 10)).toBe(0);
      expect(await store.erase("nobody")).toEqual({ erased: 0 });
      await store.expire(Infinity);
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
      expect(await store.start(request(newRun("run-1", "thread-2", { prompt: "other" })))).toEqual({
        kind: "exists",
        run: first,
      });
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
        expect(await store.start(request(newRun("run-2", "thread-1", { owner }), { queue: true }))).toEqual({
          kind: "owner",
        });
      }
      expect(await store.run("run-2")).toBeUndefined();
      expect((await started(store, "run-2", "thread-1", { owner: "ann" })).n).toBe(2);
    });

    test("a busy thread does not tell another owner that it is busy", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1", { owner: "ann" });
      expect(await store.start(request(newRun("run-2", "thread-1", { owner: "bob" }), { queue: true }))).toEqual({
        kind: "owner",
      });
    });

    test("a run of another owner's thread is not shown to who guesses its id", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1", { owner: "ann" });
      for (const threadId of ["thread-1", "thread-2"]) {
        expect(await store.start(request(newRun("run-1", threadId, { owner: "bob" })))).toEqual({ kind: "owner" });
      }
      expect(isKind(await store.start(request(newRun("run-1", "thread-1", { owner: "ann" }))), "exists").run.id).toBe(
        "run-1",
      );
    });

    test("a thread without an owner is open to everybody and stays without one", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1"));
      await ended(store, await started(store, "run-2", "thread-1", { owner: "ann" }));
      expect((await started(store, "run-3", "thread-1", { owner: "bob" })).owner).toBe("bob");
      expect(await store.thread("thread-1")).toEqual({ owner: undefined });
      expect(await store.threadsOf("ann")).toEqual([]);
    });

    test("the threads of an owner are those whose first run was theirs, each once", async () => {
      const store = await openStore(open);
      const owners = [
        ["t-1", "ann"],
        ["t-2", "bob"],
        ["t-3", undefined],
        ["t-4", "ann"],
        ["ann", "Ann"],
        ["t-5", ""],
      ] as const;
      for (const [thread, owner] of owners) await ended(store, await started(store, `a-${thread}`, thread, { owner }));
      for (const [thread, owner] of owners) await started(store, `b-${thread}`, thread, { owner });
      const of = async (owner: string): Promise<readonly string[]> => [...(await store.threadsOf(owner))].sort();
      expect(await of("ann")).toEqual(["t-1", "t-4"]);
      expect(await of("bob")).toEqual(["t-2"]);
      expect(await of("Ann")).toEqual(["ann"]);
      expect(await of("")).toEqual(["t-5"]);
      expect(await of("undefined")).toEqual([]);
    });
  });
}
