/** What the compiler accepts and refuses of the interface form and of chat classes. Checked by `npm run typecheck`; never run. */
import { z } from "zod";
import { Agent, createApp, defineAgent, optional, token, toolDefinitionOf, toolOf, type ToolContext } from "tenon";
import { Text } from "tenon/dto";
import { Assert, createChat, decorator, inject, type AiToolClassType, type AssertType, type ChatMiddlewareContext, type IChat, type ITool, type OnAfterCall, type OnBeforeCall } from "tenon/itool";
import { callTool, callTools } from "tenon/testing";

interface Client {
  current(city: string): Promise<string>;
}
const CLIENT = token<Client>("CLIENT");
class Log {
  private readonly lines: string[] = [];
  add(line: string): void {
    this.lines.push(line);
  }
}
interface Caller {
  readonly currentUser?: { readonly id: string };
}
type WeatherInput = { city: string; units?: "metric" | "imperial" };

// ---- it fits, in every place
@decorator.tool()
class WeatherTool implements ITool<WeatherInput, Promise<string>> {
  public constructor(@inject(CLIENT) private readonly client: Client) {}
  public getName = (): string => "get_weather";
  public getDescription = (): string => "d";
  public getInputSchema = (): AssertType => Assert({ city: "string > 0", "units?": "'metric' | 'imperial'" });
  public handler = async (param: WeatherInput): Promise<string> => this.client.current(param.city);
}
@decorator.tool({ deps: [CLIENT, optional(Log)], access: "write", approval: (input) => String(input), scope: "run", timeoutMs: 1 })
class Methods implements ITool<WeatherInput, string, Caller> {
  constructor(readonly client: Client, readonly log?: Log) {}
  getName() { return "methods"; }
  getDescription() { return "d"; }
  getInputSchema() { return Assert({ city: "string", "units?": "'metric' | 'imperial'" }); }
  handler({ city }: WeatherInput, ctx: ToolContext<Caller>): string { return city + (ctx.executionContext.currentUser?.id ?? "") + ctx.callId; }
  onBeforeCall: OnBeforeCall<Caller> = (ctx, hookCtx) => {
    hookCtx.toolName satisfies string;
    hookCtx.input satisfies unknown;
    if (ctx.context.currentUser === undefined) return { action: "deny", reason: "Authentication required" };
    return { action: "allow" };
  };
  onAfterCall: OnAfterCall<Caller> = async (ctx, info) => void [ctx.context.currentUser?.id, info.result, info.durationMs, info.ok];
}
@decorator.tool()
class NoArguments implements ITool {
  getName = (): string => "none";
  getDescription = (): string => "d";
  handler = (): number => 1;
  onBeforeCall: OnBeforeCall = (ctx) => (ctx.context?.anything ? undefined : { action: "deny", reason: "no" });
}
@decorator.tool({ output: z.object({ n: z.number() }) })
class WithZod implements ITool<{ at: Date; n: number }, { n: number }> {
  getName = (): string => "zod";
  getDescription = (): string => "d";
  getInputSchema = () => z.object({ at: z.iso.datetime().transform((text) => new Date(text)), n: z.number().default(1) });
  handler = ({ n }: { at: Date; n: number }): { n: number } => ({ n });
  reconcile = (callId: string) => (callId === "" ? { outcome: "unknown" as const } : { outcome: "done" as const, value: { n: 1 } });
}
class Words {
  @Text() text!: string;
}
@decorator.tool()
class WithDto implements ITool<Words, string> {
  getName = (): string => "dto";
  getDescription = (): string => "d";
  getInputSchema = () => Words;
  handler = ({ text }: Words): string => text;
}
const context = (ctx: ChatMiddlewareContext<Caller>): string | undefined => ctx.context.currentUser?.id;

