import { describe, expect, test } from "vitest";
import {
  Agent,
  createApp,
  defineTool,
  defineWorkflow,
  type App,
  type Store,
  type ToolEntry,
} from "../../src/doors/tenon/index.js";
import { Int, Text } from "../../src/doors/dto/index.js";
import { callTool, replyWith, scriptedModel, type ModelStep } from "../../src/doors/testing/index.js";
import { stores } from "./stores.js";

const yes = { approved: true, by: "ann" } as const;

/** An app of one agent with these tools. */
function appOf(
  tools: readonly ToolEntry[],
  store: Store,
  steps: readonly ModelStep[],
  more: { readonly name?: string; readonly models?: object; readonly model?: string } = {},
): Promise<App> {
  @Agent({ name: more.name ?? "clerk", description: "d", tools: tools as never, model: more.model })
  class Clerk {}
  return createApp(Clerk, { models: { default: scriptedModel(...steps), ...more.models }, store, env: {} });
}

class Amount {
  @Int() n!: number;
}

const pay = (ran: unknown[]) =>
  defineTool({
    name: "pay",
    description: "Pays.",
    input: Amount,
    access: "write",
    approval: true,
    run: ({ n }) => void ran.push(n),
  });

/** Stops an app in the middle of its one call, as a crash would. */
async function crashInCall(tool: ToolEntry, running: Promise<void>, store: Store): Promise<string> {
  const app = await appOf([tool], store, [callTool(tool as never, { n: 1 } as never)]);
  const run = app.run({ prompt: "go" }, { runId: "run-00001" }).catch(() => {});
  await running;
  await app.close({ graceMs: 0 });
  await run;
  return "run-00001";
}

/** A tool that never ends. */
function hanging(access: "read" | "write", approval = false) {
  let started = (): void => {};
  const running = new Promise<void>((resolve) => (started = resolve));
  const tool = defineTool({
    name: "hang",
    description: "Hangs.",
    input: Amount,
    access,
    approval,
    run: () => {
      started();
      return new Promise<void>(() => {});
    },
  });
  return { tool, running };
}

const resultOf = async (app: App, runId: string): Promise<unknown> =>
  (await app.inspect(runId)).turns[0]!.calls[0]!.result;

