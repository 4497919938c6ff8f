import { describe, expect, test } from "./vitest.js";
import {
  doubt,
  ended,
  idsOf,
  isKind,
  lapse,
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

/** Who has a run: picking up, leases and cancels. */
export function leaseContract(open: OpenStore): void {
  describe("pick up", () => {
    test("a run with a live lease is held, one whose lease ran out is taken", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await store.append({ runId: "run-1", epoch: 1, records: [record("a")] });
      expect(await store.pickUp("run-1", lease("app-2"), NOW + 9_999)).toEqual({ kind: "held", until: NOW + 10_000 });
      expect(await store.run("run-1")).toEqual(run);
      const taken = await pickedUp(store, "run-1", "app-2", NOW + 10_000);
      expect(taken).toEqual({
        kind: "picked-up",
        run: { ...run, epoch: 2 },
        records: [record("a")],
        signals: [],
        cancelAsked: false,
      });
      expect(await store.pickUp("run-1", lease("app-3"), NOW + 10_000)).toEqual({ kind: "held", until: NOW + 20_000 });
    });

    test("a process takes its own run again, and its older activation is fenced off", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1");
      expect((await pickedUp(store, "run-1", "app-1")).run.epoch).toBe(2);
      expect(await store.append({ runId: "run-1", epoch: 1, records: [record("a")] })).toBe("fenced");
    });

    test("an ended run and an unknown one are not taken", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1"));
      expect(await store.pickUp("run-1", lease("app-2"), NOW + 99_000)).toEqual({
        kind: "ended",
        run: await store.run("run-1"),
      });
      expect(await store.pickUp("nobody", lease(), NOW)).toEqual({ kind: "absent" });
    });

    test("a released run can be taken at once; only its current epoch can release it", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1");
      await store.release("nobody", 1);
      await store.release("run-1", 2);
      isKind(await store.pickUp("run-1", lease("app-2"), NOW), "held");
      await store.release("run-1", 1);
      const { run } = await pickedUp(store, "run-1", "app-2");
      await store.release("run-1", 1);
      isKind(await store.pickUp("run-1", lease("app-3"), NOW), "held");
      await ended(store, run);
      await store.release("run-1", 2);
      expect((await store.run("run-1"))?.status).toBe("completed");
    });
  });

  describe("cancel", () => {
    test("a run that a process has is asked; it learns of it when it renews, parks or is taken", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1");
      expect(await store.cancel("run-1", NOW, "cancelled")).toEqual({ kind: "asked" });
      expect(await store.cancel("run-1", NOW, "cancelled")).toEqual({ kind: "asked" });
      const told = { lost: [], cancels: ["run-1"], woken: [] };
      expect(await store.renew([{ runId: "run-1", epoch: 1 }], lease())).toEqual(told);
      expect(await store.renew([{ runId: "run-1", epoch: 1 }], lease())).toEqual(told);
      expect(await store.park("run-1", 1, ["pause-1"])).toEqual({ signals: [], cancelAsked: true });
      expect(await store.cancel("run-1", NOW + 10_000, "cancelled")).toEqual({ kind: "free" });
      expect((await pickedUp(store, "run-1", "app-2", NOW + 10_000)).cancelAsked).toBe(true);
      expect((await pickedUp(store, "run-1", "app-2", NOW + 10_000)).cancelAsked).toBe(true);
    });

    test("a paused run is free and can then be taken to end it", async () => {
      const store = await openStore(open);
      await paused(store, await started(store, "run-1", "thread-1"), "pause-1");
      expect(await store.cancel("run-1", NOW, "cancelled")).toEqual({ kind: "free" });
      expect(await store.pauses({})).toEqual([]);
      const { run, cancelAsked, signals } = await pickedUp(store, "run-1");
      expect(cancelAsked).toBe(true);
      expect(signals).toEqual([lapse("pause-1", "cancelled", NOW)]);
      await ended(store, run, outcome("cancelled"));
      expect(await store.cancel("run-1", NOW, "cancelled")).toEqual({ kind: "ended", run: await store.run("run-1") });
      expect(await store.pauses({})).toEqual([]);
    });

    test("an unknown run is absent", async () => {
      const store = await openStore(open);
      expect(await store.cancel("nobody", NOW, "cancelled")).toEqual({ kind: "absent" });
    });
  });

  describe("renew", () => {
    test("keeps the runs that are still held and names those that somebody else has", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1");
      await started(store, "run-2", "thread-2");
      await pickedUp(store, "run-2", "app-2", NOW + 10_000);
      const held = [
        { runId: "run-1", epoch: 1 },
        { runId: "run-2", epoch: 1 },
        { runId: "nobody", epoch: 1 },
      ];
      expect(await store.renew(held, lease("app-1", NOW + 30_000))).toEqual({
        lost: ["run-2", "nobody"],
        cancels: [],
        woken: [],
      });
      expect(await store.pickUp("run-1", lease("app-3"), NOW + 29_999)).toEqual({ kind: "held", until: NOW + 30_000 });
      expect(await store.pickUp("run-2", lease("app-3"), NOW + 19_999)).toEqual({ kind: "held", until: NOW + 20_000 });
    });

    test("gives no lease back to a run that was parked, released or ended", async () => {
      const store = await openStore(open);
      await paused(store, await started(store, "run-1", "thread-1"), "pause-1");
      await started(store, "run-2", "thread-2");
      await store.release("run-2", 1);
      await ended(store, await started(store, "run-3", "thread-3"));
      const ours = ["run-1", "run-2", "run-3"].map((runId) => ({ runId, epoch: 1 }));
      const nothing = { lost: [], cancels: [], woken: [] };
      expect(await store.renew(ours, lease("app-1", NOW + 30_000))).toEqual(nothing);
      await store.signal("run-1", [signal("pause-1")]);
      // A signal of a parked run is for who picks it up: who parked it learns nothing and takes nothing away.
      expect(await store.renew(ours, lease("app-1", NOW + 30_000))).toEqual(nothing);
      await pickedUp(store, "run-1");
      await pickedUp(store, "run-2");
    });

    test("tells a signal once, with all that came before, and the cancel as long as the run is open", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      const other = await started(store, "run-2", "thread-2");
      await opened(store, run, pause("pause-1", run), pause("pause-2", run), doubt("pause-3", run));
      await opened(store, other, pause("pause-1", other));
      const renewed = async (): Promise<unknown> =>
        store.renew(
          [
            { runId: "run-1", epoch: 1 },
            { runId: "run-2", epoch: 1 },
          ],
          lease(),
        );
      expect(await renewed()).toEqual({ lost: [], cancels: [], woken: [] });
      await store.signal("run-1", [signal("pause-2")]);
      expect(await renewed()).toEqual({
        lost: [],
        cancels: [],
        woken: [{ runId: "run-1", signals: [signal("pause-2")] }],
      });
      expect(await renewed()).toEqual({ lost: [], cancels: [], woken: [] });
      // The same again, and one that is refused, are no news.
      await store.signal("run-1", [signal("pause-2")]);
      await store.signal("run-1", [signal("pause-2", "other")]);
      await store.signal("run-1", [signal("pause-9")]);
      await store.signal("run-1", []);
      expect(await renewed()).toEqual({ lost: [], cancels: [], woken: [] });
      await store.cancel("run-1", NOW + 5, "superseded");
      expect(await renewed()).toEqual({
        lost: [],
        cancels: ["run-1"],
        woken: [{ runId: "run-1", signals: [signal("pause-2"), lapse("pause-1", "superseded", NOW + 5)] }],
      });
      expect(await renewed()).toEqual({ lost: [], cancels: ["run-1"], woken: [] });
      await store.signal("run-1", [signal("pause-3")]);
      expect(await renewed()).toMatchObject({ woken: [{ signals: [{}, {}, signal("pause-3")] }] });
    });

    test("does not tell what the run was told when it was picked up, nor an older epoch", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, "pause-1", "pause-2");
      await store.signal("run-1", [signal("pause-1")]);
      expect((await pickedUp(store, "run-1")).signals).toEqual([signal("pause-1")]);
      const ours = [{ runId: "run-1", epoch: 2 }];
      expect(await store.renew(ours, lease("app-2"))).toEqual({ lost: [], cancels: [], woken: [] });
      await store.signal("run-1", [signal("pause-2")]);
      expect(await store.renew([{ runId: "run-1", epoch: 1 }], lease("app-1"))).toEqual({
        lost: ["run-1"],
        cancels: [],
        woken: [],
      });
      expect(await store.renew(ours, lease("app-2"))).toEqual({
        lost: [],
        cancels: [],
        woken: [{ runId: "run-1", signals: [signal("pause-1"), signal("pause-2")] }],
      });
    });

    test("who dies after it was told leaves the signals to who takes the run", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await opened(store, run, pause("pause-1", run));
      await store.signal("run-1", [signal("pause-1")]);
      expect((await store.renew([{ runId: "run-1", epoch: 1 }], lease())).woken).toHaveLength(1);
      expect(await idsOf(store.runs({ runnableAt: NOW + 10_000 }))).toEqual(["run-1"]);
      expect((await pickedUp(store, "run-1", "app-2", NOW + 10_000)).signals).toEqual([signal("pause-1")]);
      expect(await idsOf(store.runs({ runnableAt: NOW + 20_000 }))).toEqual(["run-1"]);
      expect((await pickedUp(store, "run-1", "app-3", NOW + 20_000)).signals).toEqual([signal("pause-1")]);
      expect(await store.park("run-1", 3, ["pause-1"])).toEqual({ signals: [signal("pause-1")], cancelAsked: false });
    });

    test("a run that ends drops its cancel mark, and a closed store can be closed again", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await store.cancel("run-1", NOW, "cancelled");
      await ended(store, run);
      expect(await store.renew([{ runId: "run-1", epoch: 1 }], lease())).toEqual({ lost: [], cancels: [], woken: [] });
      isKind(await store.start(request(newRun("run-2", "thread-1"))), "started");
      await store.close();
      await store.close();
    });
  });
}