@Agent({ name: "a", description: "d", tools: [WeatherTool, Methods, NoArguments, WithZod, WithDto] })
class Main {}
defineAgent({ name: "b", description: "d", tools: [WeatherTool] });
const list: AiToolClassType[] = [WeatherTool, Methods, NoArguments];
const app = await createApp(Main);
// oxlint-disable-next-line typescript/no-unnecessary-type-arguments -- so people write it
const one = await app.agent(Main).run<string>({ prompt: "p", tools: [WeatherTool] });
if (one.status === "completed") one.output satisfies string;
await app.run({ prompt: "p" }, { tools: [WeatherTool] });
const invoked = await app.tool(WeatherTool).invoke({ city: "Oslo" });
if (invoked.kind === "ok") invoked.value satisfies string;
await app.tool(NoArguments).invoke();
await app.tool(WithZod).invoke({ at: "2026-03-01T00:00:00Z" });
const alone = await toolOf(new WeatherTool({ current: async (city) => city })).invoke({ city: "Oslo" });
if (alone.kind === "ok") alone.value satisfies string;
const number = await toolOf(new NoArguments()).invoke();
if (number.kind === "ok") number.value satisfies number;
toolDefinitionOf(WeatherTool).name satisfies string;
callTool(WeatherTool, { city: "Oslo" });
callTool(WeatherTool, { city: "Oslo", units: "metric" });
callTool(NoArguments);
callTool(WithZod, { at: "2026-03-01T00:00:00Z" });
callTools([[WeatherTool, { city: "Oslo" }], [NoArguments, {}]]);

// ---- mistakes at its places
// @ts-expect-error another input
await app.tool(WeatherTool).invoke({ city: 1 });
// @ts-expect-error no input
await app.tool(WeatherTool).invoke();
// @ts-expect-error a unit that is none
callTool(WeatherTool, { city: "Oslo", units: "kelvin" });
// @ts-expect-error no input
callTool(WeatherTool);
// @ts-expect-error an argument that the tool does not have
callTool(WeatherTool, { city: "Oslo", nope: 1 });
// @ts-expect-error no arguments
callTool(NoArguments, { x: 1 });
// @ts-expect-error the model sends text
callTool(WithZod, { at: new Date() });
// @ts-expect-error an instance
@Agent({ name: "a", description: "d", tools: [new NoArguments()] }) class A1 {}
// @ts-expect-error a tool is no agent
await createApp(Main).then((made) => made.agent(WeatherTool));

