import { describe, expect, test } from "./vitest.js";
import {
  doubt,
  ended,
  fates,
  idsOf,
  isKind,
  lease,
  newRun,
  NOW,
  opened,
  openStore,
  outcome,
  pause,
  pickedUp,
  request,
  signal,
  started,
  type OpenStore,
} from "./store-contract-fixture.js";

const YES = { approved: true, by: "ann" };
const CANCELED = { lapsed: "cancelled" } as const;

/** What is left of a run's pauses once it has ended, and the audit of them. */
export function endContract(open: OpenStore): void {
  describe("a run that ends", () => {
    test("closes its pauses without an answer, but leaves what is in doubt open", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      const other = await started(store, "run-2", "thread-2");
      await opened(store, other, pause("other", other));
      await opened(store, run, pause("a", run), doubt("b", run), pause("q", run, { kind: "question" }));
      await store.signal("run-1", [signal("q")]);
      const end = { outcome: outcome("cancelled"), at: NOW + 3 };
      await store.append({ runId: "run-1", epoch: 1, records: [], opened: [doubt("c", run), pause("d", run)], end });
      expect(await idsOf(store.pauses({}))).toEqual(["other", "b", "c"]);
      expect(await idsOf(store.pauses({ runId: "run-1" }))).toEqual(["b", "c"]);
      expect(await idsOf(store.pauses({ threadId: "thread-1" }))).toEqual(["b", "c"]);
      expect(await fates(store, "run-1")).toEqual([
        ["a", CANCELED, NOW + 3],
        ["b", undefined, undefined],
        ["q", YES, NOW],
        ["c", undefined, undefined],
        ["d", CANCELED, NOW + 3],
      ]);
      for (const name of ["a", "d"])
        expect(await store.signal("run-1", [signal(name)])).toEqual({
          kind: "refused",
          name,
          why: "answered",
          known: CANCELED,
        });
      expect(await store.signal("run-1", [signal("q")])).toEqual({ kind: "recorded" });
    });

    test("does not end by one who lost it, whose pauses are not opened either", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await pickedUp(store, "run-1", "app-1");
      const end = { outcome: outcome("cancelled"), at: NOW + 3 };
      const late = { runId: "run-1", epoch: 1, records: [], opened: [pause("a", run), doubt("b", run)], end };
      expect(await store.append(late)).toBe("fenced");
      expect(await store.audit("run-1")).toEqual([]);
      expect(await store.pauses({})).toEqual([]);
      expect(await store.run("run-1")).toMatchObject({ status: "running", epoch: 2 });
    });

    test("an open question takes one answer for the audit, and nothing else of the run changes", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await opened(store, run, pause("a", run), doubt("b", run), doubt("c", run));
      await ended(store, run, outcome("cancelled"));
      const before = await store.run("run-1");
      const found = { action: "done", result: { id: 7 }, by: "ann" };
      // All or nothing: one ended with the run.
      expect(await store.signal("run-1", [signal("b", found), signal("a", YES)])).toEqual({
        kind: "refused",
        name: "a",
        why: "answered",
        known: CANCELED,
      });
      expect(await fates(store, "run-1")).toEqual([
        ["a", CANCELED, NOW + 1],
        ["b", undefined, undefined],
        ["c", undefined, undefined],
      ]);
      expect(await store.signal("run-1", [signal("b", found, "s", NOW + 99_000)])).toEqual({ kind: "recorded" });
      expect(await store.signal("run-1", [signal("b", found, "t", NOW + 99_001)])).toEqual({ kind: "recorded" });
      expect(await store.signal("run-1", [signal("b", { action: "rerun", by: "bob" })])).toEqual({
        kind: "refused",
        name: "b",
        why: "answered",
        known: found,
      });
      expect(await fates(store, "run-1")).toEqual([
        ["a", CANCELED, NOW + 1],
        ["b", found, NOW + 99_000],
        ["c", undefined, undefined],
      ]);
      expect(await idsOf(store.pauses({}))).toEqual(["c"]);
      expect(await store.run("run-1")).toEqual(before);
      expect(await store.records("run-1")).toEqual([]);
      expect(await store.runs({ runnableAt: Number.MAX_SAFE_INTEGER })).toEqual([]);
      expect(await store.pickUp("run-1", lease("app-2"), NOW)).toEqual({ kind: "ended", run: before });
      expect(await store.renew([{ runId: "run-1", epoch: 1 }], lease())).toEqual({ lost: [], cancels: [], woken: [] });
    });

    test("its open question does not hold the thread", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await opened(store, run, doubt("c", run));
      await ended(store, run);
      const next = isKind(await store.start(request(newRun("run-2", "thread-1"))), "started").run;
      expect(next.n).toBe(2);
      expect(isKind(await store.start(request(newRun("run-3", "thread-1"))), "busy").pauses).toEqual([]);
      expect(await idsOf(store.pauses({ threadId: "thread-1" }))).toEqual(["c"]);
    });

    test("an ended run takes what it was told before, and nothing else", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await store.append({ runId: "run-1", epoch: 1, records: [], opened: [pause("pause-1", run)] });
      expect(await store.signal("run-1", [signal("pause-1")])).toEqual({ kind: "recorded" });
      await ended(store, run);
      expect(await store.signal("run-1", [signal("pause-1")])).toEqual({ kind: "recorded" });
      expect(await store.signal("run-1", [{ ...signal("pause-1"), value: "otherwise" }])).toEqual({
        kind: "refused",
        name: "pause-1",
        why: "answered",
        known: { approved: true, by: "ann" },
      });
      expect(await store.signal("run-1", [signal("pause-2")])).toEqual({
        kind: "refused",
        name: "pause-2",
        why: "unknown",
      });
    });

    test("an ended run takes no signal", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await store.append({
        runId: "run-1",
        epoch: 1,
        records: [],
        opened: [pause("pause-1", run)],
        end: { outcome: outcome(), at: NOW },
      });
      expect(await store.signal("run-1", [signal("pause-1")])).toEqual({
        kind: "refused",
        name: "pause-1",
        why: "answered",
        known: CANCELED,
      });
      expect(await store.signal("run-1", [])).toEqual({ kind: "recorded" });
      expect(await fates(store, "run-1")).toEqual([["pause-1", CANCELED, NOW]]);
    });
  });

  describe("audit", () => {
    test("the audit has all pauses of a run, in the order they opened, with what became of each", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      const other = await started(store, "run-2", "thread-2");
      const pauses = ["z", "a", "m"].map((id, i) => pause(id, run, { question: `${i}?`, expiresAt: NOW + 90 }));
      expect(await store.audit("run-1")).toEqual([]);
      expect(await store.audit("nobody")).toEqual([]);
      await opened(store, run, pauses[0]!);
      await opened(store, other, pause("a", other));
      await opened(store, run, pauses[1]!, pauses[2]!);
      await store.signal("run-1", [signal("m", { approved: false, reason: "no" }, "s", NOW + 7)]);
      expect(await store.audit("run-1")).toEqual([
        { pause: pauses[0], decision: undefined, decidedAt: undefined },
        { pause: pauses[1], decision: undefined, decidedAt: undefined },
        { pause: pauses[2], decision: { approved: false, reason: "no" }, decidedAt: NOW + 7 },
      ]);
      await ended(store, run);
      expect(await fates(store, "run-1")).toEqual([
        ["z", CANCELED, NOW + 1],
        ["a", CANCELED, NOW + 1],
        ["m", { approved: false, reason: "no" }, NOW + 7],
      ]);
      expect(await fates(store, "run-2")).toEqual([["a", undefined, undefined]]);
    });
  });
}
