import { expect, test } from "vitest";
import { defineTool, type CallHook } from "tenon";
import { crashEverywhere, type CrashWorld } from "tenon/testing";
import { Amount, desk, go, pauseId, RUN } from "./crash-desk.js";

const approved = (world: CrashWorld, name = "pay", options: object = {}) =>
  defineTool({
    name,
    description: "Pays.",
    input: Amount,
    access: "write",
    approval: ({ n }: Amount) => `Pay ${n}?`,
    ...options,
    run: ({ n }, ctx) => world.effect(name, ctx.callId, () => ({ paid: n })),
  });

/** Hooks that say no to large amounts. */
const atMost = (most: number): CallHook => ({
  onBeforeCall: (_ctx, { input }) =>
    (input as Amount).n > most ? { action: "deny", reason: "too much" } : undefined,
});

const yes = { approved: true, by: "ann" } as const;

test("an approval with an edit", async () => {
  const { points } = await crashEverywhere({
    app: (world) => desk(world, [approved(world)]),
    drive: go,
    decide: (pause) => (pause.kind === "approval" ? { ...yes, edit: { n: 7 } } : undefined),
    twice: true,
  });
  expect(points).toContain(`after decide ${pauseId(1)}`);
});

test("an edit that a hook denies", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [approved(world)], { hooks: [atMost(100)] }),
    drive: go,
    decide: () => ({ ...yes, edit: { n: 500 } }),
    compare: (end, undisturbed) => {
      expect(end).toEqual(undisturbed);
      expect(end.effects).toEqual([]);
    },
  });
});

test("a denial", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [approved(world)]),
    drive: go,
    decide: () => ({ approved: false, reason: "not today", by: "ann" }),
    compare: (end, undisturbed) => {
      expect(end).toEqual(undisturbed);
      expect(end.effects).toEqual([]);
    },
  });
});

test("two pauses that are answered in the other order, in other processes", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [approved(world, "first"), approved(world, "second")]),
    drive: [
      go,
      (app) => app.resume(RUN, { [pauseId(2)]: yes }),
      (app) => app.resume(RUN, { [pauseId(1)]: { approved: false, reason: "no", by: "bob" } }),
    ],
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
    compare: (end, undisturbed) => {
      expect(end).toEqual(undisturbed);
      expect(end.effects).toEqual([]);
      expect(JSON.stringify(end.runs[0]!.messages)).toMatch(/in time|expired/);
    },
  });
});

test("a cancel while two calls wait", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [approved(world, "first"), approved(world, "second")]),
    drive: [go, (app) => app.cancel(RUN)],
    compare: (end, undisturbed) => {
      expect(end).toEqual(undisturbed);
      expect(end.runs[0]!.status).toBe("cancelled");
    },
  });
});

test("a cancel in the middle of a write", async () => {
  await crashEverywhere({
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

const middles = new WeakMap<CrashWorld, Promise<void>>();
