import { describe, expect, test } from "vitest";
import { defineTool, ToolError, type DurableToolContext } from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { appOf, resultsIn } from "../known-failures/wire.js";

type Late = (ctx: DurableToolContext, over: Promise<void>) => Promise<unknown>;

/** What a handler does once the time of its call is over, and that comes to nothing. */
const late: readonly (readonly [string, Late])[] = [
  ["asks", async (ctx, over) => (await over, ctx.pause("Now?"))],
  ["asks as soon as its signal aborts", (ctx) => aborted(ctx).then(() => ctx.pause("Now?"))],
  ["takes another step", async (ctx, over) => (await over, ctx.step("more", () => 1))],
  ["ends a step", (ctx, over) => ctx.step("long", () => over)],
  ["fails in a step", (ctx, over) => ctx.step("long", () => over.then(() => Promise.reject(new Error("no"))))],
  [
    "takes a step twice",
    async (ctx, over) => (await over, Promise.all([ctx.step("a", () => 1), ctx.step("b", () => 2)])),
  ],
  [
    "asks beside its work",
    async (ctx, over) => (await over, Promise.race([ctx.pause("Now?"), new Promise(setImmediate)])),
  ],
];

const aborted = (ctx: DurableToolContext): Promise<void> =>
  new Promise((resolve) => ctx.signal.addEventListener("abort", () => resolve()));

describe.each(["read", "write"] as const)("a %s", (access) => {
  test.each(late)("a handler that %s after its time does not count as running for ever", async (_, then) => {
    const ends: Promise<void>[] = [];
    const tool = defineTool({
      name: "long",
      description: "Takes long.",
      access,
      inDoubt: "rerun",
      durable: true,
      timeoutMs: 1,
      async run(_input, ctx): Promise<string> {
        const over = aborted(ctx).then(() => new Promise<void>((resolve) => setTimeout(resolve, 2)));
        ends.push(over);
        await then(ctx, over);
        return "too late";
      },
    });
    const calls = 20;
    const steps = Array.from({ length: calls }, () => [callTool(tool, {}), replyWith("done")]).flat();
    const model = scriptedModel(...steps);
    await using app = await appOf([tool], model);
    for (let n = 0; n < calls; n++) {
      expect((await app.run({ prompt: "go" })).status).toBe("completed");
      expect(resultsIn(model.requests.at(-1)).map(({ text }) => text)).toEqual([
        expect.stringContaining("gave no answer within 1 ms"),
      ]);
      await Promise.all(ends);
      await new Promise(setImmediate);
    }
    expect(ends).toHaveLength(calls);
  });
});

test("a handler that asks only when its time is over leaves its call in doubt: nobody is asked that question", async () => {
  const tool = defineTool({
    name: "pay",
    description: "Pays.",
    access: "write",
    timeoutMs: 1,
    run: async (_input, ctx) => {
      await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
      return ctx.pause("It takes long. Go on?");
    },
  });
  const model = scriptedModel(callTool(tool, {}), replyWith("done"));
  await using app = await appOf([tool], model);
  const { runId, pauses } = await app.run({ prompt: "go" });
  expect(pauses).toMatchObject([{ kind: "in-doubt", interruption: "timeout" }]);
  const decision = { action: "done", result: "paid", by: "ann" } as const;
  expect(await app.resume(runId, { [pauses[0]!.id]: decision })).toMatchObject({ status: "completed" });
  expect(resultsIn(model.requests.at(-1))).toMatchObject([{ text: "paid" }]);
});

test("a handler that says when its signal aborts that nothing happened is believed, whatever it asked on the way", async () => {
  const tool = defineTool({
    name: "pay",
    description: "Pays.",
    access: "write",
    timeoutMs: 1,
    run: (_input, ctx) =>
      new Promise((_resolve, reject) => {
        ctx.signal.addEventListener("abort", () => {
          void ctx.pause("Well?");
          reject(new ToolError("nothing was paid", { outcome: "not-done" }));
        });
      }),
  });
  const model = scriptedModel(callTool(tool, {}), replyWith("done"));
  await using app = await appOf([tool], model);
  expect(await app.run({ prompt: "go" })).toMatchObject({ status: "completed", pauses: [] });
  expect(resultsIn(model.requests.at(-1))).toMatchObject([{ text: expect.stringContaining("did nothing") }]);
});
