import { expect, test, vi } from "vitest";
import { defineTool, type CallHook } from "tenon";
import { crashEverywhere, type CrashWorld } from "tenon/testing";
import { Amount, callId, desk, go, pauseId, pay, RUN, same, stores } from "./crash-desk.js";

// Hundreds of runs, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const approved = (world: CrashWorld, name = "pay", options: object = {}) =>
  pay(world, { name, approval: ({ n }: Amount) => `Pay ${n}?`, ...options });

/** Hooks that say no to large amounts. */
const atMost = (most: number): CallHook => ({
  onBeforeCall: (_ctx, { input }) => ((input as Amount).n > most ? { action: "deny", reason: "too much" } : undefined),
});

const yes = { approved: true, by: "ann" } as const;

const middles = new WeakMap<CrashWorld, Promise<void>>();
const both = stores();

test.each(both)("an approval with an edit, on %s", async (_store, on) => {
  const { points } = await crashEverywhere({
    ...on,
    app: (world) => desk(world, [approved(world)]),
    drive: go,
    decide: (pause) => (pause.kind === "approval" ? { ...yes, edit: { n: 7 } } : undefined),
    ...same(({ effects, runs }) => {
      expect(effects).toEqual([{ name: "pay", key: callId(1), value: { paid: 7 } }]);
      expect(JSON.stringify(runs[0]!.messages)).toContain('"input":{"n":7}');
    }),
  });
  expect(points).toContain(`after decide ${pauseId(1)}`);
});

test("an edit that a hook denies", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [approved(world)], { hooks: [atMost(100)] }),
    drive: go,
    decide: () => ({ ...yes, edit: { n: 500 } }),
    ...same((end) => {
      expect(end.effects).toEqual([]);
    }),
  });
});

test("a denial", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [approved(world)]),
    drive: go,
    decide: () => ({ approved: false, reason: "not today", by: "ann" }),
    ...same((end) => {
      expect(end.effects).toEqual([]);
    }),
  });
});

test.each(both)("two pauses that are answered in the other order, in other processes, on %s", async (_store, on) => {
  await crashEverywhere({
    ...on,
    app: (world) => desk(world, [approved(world, "first"), approved(world, "second")]),
    drive: [
      go,
      (app) => app.resume(RUN, { [pauseId(2)]: yes }),
      (app) => app.resume(RUN, { [pauseId(1)]: { approved: false, reason: "no", by: "bob" } }),
    ],
    ...same(({ effects }) => expect(effects).toMatchObject([{ name: "second", value: { paid: 2 } }])),
    twice: false,
  });
});

test("an approval that nobody gives in time", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [approved(world, "pay", { approvalExpiresIn: "2h" })]),
    drive: [
      go,
      async (app, world) => {
        await world.clock.advance(3 * 3_600_000);
        await app.recover();
      },
    ],
    ...same((end) => {
      expect(end.effects).toEqual([]);
      expect(JSON.stringify(end.runs[0]!.messages)).toMatch(/in time|expired/);
    }),
  });
});

test("a cancel while two calls wait", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [approved(world, "first"), approved(world, "second")]),
    drive: [go, (app) => app.cancel(RUN)],
    ...same((end) => {
      expect(end.runs[0]!.status).toBe("cancelled");
    }),
  });
});

test.each(both)("a cancel in the middle of a write, on %s", async (_store, on) => {
  await crashEverywhere({
    ...on,
    app: (world) => {
      const stuck = defineTool({
        name: "stuck",
        description: "Pays and hangs.",
        input: Amount,
        access: "write",
        run: async ({ n }, ctx) => {
          await world.effect("stuck", ctx.callId, () => ({ paid: n }));
          reached.resolve();
          return new Promise<{ paid: number }>(() => {});
        },
      });
      const reached = Promise.withResolvers<void>();
      middles.set(world, reached.promise);
      return desk(world, [stuck]);
    },
    drive: async (app, world) => {
      const running = go(app);
      await Promise.race([running, middles.get(world)]);
      await app.cancel(RUN);
      await running;
    },
    // Whether the money was gone before the crash is in the inbox of the ended run; the history says that nobody knows.
    compare: (end) => {
      expect(end.runs).toMatchObject([{ status: "cancelled" }]);
      expect(end.effects.length).toBeLessThan(2);
      expect(end.runs[0]!.messages).toHaveLength(3);
    },
  });
});
