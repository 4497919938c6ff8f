/** What the compiler accepts and refuses of agents, workflows, the app and the testing kit. Checked by `npm run typecheck`; never run. */
import { Agent, createApp, usd, Workflow } from "tenon";
import { callAll, callTool, callTools, replyWith, testWith, toolOf } from "tenon/testing";
import { Whole, WithOptional, NoArguments, WithZod, WithArkType, WithValibot, WithJsonSchema, Arrow, arked, valid, given, sum, look, one } from "./forms.test-d.js";
import { Database, Post, SEARCH, SETTINGS } from "./parts.js";

// ---- agents and workflows
@Agent({ name: "main", description: "d", prompt: "p", tools: [Whole, WithOptional, NoArguments, WithZod, WithArkType, WithValibot, WithJsonSchema, Arrow, arked, valid, given, sum, look, one], history: { turns: 3 } })
export class Main {
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
export class Flow {}
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
export const app = await createApp(Flow, { providers: [{ provide: SETTINGS, useValue: { size: 2 } }] });
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

void [A1, A2, A3, A4, A5, A6, W1, W2, W3, W4, W5];
