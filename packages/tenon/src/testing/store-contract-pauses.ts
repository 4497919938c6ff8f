import { describe, expect, test } from "./vitest.js";
import {
  ended,
  fates,
  isKind,
  lease,
  NOW,
  openStore,
  pause,
  paused,
  pickedUp,
  signal,
  started,
  type OpenStore,
} from "./store-contract-fixture.js";

/** Parking, pauses and their answers. */
export function pauseContract(open: OpenStore): void {
  describe("pauses and signals", () => {
    test("a parked run is paused, gives up its lease and lists its pauses until they are answered", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      const other = await started(store, "run-2", "thread-2");
      await paused(store, run, "pause-1", "pause-2");
      await paused(store, other, "pause-3");
      expect(await store.run("run-1")).toEqual({ ...run, status: "paused" });
      expect(await store.pauses({})).toEqual([pause("pause-1", run), pause("pause-2", run), pause("pause-3", other)]);
      expect(await store.pauses({ runId: "run-2" })).toEqual([pause("pause-3", other)]);
      expect(await store.pauses({ threadId: "thread-1" })).toHaveLength(2);
      expect(await store.pauses({ threadId: "thread-1", runId: "run-2" })).toEqual([]);
      await store.signal("run-1", [signal("pause-1")]);
      expect((await store.pauses({ runId: "run-1" })).map(({ id }) => id)).toEqual(["pause-2"]);
      await ended(store, (await pickedUp(store, "run-1")).run);
      expect(await store.pauses({})).toEqual([pause("pause-3", other)]);
    });

    test("a pause opened again stays as it was, also when it was answered", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await store.append({
        runId: "run-1",
        epoch: 1,
        records: [],
        opened: [pause("pause-1", run), { ...pause("pause-1", run), question: "b" }],
      });
      await store.append({
        runId: "run-1",
        epoch: 1,
        records: [],
        opened: [{ ...pause("pause-1", run), question: "c" }],
      });
      expect(await store.pauses({})).toEqual([pause("pause-1", run)]);
      await store.signal("run-1", [signal("pause-1")]);
      await store.append({ runId: "run-1", epoch: 1, records: [], opened: [pause("pause-1", run)] });
      expect(await store.pauses({})).toEqual([]);
    });

    test("a paused run waits until a pause is answered", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, "pause-1", "pause-2");
      expect(await store.pickUp("run-1", lease("app-2"), NOW)).toEqual({
        kind: "waiting",
        run: { ...run, status: "paused" },
        pauses: [pause("pause-1", run), pause("pause-2", run)],
      });
      expect((await store.run("run-1"))?.epoch).toBe(1);
      expect(await store.signal("run-1", [signal("pause-2")])).toEqual({ kind: "recorded" });
      const taken = await pickedUp(store, "run-1");
      expect(taken.run).toMatchObject({ status: "running", epoch: 2 });
      expect(taken.signals).toEqual([signal("pause-2")]);
      expect(await store.park("run-1", 2, ["pause-1"])).toBe("parked");
      isKind(await store.pickUp("run-1", lease("app-3"), NOW), "waiting");
      await store.signal("run-1", [signal("pause-2")]);
      isKind(await store.pickUp("run-1", lease("app-3"), NOW), "waiting");
      expect(await store.runs({ runnableAt: NOW })).toEqual([]);
      await store.signal("run-1", [signal("pause-1", "late")]);
      expect((await pickedUp(store, "run-1")).signals).toEqual([signal("pause-2"), signal("pause-1", "late")]);
    });

    test("a signal that comes before the park is not lost", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await store.append({
        runId: "run-1",
        epoch: 1,
        records: [],
        opened: [pause("pause-1", run), pause("pause-2", run)],
      });
      expect(await store.signal("run-1", [signal("pause-1")])).toEqual({ kind: "recorded" });
      expect(await store.park("run-1", 1, ["pause-1", "pause-2"])).toEqual({
        signals: [signal("pause-1")],
        cancelAsked: false,
      });
      expect(await store.run("run-1")).toEqual(run);
      isKind(await store.pickUp("run-1", lease("app-2"), NOW), "held");
      expect(await store.park("run-1", 1, ["pause-2"])).toBe("parked");
      isKind(await store.pickUp("run-1", lease("app-2"), NOW), "waiting");
    });

    test("only the current epoch parks, and only a run that is open", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1");
      const { run } = await pickedUp(store, "run-1", "app-1");
      expect(await store.park("run-1", 1, [])).toBe("fenced");
      expect(await store.park("nobody", 1, [])).toBe("fenced");
      expect((await store.run("run-1"))?.status).toBe("running");
      await ended(store, run);
      expect(await store.park("run-1", 2, [])).toBe("fenced");
    });

    test("the same signal again is harmless, another value and an unknown name are refused", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, "pause-1", "pause-2");
      await store.signal("run-1", [signal("pause-1", { approved: true, by: "ann" })]);
      expect(await store.signal("run-1", [signal("pause-1", { by: "ann", approved: true })])).toEqual({
        kind: "recorded",
      });
      expect(await store.signal("run-1", [signal("pause-1", { by: "ann", approved: true }, "another-id")])).toEqual({
        kind: "recorded",
      });
      expect(await store.signal("run-1", [signal("pause-1", { approved: false })])).toEqual({
        kind: "refused",
        name: "pause-1",
        why: "answered",
        known: { approved: true, by: "ann" },
      });
      expect(await store.signal("run-1", [signal("pause-9")])).toEqual({
        kind: "refused",
        name: "pause-9",
        why: "unknown",
      });
      expect(await store.signal("nobody", [signal("pause-1")])).toEqual({ kind: "absent" });
      expect((await pickedUp(store, "run-1")).signals).toEqual([signal("pause-1", { approved: true, by: "ann" })]);
    });

    test("signals of one call are taken all or none", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await started(store, "run-2", "thread-2");
      await paused(store, run, "pause-1", "pause-2");
      expect(await store.signal("run-1", [signal("pause-1"), signal("pause-9")])).toEqual({
        kind: "refused",
        name: "pause-9",
        why: "unknown",
      });
      expect(await store.signal("run-1", [signal("pause-1", 1), signal("pause-1", 2)])).toEqual({
        kind: "refused",
        name: "pause-1",
        why: "answered",
        known: 1,
      });
      expect(await store.signal("run-2", [signal("pause-1")])).toEqual({
        kind: "refused",
        name: "pause-1",
        why: "unknown",
      });
      expect(await store.pauses({ runId: "run-1" })).toHaveLength(2);
      isKind(await store.pickUp("run-1", lease("app-2"), NOW), "waiting");
      expect(await store.signal("run-1", [signal("pause-2"), signal("pause-1"), signal("pause-2")])).toEqual({
        kind: "recorded",
      });
      expect((await pickedUp(store, "run-1")).signals).toEqual([signal("pause-2"), signal("pause-1")]);
    });

    test("the same signal again keeps the first, its time too", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, pause("pause-1", run, { expiresAt: NOW + 50 }));
      const first = signal("pause-1", { answer: [1] }, "a", NOW + 3);
      expect(await store.signal("run-1", [first])).toEqual({ kind: "recorded" });
      // Also past the pause's time, and from a clock that is behind.
      for (const at of [NOW + 9, NOW + 50, NOW - 9]) {
        expect(await store.signal("run-1", [signal("pause-1", { answer: [1] }, "b", at)])).toEqual({
          kind: "recorded",
        });
      }
      expect(await fates(store, "run-1")).toEqual([["pause-1", { answer: [1] }, NOW + 3]]);
      expect((await pickedUp(store, "run-1")).signals).toEqual([first]);
    });

    test("no signal at all wakes nobody", async () => {
      const store = await openStore(open);
      await paused(store, await started(store, "run-1", "thread-1"), "pause-1");
      expect(await store.signal("run-1", [])).toEqual({ kind: "recorded" });
      isKind(await store.pickUp("run-1", lease("app-2"), NOW), "waiting");
    });
  });
}