// ---- mistakes of the class
// @ts-expect-error the schema gives another type than handler takes
@decorator.tool() class M1 implements ITool<{ city: number }> { getName = () => "m"; getDescription = () => "d"; getInputSchema = () => Assert({ city: "string" }); handler = (p: { city: number }) => p.city; }
// @ts-expect-error handler needs more than the schema gives
@decorator.tool() class M2 implements ITool<{ city: string; at: string }> { getName = () => "m"; getDescription = () => "d"; getInputSchema = () => z.object({ city: z.string() }); handler = (p: { city: string; at: string }) => p.at; }
// @ts-expect-error no schema, and handler takes something
@decorator.tool() class M3 implements ITool<WeatherInput> { getName = () => "m"; getDescription = () => "d"; handler = (p: WeatherInput) => p.city; }
// @ts-expect-error no handler
@decorator.tool() class M4 { getName = () => "m"; getDescription = () => "d"; }
// @ts-expect-error no description
@decorator.tool() class M5 { getName = () => "m"; handler = () => 1; }
// @ts-expect-error a name that is no text
@decorator.tool() class M6 { getName = () => 1; getDescription = () => "d"; handler = () => 1; }
// @ts-expect-error no schema at all
@decorator.tool() class M7 { getName = () => "m"; getDescription = () => "d"; getInputSchema = () => ({ city: "string" }); handler = () => 1; }
// @ts-expect-error deps in the wrong order
@decorator.tool({ deps: [Log, CLIENT] }) class M8 implements ITool { constructor(readonly client: Client, readonly log: Log) {} getName = () => "m"; getDescription = () => "d"; handler = () => 1; }
// @ts-expect-error one is missing
@decorator.tool({ deps: [CLIENT] }) class M9 implements ITool { constructor(readonly client: Client, readonly log: Log) {} getName = () => "m"; getDescription = () => "d"; handler = () => 1; }
// @ts-expect-error an abstract class
@decorator.tool() abstract class M10 implements ITool { getName = () => "m"; getDescription = () => "d"; handler = () => 1; }
// @ts-expect-error no such option
@decorator.tool({ acces: "write" }) class M11 implements ITool { getName = () => "m"; getDescription = () => "d"; handler = () => 1; }
// @ts-expect-error the class says its name itself
@decorator.tool({ name: "m" }) class M12 implements ITool { getName = () => "m"; getDescription = () => "d"; handler = () => 1; }
// @ts-expect-error no such access
@decorator.tool({ access: "rw" }) class M13 implements ITool { getName = () => "m"; getDescription = () => "d"; handler = () => 1; }
// @ts-expect-error no such scope
@decorator.tool({ scope: "transient" }) class M14 implements ITool { getName = () => "m"; getDescription = () => "d"; handler = () => 1; }
// @ts-expect-error handler does not return what `output` says
@decorator.tool({ output: z.object({ n: z.number() }) }) class M15 implements ITool { getName = () => "m"; getDescription = () => "d"; handler = () => ({ n: "1" }); }
@decorator.tool()
class M16 implements ITool {
  // @ts-expect-error the parameter is of another type
  constructor(@inject(Log) readonly client: Client) {}
  getName = () => "m";
  getDescription = () => "d";
  handler = () => 1;
}
class M17 implements ITool<WeatherInput, string> {
  getName = () => "m";
  getDescription = () => "d";
  // @ts-expect-error handler takes another input than the interface says
  handler = (param: { town: string }): string => param.town;
  // @ts-expect-error a decision that is misspelled
  onBeforeCall: OnBeforeCall = () => ({ action: "alow" });
}
// @ts-expect-error a denial needs a reason
const unexplained: OnBeforeCall = () => ({ action: "deny" });
// @ts-expect-error nothing is known of the caller
const stranger: OnBeforeCall<unknown> = (ctx) => void ctx.context.user;
// @ts-expect-error the caller has no such member
const wrongCaller: OnBeforeCall<Caller> = (ctx) => void ctx.context.usr;
class M18 implements ITool<WeatherInput, string, Caller> {
  getName = () => "m";
  getDescription = () => "d";
  // @ts-expect-error another caller than the interface says
  handler = (_param: WeatherInput, ctx: ToolContext<{ tenant: string }>): string => ctx.executionContext.tenant;
}

// ---- chat classes
class Support implements IChat {
  public getModel = (): string => "m";
  public getSystemPrompts = (): string[] => ["p"];
  public getTools = (): AiToolClassType[] => [WeatherTool];
}
const chat = await createChat(Support, { agent: { maxToolCalls: 3 }, providers: [{ provide: CLIENT, useValue: { current: async (city: string) => city } }] });
(await chat.run({ prompt: "p" })) satisfies string;
// oxlint-disable-next-line typescript/no-unnecessary-type-arguments -- so people write it
(await chat.run<string>({ prompt: "p", tools: [WeatherTool], executionContext: {}, threadId: "t" })) satisfies string;
(await chat.run<{ n: number }>({ prompt: "p" })).n satisfies number;
for await (const event of chat.stream({ prompt: "p" })) event.type satisfies string;
// @ts-expect-error no prompt
await chat.run({});
// @ts-expect-error no such option
await chat.run({ prompt: "p", thread: "t" });
// @ts-expect-error no tool
await chat.run({ prompt: "p", tools: [class {}] });
// @ts-expect-error a chat is one agent
await chat.run({ prompt: "p", agent: "a" });
// @ts-expect-error no chat
await createChat(class {});
// @ts-expect-error its constructor needs something
await createChat(class extends Support { constructor(readonly word: string) { super(); } });
// @ts-expect-error a provider of another type
await createChat(Support, { providers: [{ provide: CLIENT, useValue: 1 }] });
class NoModel implements Omit<IChat, "getModel"> {
  getSystemPrompts = (): string[] => [];
}
// @ts-expect-error no model
await createChat(NoModel);

void [context, list, A1, M1, M2, M3, M4, M5, M6, M7, M8, M9, M10, M11, M12, M13, M14, M15, M16, M17, M18, unexplained, stranger, wrongCaller];
