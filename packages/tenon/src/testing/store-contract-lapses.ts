import { describe, expect, test } from "./vitest.js";
import {
  doubt,
  ended,
  fates,
  idsOf,
  isKind,
  lapse,
  lease,
  NOW,
  opened,
  openStore,
  outcome,
  pause,
  paused,
  pickedUp,
  signal,
  started,
  type OpenStore,
} from "./store-contract-fixture.js";

const YES = { approved: true, by: "ann" };

function at(ms: number): { readonly expiresAt: number } {
  return { expiresAt: NOW + ms };
}

/** Pauses that end without a person. */
export function lapseContract(open: OpenStore): void {
  describe("the time of a pause", () => {
    test("is over at `expiresAt`: a signal from then on is refused, and the pause has expired", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, ...["a", "b", "c"].map((id) => pause(id, run, { expiresAt: NOW + 50 })), "d");
      expect(await store.signal("run-1", [signal("a", YES, "s", NOW + 49)])).toEqual({ kind: "recorded" });
      const expired = { kind: "refused", name: "b", why: "answered", known: { lapsed: "expired" } };
      expect(await store.signal("run-1", [signal("b", YES, "s", NOW + 50)])).toEqual(expired);
      expect(await store.signal("run-1", [signal("b", YES, "s", NOW)])).toEqual(expired);
      expect(await idsOf(store.pauses({}))).toEqual(["c", "d"]);
      expect(await fates(store, "run-1")).toEqual([
        ["a", YES, NOW + 49],
        ["b", { lapsed: "expired" }, NOW + 50],
        ["c", undefined, undefined],
        ["d", undefined, undefined],
      ]);
      expect(await store.signal("run-1", [signal("d", YES, "s", NOW + 99_000_000)])).toEqual({ kind: "recorded" });
    });

    test("a refused signal wakes the run by the expiry, and none of its siblings is taken", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, "a", pause("b", run, { expiresAt: NOW + 50 }), "c");
      const all = ["a", "b", "c"].map((name) => signal(name, YES, "s", NOW + 60));
      expect(await store.signal("run-1", all)).toEqual({
        kind: "refused",
        name: "b",
        why: "answered",
        known: { lapsed: "expired" },
      });
      expect(await idsOf(store.pauses({}))).toEqual(["a", "c"]);
      expect(await idsOf(store.runs({ runnableAt: NOW }))).toEqual(["run-1"]);
      expect((await pickedUp(store, "run-1")).signals).toEqual([lapse("b", "expired", NOW + 60)]);
    });

    test("expire answers all whose time is over, in all runs, held ones too, and no other", async () => {
      const store = await openStore(open);
      const first = await started(store, "run-1", "thread-1");
      const held = await started(store, "run-2", "thread-2");
      const spared = await started(store, "run-3", "thread-3");
      await paused(store, first, pause("late", first, at(90)), pause("later", first, at(80)), "never");
      await opened(store, held, pause("held", held, at(90)), pause("answered", held, at(10)));
      await paused(store, spared, pause("spared", spared, at(91)));
      await store.signal("run-2", [signal("answered", YES, "s", NOW + 9)]);
      await store.renew([{ runId: "run-2", epoch: 1 }], lease());

      await store.expire(NOW + 79);
      expect(await idsOf(store.pauses({}))).toEqual(["late", "later", "never", "held", "spared"]);
      expect(await store.runs({ runnableAt: NOW })).toEqual([]);
      await store.expire(NOW + 90);
      expect(await idsOf(store.pauses({}))).toEqual(["never", "spared"]);
      await store.expire(NOW + 90);
      await store.expire(NOW + 90.5);
      expect(await idsOf(store.runs({ runnableAt: NOW }))).toEqual(["run-1"]);
      // Those that end at once come in the order they opened.
      expect((await pickedUp(store, "run-1")).signals).toEqual([
        lapse("late", "expired", NOW + 90),
        lapse("later", "expired", NOW + 90),
      ]);
      expect(await store.renew([{ runId: "run-2", epoch: 1 }], lease())).toEqual({
        lost: [],
        cancels: [],
        woken: [
          {
            runId: "run-2",
            signals: [signal("answered", YES, "s", NOW + 9), lapse("held", "expired", NOW + 90)],
          },
        ],
      });
      isKind(await store.pickUp("run-3", lease("app-2"), NOW), "waiting");
    });

    test("a pause that expired before the park keeps the run from sleeping", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await opened(store, run, pause("a", run, { expiresAt: NOW + 5 }), pause("b", run));
      await store.expire(NOW + 5);
      const signals = [lapse("a", "expired", NOW + 5)];
      expect(await store.park("run-1", 1, ["a", "b"])).toEqual({ signals, cancelAsked: false });
      expect(await store.park("run-1", 1, ["b"])).toBe("parked");
      await store.expire(NOW + 99_000);
      isKind(await store.pickUp("run-1", lease("app-2"), NOW), "waiting");
    });
  });

  describe("cancel answers pauses", () => {
    test.each(["cancelled", "superseded"] as const)("with %s: the open ones of that run, once", async (lapsed) => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      const other = await started(store, "run-2", "thread-2");
      await paused(store, other, "a");
      await paused(store, run, "a", "b", doubt("c", run), pause("d", run, { expiresAt: NOW + 1 }));
      await store.signal("run-1", [signal("b")]);
      expect(await store.cancel("run-1", NOW + 8, lapsed)).toEqual({ kind: "free" });
      expect(await store.cancel("run-1", NOW + 9, lapsed === "cancelled" ? "superseded" : "cancelled")).toEqual({
        kind: "free",
      });
      await store.expire(NOW + 9);
      expect(await fates(store, "run-1")).toEqual([
        ["a", { lapsed }, NOW + 8],
        ["b", YES, NOW],
        ["c", undefined, undefined],
        ["d", { lapsed }, NOW + 8],
      ]);
      expect(await fates(store, "run-2")).toEqual([["a", undefined, undefined]]);
      expect((await store.pauses({})).map(({ id, runId }) => [id, runId])).toEqual([
        ["a", "run-2"],
        ["c", "run-1"],
      ]);
      expect(await store.signal("run-1", [signal("a")])).toEqual({
        kind: "refused",
        name: "a",
        why: "answered",
        known: { lapsed },
      });
      const taken = await pickedUp(store, "run-1");
      expect(taken.cancelAsked).toBe(true);
      expect(taken.signals).toEqual([signal("b"), lapse("a", lapsed, NOW + 8), lapse("d", lapsed, NOW + 8)]);
    });

    test("a run that waits only for what is in doubt can be taken to end it", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, doubt("c", run));
      expect(await store.cancel("run-1", NOW, "cancelled")).toEqual({ kind: "free" });
      const taken = await pickedUp(store, "run-1");
      expect(taken).toMatchObject({ cancelAsked: true, signals: [] });
      await ended(store, taken.run, outcome("cancelled"));
      expect(await idsOf(store.pauses({}))).toEqual(["c"]);
    });

    test("a run that has ended keeps its outcome and its open question", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await opened(store, run, doubt("c", run));
      await ended(store, run, outcome("failed"));
      expect(await store.cancel("run-1", NOW + 9, "cancelled")).toEqual({
        kind: "ended",
        run: await store.run("run-1"),
      });
      expect((await store.run("run-1"))?.status).toBe("failed");
      expect(await fates(store, "run-1")).toEqual([["c", undefined, undefined]]);
    });
  });
}
