import { describe, expect, test } from "./vitest.js";
import type { RunRow, Store } from "../journal/store.js";
import type { JsonValue } from "../protocol/json.js";
import type { PauseAudit } from "../protocol/pause.js";
import {
  doubt,
  ended,
  fates,
  idsOf,
  isKind,
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

/** Something that ends a pause, which expires at `NOW + 50`: how, and what becomes of it. */
interface Answer {
  readonly name: string;
  readonly give: (store: Store, run: RunRow) => unknown;
  readonly decision: JsonValue | undefined;
  readonly at: number | undefined;
}

const YES = { approved: true, by: "ann" };
const NO = { approved: false, reason: "no", by: "bob" };

const answers: readonly Answer[] = [
  {
    name: "a yes",
    give: (store) => store.signal("run-1", [signal("p", YES, "yes", NOW + 20)]),
    decision: YES,
    at: NOW + 20,
  },
  {
    name: "a no",
    give: (store) => store.signal("run-1", [signal("p", NO, "no", NOW + 10)]),
    decision: NO,
    at: NOW + 10,
  },
  {
    name: "a yes that is late",
    give: (store) => store.signal("run-1", [signal("p", { ...YES, by: "eve" }, "late", NOW + 60)]),
    decision: { lapsed: "expired" },
    at: NOW + 60,
  },
  {
    name: "expiry",
    give: (store) => store.expire(NOW + 50),
    decision: { lapsed: "expired" },
    at: NOW + 50,
  },
  {
    name: "cancel",
    give: (store) => store.cancel("run-1", NOW + 5, "cancelled"),
    decision: { lapsed: "cancelled" },
    at: NOW + 5,
  },
  {
    name: "a newer run",
    give: (store) => store.cancel("run-1", NOW + 6, "superseded"),
    decision: { lapsed: "superseded" },
    at: NOW + 6,
  },
  {
    name: "the end",
    give: (store, run) => ended(store, run, outcome(), NOW + 7),
    decision: { lapsed: "cancelled" },
    at: NOW + 7,
  },
];

const pairs = answers.flatMap((first) =>
  answers.filter((second) => second !== first).map((second) => ({ first, second })),
);

/** One pause and several that want to end it: the store's order decides, whatever their clocks say. */
export function raceContract(open: OpenStore): void {
  describe("the first to end a pause wins", () => {
    test.each(pairs)("$first.name, then $second.name", async ({ first, second }) => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await opened(store, run, pause("p", run, { expiresAt: NOW + 50 }));
      await first.give(store, run);
      const fate: readonly [string, PauseAudit["decision"], number | undefined][] = [
        ["p", first.decision as PauseAudit["decision"], first.at],
      ];
      expect(await fates(store, "run-1")).toEqual(fate);
      await second.give(store, run);
      expect(await fates(store, "run-1")).toEqual(fate);
      expect(await store.pauses({})).toEqual([]);
      expect(await store.signal("run-1", [signal("p", { approved: true, by: "zoe" })])).toEqual({
        kind: "refused",
        name: "p",
        why: "answered",
        known: first.decision,
      });
      expect(await store.signal("run-1", [signal("p", first.decision)])).toEqual({ kind: "recorded" });
      expect(await fates(store, "run-1")).toEqual(fate);
    });

    test("a decision before the cancel stays one, and the run learns both", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, "p", "q");
      await store.signal("run-1", [signal("p")]);
      await store.cancel("run-1", NOW + 1, "cancelled");
      const taken = await pickedUp(store, "run-1");
      expect(taken.cancelAsked).toBe(true);
      expect(taken.signals.map(({ name, value }) => [name, value])).toEqual([
        ["p", YES],
        ["q", { lapsed: "cancelled" }],
      ]);
    });

    test("a pause that opens after the cancel takes no decision, but what is in doubt does", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await store.cancel("run-1", NOW, "cancelled");
      await opened(store, run, pause("p", run, { expiresAt: NOW + 1 }), doubt("d", run), pause("q", run));
      expect(await idsOf(store.pauses({}))).toEqual(["d"]);
      expect(await store.signal("run-1", [signal("p")])).toEqual({
        kind: "refused",
        name: "p",
        why: "answered",
        known: { lapsed: "cancelled" },
      });
      await store.expire(NOW + 1);
      expect(await store.park("run-1", 1, ["p", "d", "q"])).toMatchObject({ cancelAsked: true });
      expect(await store.signal("run-1", [signal("d")])).toEqual({ kind: "recorded" });
      expect(await fates(store, "run-1")).toEqual([
        ["p", { lapsed: "cancelled" }, NOW],
        ["d", YES, NOW],
        ["q", { lapsed: "cancelled" }, NOW],
      ]);
    });

    test("of two calls that decide several pauses, the second changes none of them", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, "p", "q", "r");
      expect(await store.signal("run-1", [signal("p"), signal("q")])).toEqual({ kind: "recorded" });
      expect(await store.signal("run-1", [signal("r", NO), signal("q", NO)])).toEqual({
        kind: "refused",
        name: "q",
        why: "answered",
        known: YES,
      });
      expect(await fates(store, "run-1")).toEqual([
        ["p", YES, NOW],
        ["q", YES, NOW],
        ["r", undefined, undefined],
      ]);
      // What is there already goes along with what is new.
      expect(await store.signal("run-1", [signal("q"), signal("r", NO)])).toEqual({ kind: "recorded" });
    });

    test("only one of two processes takes a run that was answered", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await paused(store, run, "p");
      await store.signal("run-1", [signal("p")]);
      await pickedUp(store, "run-1", "app-2");
      isKind(await store.pickUp("run-1", lease("app-3"), NOW), "held");
      expect(await store.runs({ runnableAt: NOW })).toEqual([]);
    });

    test("what is in doubt is ended by no cancel and by no end, only by a person", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await opened(store, run, doubt("p", run));
      await store.cancel("run-1", NOW + 1, "cancelled");
      await store.expire(NOW + 99_000);
      await ended(store, run);
      const found = { action: "give-up", by: "ann" };
      expect(await store.signal("run-1", [signal("p", found, "s", NOW + 99_000)])).toEqual({ kind: "recorded" });
      expect(await fates(store, "run-1")).toEqual([["p", found, NOW + 99_000]]);
    });
  });
}
