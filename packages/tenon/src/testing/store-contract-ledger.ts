import { describe, expect, test } from "./vitest.js";
import type { Booking, BudgetLimit, Ledger, ReserveRequest } from "../finops/ledger.js";
import type { Usage } from "../protocol/usage.js";
import { NOW, openStore, type OpenStore } from "./store-contract-fixture.js";
import { pastRun } from "./store-contract-past.js";

const DAY_MS = 86_400_000;

const booking: Booking = {
  runId: "run-1",
  key: "turn:1/model",
  at: NOW,
  workflow: "desk",
  owner: "ann",
  agent: "clerk",
  kind: "model",
  name: "model-1",
};

function limit(scope: BudgetLimit["scope"], measure: BudgetLimit["measure"], max: number): BudgetLimit {
  return { scope, measure, max, name: `${scope}.${measure}` };
}

function asked(costNanoUsd: number, limits: readonly BudgetLimit[], more: Partial<Booking> = {}): ReserveRequest {
  return { ...booking, ...more, begun: false, bound: { costNanoUsd, inputTokens: 10, outputTokens: 5 }, limits };
}

function used(costNanoUsd: number | undefined, more: Partial<Usage> = {}): Usage {
  const tokens = { inputTokens: 4, outputTokens: 3, cachedInputTokens: 2, cacheWriteTokens: 1, reasoningTokens: 1 };
  return { ...tokens, costNanoUsd, costSource: "price-table", estimated: false, ...more };
}

async function reserved(ledger: Ledger, request: ReserveRequest): Promise<number> {
  const result = await ledger.reserve(request);
  if (result.kind !== "reserved") throw new Error(`${result.kind}: ${result.limit.name}`);
  return result.attempt;
}

