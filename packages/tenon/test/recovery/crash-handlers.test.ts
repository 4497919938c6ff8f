import { expect, test, vi } from "vitest";
import { defineTool, type Reconciled } from "tenon";
import { crashEverywhere, type CrashScenario, type CrashWorld } from "tenon/testing";
import { Amount, desk, go, same, stores } from "./crash-desk.js";

// Hundreds of runs, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const answer = { answer: "blue", by: "ann" } as const;

const both = stores();

test("a read that asks in the middle", async () => {
  await crashEverywhere({
    app: (world) =>
      desk(world, [
        defineTool({
          name: "look",
          description: "Looks.",
          input: Amount,
          run: async ({ n }, ctx) => {
            await world.point("looking");
            const color = await ctx.pause<string>("Which color?");
            const size = await ctx.pause<string>("Which size?");
            return { n, color, size };
          },
        }),
      ]),
    drive: go,
    decide: () => answer,
    ...same(({ runs }) => expect(JSON.stringify(runs[0]!.messages)).toContain("blue")),
    twice: false,
  });
});

test.each(both)("a write that asks in the middle, on %s", async (_store, on) => {
  const { points } = await crashEverywhere({
    ...on,
    app: (world) =>
      desk(world, [
        defineTool({
          name: "paint",
          description: "Paints.",
          input: Amount,
          access: "write",
          run: async ({ n }, ctx) => {
            const color = await ctx.pause<string>("Which color?");
            return world.effect("paint", ctx.callId, () => ({ n, color }));
          },
        }),
      ]),
    drive: go,
    decide: (pause) => (pause.kind === "question" ? answer : undefined),
    ...same(({ effects }) => expect(effects).toMatchObject([{ value: { n: 1, color: "blue" } }])),
    twice: false,
  });
  expect(points.length).toBeGreaterThan(20);
});

test("a question that is not approved", async () => {
  await crashEverywhere({
    app: (world) =>
      desk(world, [
        defineTool({
          name: "paint",
          description: "Paints.",
          input: Amount,
          access: "write",
          inDoubt: "rerun",
          run: async (_input, ctx) => {
            await ctx.pause("Which color?");
            return world.effect("paint", ctx.callId);
          },
        }),
      ]),
    drive: go,
    decide: () => ({ approved: false, reason: "none", by: "ann" }),
    ...same((end) => {
      expect(end.effects).toEqual([]);
    }),
  });
});

test.each(both)("a durable tool with steps and a question, on %s", async (_store, on) => {
  const { points } = await crashEverywhere({
    ...on,
    app: (world) =>
      desk(world, [
        defineTool({
          name: "move",
          description: "Moves house.",
          input: Amount,
          access: "write",
          inDoubt: "rerun",
          durable: true,
          run: async ({ n }, ctx) => {
            const packed = await ctx.step("pack", () => world.effect("pack", `${ctx.callId}:pack`, () => n + 1));
            const street = await ctx.pause<string>("Which street?");
            const moved = await ctx.step("move", () => world.effect("move", `${ctx.callId}:move`, () => packed + 1));
            return { moved, street };
          },
        }),
      ]),
    drive: go,
    decide: () => answer,
    ...same(({ runs }) => expect(JSON.stringify(runs[0]!.messages)).toContain("blue")),
    twice: false,
  });
  expect(points.some((label) => /after record .*step:/.test(label))).toBe(true);
});

/** A write that does its work and never answers. */
function hanging(
  does: boolean,
  reconcile: ((callId: string, world: CrashWorld) => Reconciled<{ paid: number }>) | undefined,
  more: object = {},
): Pick<CrashScenario, "app" | "drive"> {
  return {
    app: (world) =>
      desk(world, [
        defineTool({
          name: "pay",
          description: "Pays and hangs.",
          input: Amount,
          access: "write",
          timeoutMs: 1_000,
          ...more,
          run: async ({ n }, ctx) => {
            if (does) await world.effect("pay", ctx.callId, () => ({ paid: n }));
            else await world.point("asking");
            return new Promise<{ paid: number }>(() => {});
          },
          ...(reconcile === undefined ? {} : { reconcile: (callId: string) => reconcile(callId, world) }),
        }),
      ]),
    drive: go,
  };
}

test.each(both)("a write in doubt whose tool finds out that it happened, on %s", async (_store, on) => {
  let ends = 0;
  await crashEverywhere({
    ...on,
    ...hanging(true, (callId, world) => {
      const effect = world.happened(callId);
      return effect === undefined ? { outcome: "not-done" } : { outcome: "done", value: effect.value as never };
    }),
    compare: (end, undisturbed) => {
      ends++;
      expect(end).toEqual(undisturbed);
      expect(JSON.stringify(end.runs[0]!.messages)).toContain("paid");
    },
    twice: false,
  });
  expect(ends).toBeGreaterThan(10);
});

test("a write in doubt whose tool finds out that nothing happened", async () => {
  await crashEverywhere({ ...hanging(false, () => ({ outcome: "not-done" })), twice: false });
});

test("a write in doubt of which only a person knows", async () => {
  await crashEverywhere({ ...hanging(true, () => ({ outcome: "unknown" })), twice: false });
});

test("a write in doubt that a person gives up on", async () => {
  await crashEverywhere({
    ...hanging(true, undefined),
    decide: () => ({ action: "give-up", by: "ann" }),
    compare: (end) => {
      expect(end.runs).toMatchObject([{ status: "completed", text: "done" }]);
      expect(end.effects.length).toBeLessThan(2);
      expect(JSON.stringify(end.runs[0]!.messages)).toContain("Tool error");
    },
    twice: false,
  });
});

test("a write that takes too long and may run again", async () => {
  await crashEverywhere({ ...hanging(true, undefined, { inDoubt: "rerun" }), twice: false });
});
