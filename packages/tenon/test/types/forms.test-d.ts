/** What the compiler accepts and refuses. Checked by `npm run typecheck`; never run. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { Agent, createApp, defineTool, jsonSchema, optional, token, Tool, ToolError, usd, Workflow, type ApprovalContext, type CallHook, type Decision, type Decisions, type Duration, type DurableToolContext, type OnBeforeCall, type Pause, type PauseAudit, type Reconciled, type ToolContext, type ToolHandler } from "tenon";
import { Int, Text } from "tenon/dto";
import { callAll, callTool, callTools, replyWith, testWith, toolOf } from "tenon/testing";

class Database {
  private readonly name = "db";
  find(words: string): string[] {
    return [words + this.name];
  }
}
class Post {
  private readonly name = "post";
  send(to: string): void {
    void [to, this.name];
  }
}
interface Search {
  get(words: string): Promise<string>;
}
const SEARCH = token<Search>("SEARCH");
const SETTINGS = token<{ size: number }>("SETTINGS");
class Ask {
  @Text({ prompt: "words", min: 1 }) words!: string;
  @Int({ optional: true, max: 5 }) limit?: number;
}
class Told {
  @Text() text!: string;
}
declare const noJson: StandardSchemaV1<{ words: string }>;

// ---- form A that fits
@Tool({ name: "a", description: "d", input: Ask, output: Told, deps: [SEARCH, Database, Post] })
class Whole implements ToolHandler<Ask, Told> {
  constructor(readonly search: Search, readonly database: Database, readonly post: Post) {}
  async run(input: Ask): Promise<Told> {
    return { text: input.words + (input.limit ?? 0) };
  }
}
@Tool({ name: "a", description: "d", input: Ask, deps: [SEARCH, optional(SETTINGS)] })
class WithOptional {
  constructor(readonly search: Search, readonly settings?: { size: number }) {}
  run(input: Ask, ctx: ToolContext<{ user: string }>): string {
    return ctx.executionContext.user + input.words;
  }
}
@Tool({ name: "a", description: "d" })
class NoArguments implements ToolHandler {
  run(): string {
    return "x";
  }
}
@Tool({ name: "a", description: "d", input: z.object({ n: z.coerce.number(), o: z.string().optional(), d: z.number().default(3) }), output: z.object({ s: z.string() }) })
class WithZod {
  run(input: { n: number; o?: string | undefined; d: number }): { s: string } {
    return { s: String(input.n + input.d) };
  }
}
@Tool({ name: "a", description: "d", input: Ask, access: "write", approval: true, hooks: [{ onBeforeCall: (_ctx, call) => (call.access === "write" ? { action: "deny", reason: "r" } : undefined) }] })
class Arrow {
  run = (input: Ask): string => input.words;
}

@Tool({ name: "a", description: "d", input: type({ words: "string", "limit?": "number", at: "string.date.parse" }), output: type({ s: "string" }) })
class WithArkType {
  run(input: { words: string; limit?: number; at: Date }): { s: string } {
    return { s: input.words + input.at.toISOString() };
  }
}
@Tool({ name: "a", description: "d", input: v.object({ n: v.pipe(v.string(), v.transform(Number)), d: v.optional(v.number(), 3) }), output: v.object({ s: v.string() }) })
class WithValibot {
  run(input: { n: number; d: number }): { s: string } {
    return { s: String(input.n + input.d) };
  }
}
@Tool({ name: "a", description: "d", input: jsonSchema<{ words: string }>({ type: "object" }), output: jsonSchema<{ s: string }>({ type: "object" }) })
class WithJsonSchema {
  run(input: { words: string }): { s: string } {
    return { s: input.words };
  }
}

@Tool({ name: "a", description: "d", deps: [SEARCH] })
class TakesAnything {
  constructor(readonly any: unknown) {}
  run(): string {
    return String(this.any);
  }
}
@Tool({ name: "a", description: "d", deps: [SEARCH, Database] })
class TakesAll {
  constructor(...all: readonly unknown[]) {
    void all;
  }
  run(): void {}
}
@Tool({ name: "a", description: "d" })
class TakesNothing {
  constructor(readonly search?: Search) {}
  run(): void {}
}

// ---- form A, mistakes
@Tool({
  name: "a",
  // @ts-expect-error a misspelled option is told where it stands, and nothing else is
  descripton: "d",
  input: Ask,
})
class M19 { run(i: Ask) { return i.words; } }
// @ts-expect-error one too many, for a parameter that takes anything
@Tool({ name: "a", description: "d", deps: [SEARCH, Database] }) class M20 { constructor(readonly s: unknown) {} run() { return 1; } }
// @ts-expect-error a dependency, and no parameter
@Tool({ name: "a", description: "d", deps: [SEARCH] }) class M21 { run() { return 1; } }
// @ts-expect-error an optional parameter of another type
@Tool({ name: "a", description: "d", deps: [SEARCH, Post] }) class M22 { constructor(readonly s: Search, readonly d?: Database) {} run() { return 1; } }
// @ts-expect-error ArkType, and another parameter
@Tool({ name: "a", description: "d", input: type({ at: "string.date.parse" }) }) class L1 { run(i: { at: string }) { return i.at; } }
// @ts-expect-error ArkType, and another output
@Tool({ name: "a", description: "d", output: type({ s: "string" }) }) class L2 { run() { return { s: 1 }; } }
// @ts-expect-error Valibot, and the side that the model sends
@Tool({ name: "a", description: "d", input: v.object({ n: v.pipe(v.string(), v.transform(Number)) }) }) class L3 { run(i: { n: string }) { return i.n; } }
// @ts-expect-error Valibot, and another output
@Tool({ name: "a", description: "d", output: v.object({ s: v.string() }) }) class L4 { run() { return { s: 1 }; } }
// @ts-expect-error a JSON Schema of another type
@Tool({ name: "a", description: "d", input: jsonSchema<{ words: string }>({ type: "object" }) }) class L5 { run(i: { words: number }) { return i.words; } }
// @ts-expect-error a JSON Schema without `jsonSchema()`
@Tool({ name: "a", description: "d", input: { type: "object" } }) class L6 { run() { return 1; } }
// @ts-expect-error the wrong order
@Tool({ name: "a", description: "d", input: Ask, deps: [Database, SEARCH] }) class M1 { constructor(readonly s: Search, readonly d: Database) {} run(i: Ask) { return i.words; } }
// @ts-expect-error one is missing
@Tool({ name: "a", description: "d", input: Ask, deps: [SEARCH] }) class M2 { constructor(readonly s: Search, readonly d: Database) {} run(i: Ask) { return i.words; } }
// @ts-expect-error none at all
@Tool({ name: "a", description: "d", input: Ask }) class M3 { constructor(readonly s: Search) {} run(i: Ask) { return i.words; } }
// @ts-expect-error one too many
@Tool({ name: "a", description: "d", input: Ask, deps: [SEARCH, Database] }) class M4 { constructor(readonly s: Search) {} run(i: Ask) { return i.words; } }
// @ts-expect-error an optional dependency for a parameter that must be there
@Tool({ name: "a", description: "d", input: Ask, deps: [optional(SEARCH)] }) class M5 { constructor(readonly s: Search) {} run(i: Ask) { return i.words; } }
// @ts-expect-error a token without a type
@Tool({ name: "a", description: "d", input: Ask, deps: [token("x")] }) class M6 { constructor(readonly s: Search) {} run(i: Ask) { return i.words; } }
// @ts-expect-error another input
@Tool({ name: "a", description: "d", input: Ask }) class M7 { run(i: { words: number }) { return i.words; } }
// @ts-expect-error a narrower input
@Tool({ name: "a", description: "d", input: Ask }) class M8 { run(i: Ask & { more: string }) { return i.more; } }
// @ts-expect-error another output
@Tool({ name: "a", description: "d", input: Ask, output: Told }) class M9 { run(i: Ask) { return { txt: i.words }; } }
// @ts-expect-error the input is not declared
@Tool({ name: "a", description: "d" }) class M10 { run(i: Ask) { return i.words; } }
// @ts-expect-error no run
@Tool({ name: "a", description: "d" }) class M11 {}
// @ts-expect-error a private constructor
@Tool({ name: "a", description: "d" }) class M12 { private constructor() {} run() { return 1; } }
// @ts-expect-error an abstract class
@Tool({ name: "a", description: "d" }) abstract class M13 { run() { return 1; } }
// @ts-expect-error no such option
@Tool({ name: "a", description: "d", timeout: 5 }) class M14 { run() { return 1; } }
// @ts-expect-error no schema
@Tool({ name: "a", description: "d", input: { words: "string" } }) class M15 { run() { return 1; } }
// @ts-expect-error a Standard Schema that gives no JSON Schema
@Tool({ name: "a", description: "d", input: noJson }) class M16 { run(i: { words: string }) { return i.words; } }
// @ts-expect-error Zod, and another parameter
@Tool({ name: "a", description: "d", input: z.object({ n: z.number() }) }) class M17 { run(i: { n: string }) { return i.n; } }
// @ts-expect-error approval of a field that is not there
@Tool({ name: "a", description: "d", input: Ask, access: "write", approval: (i) => i.nothing > 3 }) class M23 { run(i: Ask) { return i.words; } }
// @ts-expect-error approval of another input
@Tool({ name: "a", description: "d", input: Ask, access: "write", approval: (i: { other: number }) => i.other > 3 }) class M24 { run(i: Ask) { return i.words; } }
@Tool({ name: "a", description: "d", input: Ask, access: "write", approval: (i) => i.words.length > 3, exclusive: (i) => i.words }) class M25 { run(i: Ask) { return i.words; } }
// @ts-expect-error exclusive of a field that is not there
@Tool({ name: "a", description: "d", input: Ask, exclusive: (i) => i.nothing }) class M26 { run(i: Ask) { return i.words; } }
// @ts-expect-error a maximum cost is an amount, not a bare number
@Tool({ name: "a", description: "d", maxCost: 1 }) class M18 { run() { return 1; } }

// ---- form C
const sum = defineTool({ name: "sum", description: "d", input: z.object({ q: z.string(), d: z.number().default(1) }), run: (input) => ({ n: input.q.length + input.d }) });
const look = defineTool({ name: "look", description: "d", input: Ask, output: Told, deps: [SEARCH, Database], run: async ({ words, limit }, ctx, search, database) => ({ text: (await search.get(words)) + database.find(words).join() + ctx.callId + String(limit) }) });
const one = defineTool({ name: "one", description: "d", run: () => 1 });
const arked = defineTool({ name: "arked", description: "d", input: type({ n: "string.numeric.parse", "d?": "number" }), run: ({ n, d }) => n + (d ?? 0) });
const valid = defineTool({ name: "valid", description: "d", input: v.object({ n: v.pipe(v.string(), v.transform(Number)) }), run: ({ n }) => n + 1 });
const given = defineTool({ name: "given", description: "d", input: jsonSchema<{ n: number }>({ type: "object" }), run: ({ n }) => n + 1 });
callTool(arked, { n: "1" });
callTool(valid, { n: "1" });
callTool(given, { n: 1 });
// @ts-expect-error ArkType: the model sends text
callTool(arked, { n: 1 });
// @ts-expect-error Valibot: the model sends text
callTool(valid, { n: 1 });
// @ts-expect-error a JSON Schema says nothing else of its type
callTool(given, { n: "1" });
// @ts-expect-error another output
defineTool({ name: "c", description: "d", input: Ask, output: Told, run: () => ({ txt: 1 }) });
// @ts-expect-error no such field
defineTool({ name: "c", description: "d", input: Ask, run: (input) => input.nope });
const literal: "sum" = sum.name;

// ---- agents and workflows
@Agent({ name: "main", description: "d", prompt: "p", tools: [Whole, WithOptional, NoArguments, WithZod, WithArkType, WithValibot, WithJsonSchema, Arrow, arked, valid, given, sum, look, one], history: { turns: 3 } })
class Main {
  readonly note = "an agent may have members";
}
// @ts-expect-error no tool
@Agent({ name: "a", description: "d", tools: [class {}] }) class A1 {}
// @ts-expect-error an instance
@Agent({ name: "a", description: "d", tools: [new NoArguments()] }) class A2 {}
// @ts-expect-error an agent
@Agent({ name: "a", description: "d", tools: [Main] }) class A3 {}
// @ts-expect-error undefined
@Agent({ name: "a", description: "d", tools: [undefined] }) class A4 {}
// @ts-expect-error a name
@Agent({ name: "a", description: "d", tools: ["look"] }) class A5 {}
// @ts-expect-error handoffs come later
@Agent({ name: "a", description: "d", handoffs: [Main] }) class A6 {}
@Workflow({ name: "w", agents: [Main], limits: { perRun: { cost: usd(1) } }, providers: [{ provide: SEARCH, useValue: { get: async (words) => words } }, { provide: SETTINGS, useFactory: () => ({ size: 1 }) }, Database, { provide: Post, useClass: Post }] })
class Flow {}
// @ts-expect-error a value of another type
@Workflow({ name: "w", agents: [Main], providers: [{ provide: SEARCH, useValue: { get: 1 } }] }) class W1 {}
// @ts-expect-error a factory of another type
@Workflow({ name: "w", agents: [Main], providers: [{ provide: SETTINGS, useFactory: () => ({ size: "x" }) }] }) class W2 {}
// @ts-expect-error a tool is no agent
@Workflow({ name: "w", agents: [Whole] }) class W3 {}
// @ts-expect-error money is usd(…)
@Workflow({ name: "w", agents: [Main], limits: { perRun: { cost: 1 } } }) class W4 {}
// @ts-expect-error a day has no time of its own
@Workflow({ name: "w", agents: [Main], limits: { perDay: { workflow: { wallTimeMs: 1 } } } }) class W5 {}

// ---- the app
const app = await createApp(Flow, { providers: [{ provide: SETTINGS, useValue: { size: 2 } }] });
// @ts-expect-error a provider of another type
await createApp(Flow, { providers: [{ provide: SETTINGS, useValue: { size: "x" } }] });
const result = await app.run({ prompt: "x" });
if (result.status === "completed") result.output satisfies string;
else if (result.status === "failed") result.error.code satisfies string;
result.error?.message satisfies string | undefined;
const typed = await app.agent(Main).run<{ n: number }>({ prompt: "x", tools: [one] });
if (typed.status === "completed") typed.output.n satisfies number;
// @ts-expect-error no such member
await app.run({ promt: "x" });
// @ts-expect-error no such way
await app.run({ prompt: "x" }, { onBusy: "later" });
// @ts-expect-error a tool is no agent
app.agent(Whole);
const told = await app.tool(Whole).invoke({ words: "x" });
if (told.kind === "ok") told.value.text satisfies string;
else told.code satisfies string;
const counted = await app.tool(sum).invoke({ q: "x" });
if (counted.kind === "ok") counted.value.n satisfies number;
await app.tool(NoArguments).invoke();
// @ts-expect-error another input
await app.tool(Whole).invoke({ words: 1 });
// @ts-expect-error no input
await app.tool(Whole).invoke();
await app.resume("run", { pause: { approved: true, by: "ann" } });
// @ts-expect-error nobody said so
await app.resume("run", { pause: { approved: true } });
// @ts-expect-error no reason
await app.resume("run", { pause: { approved: false } });

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

// ---- the testing kit
callTool(Whole, { words: "x", limit: 1 });
callTool(NoArguments);
callTool(sum, { q: "x" });
callTools([[Whole, { words: "a" }], [sum, { q: "b" }], [NoArguments, {}]]);
callAll(callTool(Whole, { words: "a" }), callTool(one));
// @ts-expect-error another input
callTool(Whole, { words: 1 });
// @ts-expect-error an argument that the tool does not have
callTool(Whole, { words: "x", nope: 1 });
// @ts-expect-error the second is wrong
callTools([[Whole, { words: "a" }], [Whole, { words: 1 }]]);
testWith(Flow)("x", async ({ app: tested, mockLlm, mockOf }) => {
  mockOf(SEARCH).get.mockResolvedValue("x");
  // @ts-expect-error another type
  mockOf(SEARCH).get.mockResolvedValue(1);
  mockLlm(Main).thenReturn(callTool(Whole, { words: "x" }), replyWith("x"));
  // @ts-expect-error no step
  mockLlm(Main).thenReturn("x");
  // @ts-expect-error a tool is no agent
  mockLlm(Whole);
  await tested.run({ prompt: "x" });
});
const alone = await toolOf(new NoArguments()).invoke({});
if (alone.kind === "ok") alone.value satisfies string;

void [Durable, DurableWithoutSteps, AskedLater, D1, D2, D3, D4, D5, D6, D7, D8, D9, hook, asksOddly, asksWrongly];
void [literal, L1, L2, L3, L4, L5, L6, M1, M2, M3, M4, M5, M6, M7, M8, M9, M10, M11, M12, M13, M14, M15, M16, M17, M18, M19, M20, M21, M22, M23, M24, M25, M26, TakesAnything, TakesAll, TakesNothing, A1, A2, A3, A4, A5, A6, W1, W2, W3, W4, W5];