/** What was spent: reservations, bookings, limits, and what stays of runs that are forgotten. */
export function ledgerContract(open: OpenStore): void {
  describe("ledger", () => {
    test("a reservation becomes what was used, once", async () => {
      const { ledger } = await openStore(open);
      expect(await reserved(ledger, asked(100, []))).toBe(1);
      expect(await ledger.entries({})).toMatchObject([{ state: "reserved", costNanoUsd: 100, estimated: true }]);
      const { runId, key } = booking;
      for (const cost of [60, 60]) await ledger.settle({ runId, key, attempt: 1, usage: used(cost) });
      const [entry, ...others] = await ledger.entries({});
      expect(others).toEqual([]);
      expect(entry).toEqual({
        ...booking,
        day: new Date(NOW).toISOString().slice(0, 10),
        attempt: 1,
        operations: 1,
        state: "settled",
        inputTokens: 4,
        outputTokens: 3,
        cachedInputTokens: 2,
        cacheWriteTokens: 1,
        reasoningTokens: 1,
        costNanoUsd: 60,
        costSource: "price-table",
        estimated: false,
        overrun: false,
      });
      const full = [limit("day", "cost", 100), limit("day", "tokens", 22)];
      expect(await ledger.reserve(asked(41, full, { runId: "run-2" }))).toMatchObject({ kind: "exhausted", spent: 60 });
      expect(await reserved(ledger, asked(40, full, { runId: "run-2" }))).toBe(1);
    });

    test("what fits beside what is spent and not beside what is reserved waits; else it is exhausted", async () => {
      const { ledger } = await openStore(open);
      const limits = [limit("day", "cost", 100)];
      await reserved(ledger, asked(60, limits));
      const second = asked(60, limits, { runId: "run-2" });
      expect(await ledger.reserve(second)).toEqual({ kind: "waits", limit: limits[0] });
      expect(await ledger.reserve(asked(101, limits, { runId: "run-2" }))).toMatchObject({
        kind: "exhausted",
        need: 101,
      });
      await ledger.settle({ ...booking, attempt: 1, usage: used(10) });
      expect(await ledger.reserve(second)).toEqual({ kind: "reserved", attempt: 1 });
      await ledger.settle({ ...booking, runId: "run-2", attempt: 1, usage: used(90) });
      expect(await ledger.reserve(asked(0, limits))).toMatchObject({ kind: "exhausted", spent: 100, need: 1 });
      expect(await ledger.entries({})).toHaveLength(2);
    });

    test("each scope counts for itself: run, agent, owner, workflow, UTC day", async () => {
      const { ledger } = await openStore(open);
      await ledger.book(booking, used(50));
      const spentBy = async (scope: BudgetLimit["scope"], more: Partial<Booking>): Promise<number> => {
        const result = await ledger.reserve(asked(1, [limit(scope, "cost", 0)], more));
        return result.kind === "exhausted" ? result.spent : -1;
      };
      const scopes = (more: Partial<Booking>): Promise<number[]> =>
        Promise.all((["run", "agent", "owner", "day"] as const).map((scope) => spentBy(scope, more)));
      expect(await scopes({})).toEqual([50, 50, 50, 50]);
      expect(await scopes({ runId: "run-2" })).toEqual([0, 0, 50, 50]);
      expect(await scopes({ agent: "other" })).toEqual([50, 0, 50, 50]);
      expect(await scopes({ owner: "bob" })).toEqual([50, 50, 0, 50]);
      expect(await scopes({ workflow: "other" })).toEqual([50, 50, 0, 0]);
      expect(await scopes({ at: NOW + DAY_MS })).toEqual([50, 50, 0, 0]);
      // The limits of owners hold for those that there are.
      expect(await ledger.reserve(asked(1, [limit("owner", "cost", 0)], { owner: undefined }))).toMatchObject({
        kind: "reserved",
      });
    });

    test("model calls are counted when they are reserved, and tools have no tokens to limit", async () => {
      const { ledger } = await openStore(open);
      const limits = [limit("run", "modelCalls", 2), limit("run", "tokens", 40)];
      await reserved(ledger, asked(0, limits));
      await reserved(ledger, asked(0, limits, { key: "turn:2/model" }));
      expect(await ledger.reserve(asked(0, limits, { key: "turn:3/model" }))).toMatchObject({
        kind: "exhausted",
        limit: { measure: "modelCalls" },
        spent: 2,
      });
      await reserved(ledger, asked(9, limits, { kind: "tool", name: "pay", key: "call:c" }));
    });

    test("tool calls are counted up to what a run asked for in all, once, or not at all", async () => {
      const { ledger } = await openStore(open);
      const count = (runTotal: number, limits: readonly BudgetLimit[], more: Partial<Booking> = {}) =>
        ledger.count({ ...booking, ...more, runTotal, limits });
      const day = [limit("day", "toolCalls", 5)];
      expect(await count(2, day)).toEqual({ kind: "counted" });
      // A turn that is made again.
      expect(await count(2, day)).toEqual({ kind: "counted" });
      expect(await count(3, day)).toEqual({ kind: "counted" });
      expect(await count(3, day, { runId: "run-2" })).toEqual({ kind: "exhausted", limit: day[0], spent: 3, need: 3 });
      expect(await count(2, day, { runId: "run-2", owner: "bob" })).toEqual({ kind: "counted" });
      expect(await count(1, day, { runId: "run-3" })).toMatchObject({ kind: "exhausted", spent: 5 });
      expect(await count(1, day, { runId: "run-3", at: NOW + DAY_MS })).toEqual({ kind: "counted" });
      expect(await count(1, day, { runId: "run-4", workflow: "other" })).toEqual({ kind: "counted" });
      const owner = [limit("owner", "toolCalls", 3)];
      expect(await count(1, owner, { runId: "run-5" })).toMatchObject({ kind: "exhausted", limit: owner[0], spent: 3 });
      expect(await count(1, owner, { runId: "run-5", owner: "bob" })).toEqual({ kind: "counted" });
      // The limits of owners hold for those that there are.
      expect(await count(9, owner, { runId: "run-6", owner: undefined })).toEqual({ kind: "counted" });
      expect(await ledger.entries({})).toEqual([]);
    });

    test("an attempt that was lost is booked in full as an estimate, and the next one is another entry", async () => {
      const { ledger } = await openStore(open);
      await reserved(ledger, asked(70, []));
      await reserved(ledger, asked(5, [], { runId: "run-2" }));
      await ledger.lose("run-1");
      await ledger.lose("run-1");
      expect(await ledger.entries({ runId: "run-1" })).toMatchObject([
        { attempt: 1, state: "settled", costNanoUsd: 70, costSource: "estimate", estimated: true, overrun: false },
      ]);
      expect(await ledger.entries({ runId: "run-2" })).toMatchObject([{ state: "reserved" }]);
      expect(await ledger.reserve(asked(31, [limit("run", "cost", 100)]))).toMatchObject({ spent: 70 });
      expect(await reserved(ledger, asked(30, [limit("run", "cost", 100)]))).toBe(2);
      // It comes back after all: what it really used counts.
      await ledger.settle({ ...booking, attempt: 1, usage: used(20) });
      await ledger.settle({ ...booking, attempt: 2, usage: used(30) });
      expect(await ledger.reserve(asked(51, [limit("run", "cost", 100)]))).toMatchObject({ spent: 50 });
    });

    test("what costs more than was reserved is booked in full, and flagged", async () => {
      const { ledger } = await openStore(open);
      const limits = [limit("run", "cost", 100)];
      await reserved(ledger, asked(70, limits));
      await ledger.settle({ ...booking, attempt: 1, usage: used(170) });
      expect(await ledger.entries({})).toMatchObject([{ costNanoUsd: 170, overrun: true }]);
      expect(await ledger.reserve(asked(1, limits))).toMatchObject({ kind: "exhausted", spent: 170 });
    });

    test("a cost that nobody knows is nothing, and says so", async () => {
      const { ledger } = await openStore(open);
      await ledger.book(booking, used(undefined, { costSource: "unknown", estimated: true }));
      expect(await ledger.entries({})).toMatchObject([{ costNanoUsd: 0, costSource: "unknown", estimated: true }]);
    });

    test("sums stop at what a number counts exactly, and whoever is not limited by them goes on", async () => {
      const { ledger } = await openStore(open);
      const most = Number.MAX_SAFE_INTEGER;
      await reserved(ledger, asked(most, []));
      await reserved(ledger, asked(most, []));
      for (const attempt of [1, 2])
        await ledger.settle({ ...booking, attempt, usage: used(most, { inputTokens: most, outputTokens: most }) });
      await ledger.book(booking, used(most, { inputTokens: most, outputTokens: most }));
      const next = { runId: "run-2", owner: "bob" };
      for (const measure of ["cost", "tokens"] as const)
        expect(await ledger.reserve(asked(1, [limit("day", measure, 100)], next))).toMatchObject({
          kind: "exhausted",
          spent: most,
        });
      expect(await reserved(ledger, asked(1, [limit("day", "modelCalls", 9)], next))).toBe(1);
      await ledger.settle({ ...booking, ...next, attempt: 1, usage: used(1) });
      expect(await ledger.entries({ runId: "run-2" })).toMatchObject([{ costNanoUsd: 1 }]);
    });

    test("entries by a filter, oldest first", async () => {
      const { ledger } = await openStore(open);
      await ledger.book({ ...booking, at: NOW + DAY_MS, key: "b", owner: undefined }, used(1));
      await ledger.book({ ...booking, key: "a", kind: "tool", name: '"odd\0\ud800' }, used(2));
      const keys = async (filter: Parameters<Ledger["entries"]>[0]): Promise<readonly unknown[]> =>
        (await ledger.entries(filter)).map(({ key }) => key);
      const [day, next] = [NOW, NOW + DAY_MS].map((at) => new Date(at).toISOString().slice(0, 10));
      expect(await keys({})).toEqual(["a", "b"]);
      expect(await keys({ from: next })).toEqual(["b"]);
      expect(await keys({ to: day })).toEqual(["a"]);
      expect(await keys({ owner: "ann" })).toEqual(["a"]);
      expect(await keys({ kind: "model" })).toEqual(["b"]);
      expect(await keys({ name: '"odd\0\ud800' })).toEqual(["a"]);
      expect(await keys({ workflow: "desk", agent: "clerk", runId: "run-1" })).toEqual(["a", "b"]);
      for (const filter of [{ workflow: "x" }, { agent: "x" }, { runId: "x" }, { owner: "x" }, { name: "x" }])
        expect(await keys(filter)).toEqual([]);
    });

    test("of a run that is forgotten the amounts stay, and the names go", async () => {
      const store = await openStore(open);
      const { ledger } = store;
      await pastRun(store, "run-1", "thread-1", NOW + 1, "ann");
      await pastRun(store, "run-2", "thread-2", NOW + 1, "ann");
      for (const runId of ["run-1", "run-2"]) await ledger.book({ ...booking, runId }, used(50));
      await store.erase("thread-1");
      expect(await ledger.entries({ owner: "ann" })).toMatchObject([{ runId: "run-2" }]);
      const all = await ledger.entries({});
      expect(all.find(({ runId }) => runId === undefined)).toMatchObject({
        owner: undefined,
        key: undefined,
        workflow: "desk",
        agent: "clerk",
        name: "model-1",
        costNanoUsd: 50,
        operations: 1,
      });
      expect(await ledger.reserve(asked(1, [limit("day", "cost", 100)]))).toMatchObject({ spent: 100 });
      expect(await store.prune(NOW + 2, 10)).toBe(1);
      const left = await ledger.entries({});
      expect(left.every(({ runId, owner }) => runId === undefined && owner === undefined)).toBe(true);
      expect(left.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)).toBe(100);
      expect(left.reduce((sum, { operations }) => sum + operations, 0)).toBe(2);
    });
  });
}
