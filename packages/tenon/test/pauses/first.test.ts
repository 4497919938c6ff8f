import { expect, test } from "vitest";
import { Agent, createApp, defineTool, memoryStore, ToolError } from "tenon";
import { Text, Int } from "tenon/dto";
import { callTool, replyWith, testWith } from "tenon/testing";

class Amount {
  @Int({ prompt: "n" }) n!: number;
}
const ran: unknown[] = [];
const pay = defineTool({ name: "pay", description: "Pays.", input: Amount, access: "write", approval: ({ n }: Amount) => (n > 10 ? `Pay ${n}?` : false), run: ({ n }) => { ran.push(n); return { paid: n }; } });
const ask = defineTool({ name: "ask", description: "Asks.", input: Amount, run: async ({ n }, ctx) => { const a = await ctx.pause("Which one?"); const b = await ctx.pause(`And ${n}?`); return { a, b }; } });
const steps: string[] = [];
const job = defineTool({ name: "job", description: "Job.", input: Amount, access: "write", durable: true, run: async ({ n }, ctx) => { const a = await ctx.step("one", () => { steps.push("one"); return n + 1; }); const ok = await ctx.pause("go?"); const b = await ctx.step("two", () => { steps.push("two"); return a + 1; }); return { ok, b }; } });

@Agent({ name: "clerk", description: "d", tools: [pay, ask, job] })
class Clerk {}
const it = testWith(Clerk);

it("edits", async ({ app, mockLlm }) => {
  const llm = mockLlm(Clerk).thenReturn(callTool(pay, { n: 30 }), replyWith("ok"));
  const paused = await app.run({ prompt: "x" });
  expect(paused.status).toBe("paused");
  const [pause] = paused.pauses;
  expect(pause).toMatchObject({ question: "Pay 30?", kind: "approval" });
  await expect(app.resume(paused.runId, { [pause!.id]: { approved: true, by: "ann", edit: { n: "x" } } })).rejects.toThrow(/edit/);
  const done = await app.resume(paused.runId, { [pause!.id]: { approved: true, by: "ann", edit: { n: 2 } } });
  expect(done.error).toBeUndefined();
  expect(done.status).toBe("completed");
  expect(ran).toEqual([2]);
  expect(JSON.stringify(llm.requests[1])).toContain('"n":2');
});
it("questions", async ({ app, mockLlm }) => {
  mockLlm(Clerk).thenReturn(callTool(ask, { n: 3 }), replyWith("ok"));
  const first = await app.run({ prompt: "x" });
  expect(first.pauses).toMatchObject([{ kind: "question", question: "Which one?" }]);
  const second = await app.resume(first.runId, { [first.pauses[0]!.id]: { answer: "A", by: "ann" } });
  expect(second.pauses).toMatchObject([{ question: "And 3?" }]);
  const done = await app.resume(first.runId, { [second.pauses[0]!.id]: { answer: { x: 1 }, by: "ann" } });
  expect(done.status).toBe("completed");
  const details = await app.inspect(first.runId);
  expect(details.turns[0]!.calls[0]!.result).toEqual({ kind: "ok", value: { a: "A", b: { x: 1 } } });
});
it("steps", async ({ app, mockLlm }) => {
  mockLlm(Clerk).thenReturn(callTool(job, { n: 3 }), replyWith("ok"));
  const first = await app.run({ prompt: "x" });
  expect(first.status).toBe("paused");
  const done = await app.resume(first.runId, { [first.pauses[0]!.id]: { answer: true, by: "ann" } });
  expect(steps).toEqual(["one", "two"]);
  const details = await app.inspect(first.runId);
  expect(details.turns[0]!.calls[0]!.result).toEqual({ kind: "ok", value: { ok: true, b: 5 } });
});
