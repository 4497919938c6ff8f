/** What the compiler accepts and refuses of what waits for people. Checked by `npm run typecheck`; never run. */
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { defineTool, jsonSchema, Tool, ToolError, type ApprovalContext, type CallHook, type Decision, type Decisions, type Duration, type DurableToolContext, type OnBeforeCall, type Pause, type PauseAudit, type Reconciled, type ToolContext } from "tenon";
import { callTool } from "tenon/testing";
import { app } from "./app.test-d.js";
import { Ask, SEARCH, Told } from "./parts.js";

// ---- pauses: form A
@Tool({ name: "a", description: "d", input: Ask, access: "write", durable: true, inDoubt: "ask", approvalExpiresIn: "2h", approval: ({ words }: Ask, ctx) => (ctx.callId === words ? `Ask ${ctx.run.threadId}?` : ctx.agent === "x") })
class Durable {
  async run(input: Ask, ctx: DurableToolContext<{ user: string }>): Promise<string> {
    const made = await ctx.step("make", () => ({ n: input.words.length }));
    const count: number = await ctx.step("count", async () => made.n);
    return `${ctx.executionContext.user} ${count}`;
  }
  reconcile(callId: string, input: Ask): Reconciled<string> {
    return callId === input.words ? { outcome: "done", value: "x" } : { outcome: "not-done" };
  }
}
@Tool({ name: "a", description: "d", durable: true })
class DurableWithoutSteps {
  run(_input: unknown, ctx: ToolContext): string {
    return ctx.callId;
  }
}
@Tool({ name: "a", description: "d", approval: async () => true, approvalExpiresIn: 5_000 })
class AskedLater {
  async run(_input: unknown, ctx: ToolContext): Promise<unknown> {
    (await ctx.pause<number>("How many?")) satisfies number;
    (await ctx.pause("When?", { schema: Told })).text satisfies string;
    (await ctx.pause("Which?", { schema: z.enum(["a", "b"]), expiresIn: "1d" })) satisfies "a" | "b";
    (await ctx.pause("At?", { schema: type("string.date.parse") })) satisfies Date;
    (await ctx.pause("At?", { schema: v.pipe(v.string(), v.transform(Number)) })) satisfies number;
    (await ctx.pause("Any?", { schema: jsonSchema<string[]>({ type: "array" }) })) satisfies string[];
    // @ts-expect-error the schema says what the answer is
    void (await ctx.pause("When?", { schema: Told })).when;
    // @ts-expect-error the schema says what the answer is
    await ctx.pause<number>("When?", { schema: Told });
    // @ts-expect-error nobody said what the answer is
    void (await ctx.pause("What?")).length;
    // @ts-expect-error a question is a text
    await ctx.pause(5);
    // @ts-expect-error no such option
    await ctx.pause("When?", { expires: "1d" });
    // @ts-expect-error no duration
    await ctx.pause("When?", { expiresIn: "tomorrow" });
    // @ts-expect-error no schema
    await ctx.pause("When?", { schema: { text: "string" } });
    // @ts-expect-error only a durable tool has steps
    return ctx.step("x", () => 1);
  }
}
// @ts-expect-error ctx.step without `durable`
@Tool({ name: "a", description: "d" }) class D1 { run(_i: unknown, ctx: DurableToolContext) { return ctx.step("x", () => 1); } }
// @ts-expect-error ctx.step with `durable: false`
@Tool({ name: "a", description: "d", durable: false }) class D2 { run(_i: unknown, ctx: DurableToolContext) { return ctx.step("x", () => 1); } }
// @ts-expect-error durable, and another input
@Tool({ name: "a", description: "d", input: Ask, durable: true }) class D3 { run(i: Told, ctx: DurableToolContext) { return ctx.step(i.text, () => 1); } }
// @ts-expect-error durable, and another output
@Tool({ name: "a", description: "d", output: Told, durable: true }) class D4 { run(_i: unknown, ctx: DurableToolContext) { return ctx.step("x", () => ({ txt: "x" })); } }
// @ts-expect-error neither yes, no nor a question
@Tool({ name: "a", description: "d", approval: () => 1 }) class D5 { run() { return 1; } }
// @ts-expect-error a question is what a function gives
@Tool({ name: "a", description: "d", approval: "Really?" }) class D6 { run() { return 1; } }
// @ts-expect-error what is asked before a call has no progress
@Tool({ name: "a", description: "d", approval: (_i, ctx) => { ctx.progress(1); return true; } }) class D7 { run() { return 1; } }
// @ts-expect-error no such way
@Tool({ name: "a", description: "d", inDoubt: "retry" }) class D8 { run() { return 1; } }
// @ts-expect-error no duration
@Tool({ name: "a", description: "d", approvalExpiresIn: "2 hours" }) class D9 { run() { return 1; } }

