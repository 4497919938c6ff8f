import { expect, test, vi } from "vitest";
import { defineAgent, defineTool, defineWorkflow, usd } from "tenon";
import { callTool, callTools, crashEverywhere, rawCall, rawTurn, replyWith, type CrashWorld } from "tenon/testing";
import { Amount, callId, desk, deskWith, go, pay, same, stores } from "./crash-desk.js";

// Hundreds of runs, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const again = (world: CrashWorld, name = "pay") => pay(world, { name, inDoubt: "rerun" });

const note = (world: CrashWorld) =>
  defineTool({
    name: "note",
    description: "Notes.",
    input: Amount,
    access: "write",
    run: ({ n }, ctx) => world.effect("note", ctx.callId, () => ({ noted: n })),
  });

const look = (world: CrashWorld) =>
  defineTool({
    name: "look",
    description: "Looks.",
    input: Amount,
    run: async ({ n }) => {
      await world.point("looking");
      return { seen: n };
    },
  });

const big = (world: CrashWorld) => pay(world, { name: "big", approval: true });

const both = stores();

test.each(both)("one call, its id the idempotency key, on %s", async (store, on) => {
  const { points, crashes } = await crashEverywhere({ ...on, app: (world) => desk(world, [again(world)]), drive: go });
  expect(points).toContain(`after record turn:1/call:${callId(1)}/admit`);
  expect(points).toContain(`after effect pay ${callId(1)}`);
  expect(crashes).toBeGreaterThanOrEqual(points.length * (store === "memory" ? 4 : 1));
});

test("one call of a write that may not run twice: a person says what happened", async () => {
  await crashEverywhere({ app: (world) => desk(world, [note(world)]), drive: go });
});

test("four calls at the same time, one of which waits", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [again(world), look(world), big(world), note(world)]),
    drive: go,
    ...same(({ effects }) => expect(effects.map(({ name }) => name)).toEqual(["big", "note", "pay"])),
    twice: false,
  });
});

test("a plain read that a hook asks about", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [look(world)], { hooks: [{ onBeforeCall: () => ({ action: "ask" }) }] }),
    drive: go,
  });
});

test("a budget stop", async () => {
  const limited = (world: CrashWorld) => {
    const tool = again(world);
    const Clerk = defineAgent({ name: "clerk", description: "A clerk.", tools: [tool] });
    const turn = (n: number) =>
      rawTurn({ calls: [rawCall({ name: "pay", arguments: `{"n":${n}}` })], usage: { costUsd: 0.06 } });
    return world.createApp(defineWorkflow({ name: "desk", agents: [Clerk], limits: { perRun: { cost: usd(0.1) } } }), {
      models: { default: world.model(turn(1), turn(2), turn(3)) },
    });
  };
  let ends = 0;
  let sooner = 0;
  await crashEverywhere({
    app: limited,
    drive: go,
    twice: false,
    compare: (end, undisturbed) => {
      ends++;
      expect(end.runs[0]).toMatchObject({ status: "failed", stopReason: "budget" });
      // An answer that was paid and lost is paid again: then the money is gone one turn sooner.
      if (end.effects.length === 2) expect(end).toEqual(undisturbed);
      else expect((sooner++, end.effects)).toHaveLength(1);
    },
  });
  expect(sooner).toBe(4);
  expect(ends).toBeGreaterThan(20);
});

test("two runs of a thread", async () => {
  await crashEverywhere({
    app: (world) => {
      const tool = again(world);
      return deskWith(
        world,
        [tool],
        [callTool(tool, { n: 1 }), replyWith("one"), callTools([[tool, { n: 2 }]]), replyWith("two")],
      );
    },
    drive: [go, (app) => app.run({ prompt: "again" }, { runId: "crash-run-two", threadId: "crash-thread" })],
    twice: false,
  });
});