describe.each(stores)("on %s", (_, newStore) => {
  describe("a tool that is gone", () => {
    test("an approved call of it gets the error result tool_gone, and the run goes on", async () => {
      const store = newStore();
      const ran: unknown[] = [];
      const first = await appOf([pay(ran)], store, [callTool(pay([]) as never, { n: 1 } as never)]);
      const paused = await first.run({ prompt: "go" });
      await first.close();
      await using next = await appOf([], store, [replyWith("without it")]);
      const decision = { [paused.pauses[0]!.id]: yes };
      expect(await next.resume(paused.runId, decision)).toMatchObject({ status: "completed", text: "without it" });
      expect(await resultOf(next, paused.runId)).toMatchObject({
        code: "tool_gone",
        message: expect.stringContaining("pay"),
      });
      expect(ran).toEqual([]);
    });

    test("a denied call of it stays denied; an edit of its input is refused where it is not there", async () => {
      const store = newStore();
      const first = await appOf([pay([])], store, [callTool(pay([]) as never, { n: 1 } as never)]);
      const paused = await first.run({ prompt: "go" });
      await first.close();
      await using next = await appOf([], store, [replyWith("all right")]);
      const id = paused.pauses[0]!.id;
      await expect(next.resume(paused.runId, { [id]: { ...yes, edit: { n: 2 } } })).rejects.toMatchObject({
        code: "decision_refused",
      });
      await next.resume(paused.runId, { [id]: { approved: false, reason: "no" } });
      expect(await resultOf(next, paused.runId)).toMatchObject({ code: "denied" });
    });

    test("a read of it that a crash interrupted gets an error result", async () => {
      const store = newStore();
      const { tool, running } = hanging("read");
      const runId = await crashInCall(tool, running, store);
      await using next = await appOf([], store, [replyWith("on")]);
      expect(await next.recover()).toMatchObject({ continued: [{ status: "completed", text: "on" }], skipped: [] });
      expect(await resultOf(next, runId)).toMatchObject({
        kind: "error",
        code: expect.stringMatching(/^(tool_gone|unknown_tool)$/),
      });
    });

    test("a write of it that was approved, and interrupted by a crash, has an unknown outcome too", async () => {
      const store = newStore();
      const { tool, running } = hanging("write", true);
      const first = await appOf([tool], store, [callTool(tool, { n: 1 })]);
      const paused = await first.run({ prompt: "go" });
      const resuming = first.resume(paused.runId, { [paused.pauses[0]!.id]: yes }).catch(() => {});
      await running;
      await first.close({ graceMs: 0 });
      await resuming;
      await using next = await appOf([], store, [replyWith("on")]);
      expect(await next.recover()).toMatchObject({ continued: [{ status: "completed" }], skipped: [] });
      expect(await resultOf(next, paused.runId)).toMatchObject({ code: "unknown_outcome" });
    });

    test("a write of it that a crash interrupted has an unknown outcome", async () => {
      const store = newStore();
      const { tool, running } = hanging("write");
      const runId = await crashInCall(tool, running, store);
      await using next = await appOf([], store, [replyWith("on")]);
      expect(await next.recover()).toMatchObject({ continued: [{ status: "completed", text: "on" }], skipped: [] });
      expect(await resultOf(next, runId)).toMatchObject({ code: "unknown_outcome" });
    });
  });

  test("an agent that is gone: the run is skipped with an error that names it, and nothing runs", async () => {
    const store = newStore();
    const ran: unknown[] = [];
    const first = await appOf([pay(ran)], store, [callTool(pay([]) as never, { n: 1 } as never)]);
    const paused = await first.run({ prompt: "go" });
    await first.decide(paused.runId, { [paused.pauses[0]!.id]: yes });
    await first.close();
    const next = await appOf([pay(ran)], store, [], { name: "other" });
    expect(await next.recover()).toMatchObject({
      continued: [],
      skipped: [{ runId: paused.runId, error: { code: "journal_error", message: expect.stringContaining("clerk") } }],
    });
    await expect(next.resume(paused.runId)).rejects.toMatchObject({ code: "journal_error" });
    expect(ran).toEqual([]);
    expect((await store.run(paused.runId))?.status).toBe("paused");
    await next.close();
    // Put back, it goes on.
    await using again = await appOf([pay(ran)], store, [replyWith("paid")]);
    expect(await again.recover()).toMatchObject({ continued: [{ status: "completed", text: "paid" }] });
    expect(ran).toEqual([1]);
  });

  describe("an input schema that changed", () => {
    class Other {
      @Int() n!: number;
      @Text() why!: string;
    }
    const newPay = (ran: unknown[]) =>
      defineTool({
        name: "pay",
        description: "Pays.",
        input: Other,
        access: "write",
        approval: true,
        run: (input) => void ran.push(input),
      });

    test("an approved input that does not fit any more gets tool_gone, and the handler does not start", async () => {
      const store = newStore();
      const first = await appOf([pay([])], store, [callTool(pay([]) as never, { n: 1 } as never)]);
      const paused = await first.run({ prompt: "go" });
      await first.close();
      const ran: unknown[] = [];
      await using next = await appOf([newPay(ran)], store, [replyWith("on")]);
      await next.resume(paused.runId, { [paused.pauses[0]!.id]: yes });
      expect(await resultOf(next, paused.runId)).toMatchObject({
        code: "tool_gone",
        message: expect.stringContaining("why"),
      });
      expect(ran).toEqual([]);
    });

    test("an edit that makes it fit is taken", async () => {
      const store = newStore();
      const first = await appOf([pay([])], store, [callTool(pay([]) as never, { n: 1 } as never)]);
      const paused = await first.run({ prompt: "go" });
      await first.close();
      const ran: unknown[] = [];
      await using next = await appOf([newPay(ran)], store, [replyWith("on")]);
      await next.resume(paused.runId, { [paused.pauses[0]!.id]: { ...yes, edit: { why: "rent" } } });
      expect(ran).toEqual([{ n: 1, why: "rent" }]);
    });

    test("a read that a crash interrupted is checked against the schema of today", async () => {
      const store = newStore();
      const { tool, running } = hanging("read");
      const runId = await crashInCall(tool, running, store);
      const ran: unknown[] = [];
      const changed = defineTool({
        name: "hang",
        description: "Hangs no more.",
        input: Other,
        run: (input) => void ran.push(input),
      });
      await using next = await appOf([changed], store, [replyWith("on")]);
      await next.recover();
      expect(await resultOf(next, runId)).toMatchObject({ kind: "error", message: expect.stringContaining("why") });
      expect(ran).toEqual([]);
    });
  });

  test("another order of steps fails the run with an error that names the recorded and the expected one", async () => {
    const store = newStore();
    const done: string[] = [];
    const job = (first: string, second: string) =>
      defineTool({
        name: "job",
        description: "Works.",
        access: "write",
        durable: true,
        run: async (_input, ctx) => {
          await ctx.step(first, () => void done.push(first));
          await ctx.pause("Go on?");
          await ctx.step(second, () => void done.push(second));
        },
      });
    const before = await appOf([job("book", "mail")], store, [callTool(job("book", "mail") as never, {} as never)]);
    const paused = await before.run({ prompt: "go" });
    await before.close();
    await using next = await appOf([job("mail", "book")], store, [replyWith("never")]);
    const result = await next.resume(paused.runId, { [paused.pauses[0]!.id]: { answer: true, by: "ann" } });
    expect(result).toMatchObject({ status: "failed", error: { code: "journal_error" } });
    expect(result.error!.message).toMatch(/book.*mail/);
    expect(done).toEqual(["book"]);
  });

  describe("a model string that does not resolve any more", () => {
    test("the run is skipped and reported, and goes on once it does", async () => {
      const store = newStore();
      const ran: unknown[] = [];
      const fast = (steps: readonly ModelStep[]) => ({ models: { fast: scriptedModel(...steps) } });
      const first = await appOf([pay(ran)], store, [], fast([callTool(pay([]) as never, { n: 1 } as never)]));
      const paused = await first.run({ prompt: "go" }, { model: "fast" });
      await first.decide(paused.runId, { [paused.pauses[0]!.id]: yes });
      await first.close();
      const without = await appOf([pay(ran)], store, []);
      const report = await without.recover();
      expect(report).toMatchObject({ continued: [], skipped: [{ runId: paused.runId }] });
      expect(report.skipped[0]!.error.message).toContain("fast");
      await expect(without.resume(paused.runId)).rejects.toThrow("fast");
      expect((await store.run(paused.runId))?.status).toBe("paused");
      expect(ran).toEqual([]);
      await without.close();
      await using again = await appOf([pay(ran)], store, [], fast([replyWith("paid")]));
      expect(await again.recover()).toMatchObject({ continued: [{ status: "completed", text: "paid" }] });
    });

    test("a model object of the run alone is not stored: another process goes on with the agent's own", async () => {
      const store = newStore();
      const ran: unknown[] = [];
      const tool = pay(ran);
      @Agent({ name: "clerk", description: "d", tools: [tool as never], model: "fast" })
      class Clerk {}
      const first = await createApp(Clerk, { models: { fast: scriptedModel() }, store, env: {} });
      const own = scriptedModel(callTool(tool as never, { n: 1 } as never));
      const paused = await first.run({ prompt: "go" }, { model: own });
      await first.decide(paused.runId, { [paused.pauses[0]!.id]: yes });
      await first.close();
      await using next = await createApp(Clerk, {
        models: { fast: scriptedModel(replyWith("by fast")) },
        store,
        env: {},
      });
      expect(await next.recover()).toMatchObject({ continued: [{ status: "completed", text: "by fast" }] });
    });
  });

  test("a question whose text changed: the answer is not used, and the call gets an error result", async () => {
    const store = newStore();
    const got: unknown[] = [];
    const ask = (question: string) =>
      defineTool({
        name: "ask",
        description: "Asks.",
        run: async (_input, ctx) => void got.push(await ctx.pause(question)),
      });
    const first = await appOf([ask("Send it?")], store, [callTool(ask("") as never, {} as never)]);
    const paused = await first.run({ prompt: "go" });
    await first.close();
    await using next = await appOf([ask("Delete it?")], store, [replyWith("on")]);
    const result = await next.resume(paused.runId, { [paused.pauses[0]!.id]: { answer: "yes", by: "ann" } });
    expect(result).toMatchObject({ status: "completed", text: "on" });
    expect(got).toEqual([]);
    expect(await resultOf(next, paused.runId)).toMatchObject({
      code: "tool_gone",
      message: expect.stringMatching(/Delete it\?.*Send it\?/),
    });
  });

  test("a workflow of another name with the same agent goes on: a run is its agent's", async () => {
    const store = newStore();
    const ran: unknown[] = [];
    const tool = pay(ran);
    @Agent({ name: "clerk", description: "d", tools: [tool as never] })
    class Clerk {}
    const first = await createApp(Clerk, {
      models: { default: scriptedModel(callTool(tool as never, { n: 1 } as never)) },
      store,
    });
    const paused = await first.run({ prompt: "go" });
    await first.close();
    await using next = await createApp(defineWorkflow({ name: "bank", agents: [Clerk] }), {
      models: { default: scriptedModel(replyWith("paid")) },
      store,
    });
    expect(await next.resume(paused.runId, { [paused.pauses[0]!.id]: yes })).toMatchObject({ text: "paid" });
    expect(ran).toEqual([1]);
  });
});