// ---- pauses: form C
const kept = defineTool({ name: "kept", description: "d", input: Ask, durable: true, run: async ({ words }, ctx) => (await ctx.step("x", () => words.length)) + 1 });
callTool(kept, { words: "x" });
const keptResult = await app.tool(kept).invoke({ words: "x" });
if (keptResult.kind === "ok") keptResult.value satisfies number;
defineTool({ name: "c", description: "d", run: async (_input, ctx) => (await ctx.pause("Which?", { schema: Told })).text });
defineTool({ name: "c", description: "d", input: Ask, approval: ({ words }: Ask, { executionContext }: ApprovalContext<{ user: string }>) => words === executionContext.user, run: ({ words }) => words });
defineTool({ name: "c", description: "d", input: Ask, output: Told, deps: [SEARCH], run: ({ words }) => ({ text: words }), reconcile: async (callId, { words }, search) => ((await search.get(words)) === callId ? { outcome: "done", value: { text: words } } : { outcome: "unknown" }) });
defineTool({ name: "c", description: "d", run: () => 1, reconcile: () => ({ outcome: "not-done" }) });
// @ts-expect-error ctx.step without `durable`
defineTool({ name: "c", description: "d", run: (_input, ctx) => ctx.step("x", () => 1) });
// @ts-expect-error a step has a name and a function
defineTool({ name: "c", description: "d", durable: true, run: (_input, ctx) => ctx.step(() => 1) });
// @ts-expect-error reconcile is no object
defineTool({ name: "c", description: "d", run: () => 1, reconcile: { outcome: "done", value: 1 } });
// @ts-expect-error done, with nothing
defineTool({ name: "c", description: "d", output: Told, run: () => ({ text: "x" }), reconcile: () => ({ outcome: "done" }) });
// @ts-expect-error done, with another value
defineTool({ name: "c", description: "d", output: Told, run: () => ({ text: "x" }), reconcile: () => ({ outcome: "done", value: { txt: 1 } }) });
// @ts-expect-error no such outcome
defineTool({ name: "c", description: "d", run: () => 1, reconcile: () => ({ outcome: "failed" }) });
// @ts-expect-error another input
defineTool({ name: "c", description: "d", input: Ask, run: ({ words }) => words, reconcile: (_callId, { text }) => ({ outcome: "done", value: text }) });
// @ts-expect-error neither yes, no nor a question
defineTool({ name: "c", description: "d", approval: async () => null, run: () => 1 });

// ---- pauses: hooks, errors, durations
const asks: OnBeforeCall = (_ctx, call) => (call.access === "write" ? { action: "ask", question: "Sure?" } : { action: "ask" });
const hook: CallHook = { onBeforeCall: asks };
// @ts-expect-error a question is a text
const asksOddly: OnBeforeCall = () => ({ action: "ask", question: 5 });
// @ts-expect-error no such action
const asksWrongly: OnBeforeCall = () => ({ action: "approve" });
void new ToolError("nothing was sent", { outcome: "not-done", cause: new Error("x") });
// @ts-expect-error only what did not happen is said so
void new ToolError("it was sent", { outcome: "done" });
export const durations: readonly Duration[] = [0, 1_500, "90s", "1.5h", "30d", "10ms"];
export const noDurations: readonly Duration[] = [
  // @ts-expect-error no unit
  "90",
  // @ts-expect-error no such unit
  "2w",
  // @ts-expect-error no number
  "h",
];

// ---- pauses: decisions
const by = "ann";
export const decisions: Decisions = {
  yes: { approved: true, by, edit: { n: null, deep: { m: [1] } }, digest: "0a" },
  no: { approved: false, reason: "r", by },
  noName: { approved: false, reason: "r" },
  answered: { answer: ["x", { y: null }], by },
  happened: { action: "done", result: null, by },
  again: { action: "rerun", by },
  unknown: { action: "give-up", by, reason: "r" },
};
await app.decide("run", decisions);
app.resumeStream("run", decisions);
// @ts-expect-error it is one or the other
export const no1: Decision = { approved: "yes", by };
// @ts-expect-error nobody answered
export const no2: Decision = { answer: 1 };
// @ts-expect-error an edit is a patch
export const no3: Decision = { approved: true, by, edit: [1] };
// @ts-expect-error an answer is JSON
export const no4: Decision = { answer: () => 1, by };
// @ts-expect-error done, with which result?
export const no5: Decision = { action: "done", by };
// @ts-expect-error nobody found out
export const no6: Decision = { action: "rerun" };
// @ts-expect-error no such action
export const no7: Decision = { action: "skip", by };
// @ts-expect-error a tool cannot be swapped
export const no8: Decision = { approved: true, by, tool: "other" };
// @ts-expect-error a decision goes by its pause
await app.decide("run", [{ approved: true, by }]);
const [pause]: readonly Pause[] = await app.pauses({ threadId: "t" });
pause!.kind satisfies "approval" | "question" | "in-doubt";
pause!.expiresAt satisfies number | undefined;
const [entry]: readonly PauseAudit[] = (await app.inspect("run")).audit;
if (entry!.decision !== undefined && "lapsed" in entry!.decision) entry!.decision.lapsed satisfies "expired" | "cancelled" | "superseded";
// @ts-expect-error pauses are read
pause!.question = "x";
await app.run({ prompt: "x" }, { threadId: "t", onBusy: "replace" });

void [Durable, DurableWithoutSteps, AskedLater, D1, D2, D3, D4, D5, D6, D7, D8, D9, hook, asksOddly, asksWrongly];
