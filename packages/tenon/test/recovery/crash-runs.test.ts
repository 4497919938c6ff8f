import { expect, test, vi } from "vitest";
import { defineAgent, defineTool, ToolError } from "tenon";
import { callTool, callTools, crashEverywhere, failWith, replyWith, type CrashWorld } from "tenon/testing";
import { Amount, desk, deskWith, go, pauseId, pay, RUN } from "./crash-desk.js";

// Hundreds of runs, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const yes = { approved: true, by: "ann" } as const;

test("costs of tools count once", async () => {
  await crashEverywhere({
    app: (world) =>
      desk(world, [
        defineTool({
          name: "pay",
          description: "Pays.",
          input: Amount,
          access: "write",
          inDoubt: "rerun",
          run: async ({ n }, ctx) => {
            ctx.reportCost(0.5);
            const color = await ctx.pause<string>("Which?");
            return world.effect("pay", ctx.callId, () => ({ n, color }));
          },
        }),
      ]),
    drive: go,
    decide: () => ({ answer: "blue", by: "ann" }),
    compare: (end, undisturbed) => {
      expect(end).toEqual(undisturbed);
      // Each of its two attempts reported a cost.
      expect(end.runs[0]!.usage.toolCostUsd).toBe(1);
    },
    twice: false,
  });
});

test("a run that makes way for another one", async () => {
  await crashEverywhere({
    app: (world) => desk(world, [pay(world, { approval: true })]),
    drive: [
      go,
      (app) => app.run({ prompt: "again" }, { runId: "crash-run-two", threadId: "crash-thread", onBusy: "replace" }),
    ],
    twice: false,
    compare: (end, undisturbed) => {
      expect(end.runs[0]).toMatchObject({ status: "cancelled" });
      expect(end).toEqual(undisturbed);
    },
  });
});

test("a model that fails", async () => {
  await crashEverywhere({
    app: (world) => deskWith(world, [], [failWith(new Error("down"))]),
    drive: go,
  });
});

test("a write that says that nothing happened", async () => {
  await crashEverywhere({
    app: (world) =>
      desk(world, [
        defineTool({
          name: "pay",
          description: "Pays.",
          input: Amount,
          access: "write",
          run: async () => {
            await world.point("trying");
            throw new ToolError("no money", { outcome: "not-done" });
          },
        }),
      ]),
    drive: go,
    twice: false,
  });
});

test("an edit and a question in one call, and a sibling that is denied", async () => {
  await crashEverywhere({
    app: (world) =>
      desk(world, [
        defineTool({
          name: "pay",
          description: "Pays.",
          input: Amount,
          access: "write",
          approval: true,
          inDoubt: "rerun",
          run: async ({ n }, ctx) => {
            const color = await ctx.pause<string>("Which?");
            return world.effect("pay", ctx.callId, () => ({ n, color }));
          },
        }),
        pay(world, { name: "other", approval: true }),
      ]),
    drive: [
      go,
      (app) =>
        app.resume(RUN, {
          [pauseId(2)]: { approved: false, reason: "no", by: "bob" },
          [pauseId(1)]: { ...yes, edit: { n: 9 } },
        }),
    ],
    decide: () => ({ answer: "blue", by: "ann" }),
    twice: false,
  });
});

test("exclusive calls", async () => {
  await crashEverywhere({
    app: (world) => {
      const tool = pay(world, { inDoubt: "rerun", exclusive: () => "one" });
      return deskWith(
        world,
        [tool],
        [
          callTools([
            [tool, { n: 1 }],
            [tool, { n: 2 }],
            [tool, { n: 3 }],
          ]),
          replyWith("done"),
        ],
      );
    },
    drive: go,
    twice: false,
  });
});

test("tools and a context that are never stored, and are given back", async () => {
  const toolOf = (world: CrashWorld) =>
    defineTool({
      name: "pay",
      description: "Pays.",
      input: Amount,
      access: "write",
      inDoubt: "rerun",
      run: ({ n }, ctx) => world.effect("pay", `${ctx.callId}:${String(ctx.executionContext)}`, () => n),
    });
  await crashEverywhere({
    app: (world) =>
      world.createApp(defineAgent({ name: "clerk", description: "A clerk.", tools: [] }), {
        models: { default: world.model(callTool(toolOf(world), { n: 3 }), replyWith("done")) },
        restore: () => ({ tools: [toolOf(world)], executionContext: "ann" }),
      }),
    drive: (app, world) =>
      app.run(
        { prompt: "go" },
        { runId: RUN, threadId: "crash-thread", tools: [toolOf(world)], executionContext: "ann" },
      ),
    twice: false,
  });
});
