import { expect, test } from "vitest";
import { priced } from "../../src/doors/models/index.js";
import { audit, rateLimit } from "../../src/doors/hooks/index.js";
import { createChat } from "../../src/doors/itool/index.js";
import { McpTool } from "../../src/doors/mcp/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import {
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  memoryStore,
  Tool,
  toolOf,
  type App,
  type ToolContext,
} from "../../src/doors/tenon/index.js";
import { failWith, scriptedModel, testWith } from "../../src/doors/testing/index.js";

class Settings {
  readonly name = "clerk";
  readonly description = "Works.";
  readonly keep = 1;
}

/** What is no plain object: its members could be overlooked. */
const kinds: readonly (readonly [name: string, options: () => never])[] = [
  ["a Map", () => new Map([["keep", 1]]) as never],
  ["a Settings", () => new Settings() as never],
  ["a Date", () => new Date() as never],
  ["an object that cannot be read", () => new Proxy({}, { getPrototypeOf: trap, ownKeys: trap, get: trap }) as never],
];

function trap(): never {
  throw new Error("a trap");
}

const clerk = defineAgent({ name: "clerk", description: "Works.", model: scriptedModel() });
const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
class Talk {
  getModel = () => scriptedModel();
}
const flow = { name: "desk", agents: [clerk] };

/** Each door that takes options, called with them. */
const doors: readonly (readonly [name: string, call: (app: App, options: never) => unknown])[] = [
  ["createApp", (_, options) => createApp(clerk, options)],
  ["createApp, models", (_, models) => createApp(clerk, { models, env: {} })],
  ["createApp, prices", (_, prices) => createApp(clerk, { prices, env: {} })],
  ["defineAgent", (_, options) => defineAgent(options)],
  ["defineAgent, modelCall", (_, modelCall) => createApp(defineAgent({ ...Object(new Settings()), modelCall }))],
  ["defineAgent, limits", (_, limits) => createApp(defineAgent({ ...Object(new Settings()), limits }))],
  ["defineAgent, history", (_, history) => createApp(defineAgent({ ...Object(new Settings()), history }))],
  ["defineWorkflow", (_, options) => defineWorkflow(options)],
  ["defineWorkflow, limits", (_, limits) => createApp(defineWorkflow({ ...flow, limits }))],
  ["defineWorkflow, limits.perRun", (_, perRun) => createApp(defineWorkflow({ ...flow, limits: { perRun } }))],
  ["defineWorkflow, limits.perDay", (_, perDay) => createApp(defineWorkflow({ ...flow, limits: { perDay } }))],
  ["defineWorkflow, defaults", (_, defaults) => createApp(defineWorkflow({ ...flow, defaults }))],
  ["defineTool", (_, options) => defineTool(options)],
  ["priced", (_, prices) => priced(scriptedModel(), prices)],
  ["memoryStore", (_, options) => memoryStore(options)],
  ["sqliteStore", (_, options) => sqliteStore(":memory:", options)],
  ["run", (app, options) => app.run({ prompt: "go" }, options)],
  ["stream", (app, options) => app.stream({ prompt: "go" }, options).result],
  ["resume", (app, options) => app.resume("run-00001", {}, options)],
  ["resume, decisions", (app, decisions) => app.resume("run-00001", decisions)],
  ["decide", (app, decisions) => app.decide("run-00001", decisions)],
  ["result", (app, options) => app.result("run-00001", options)],
  ["work", (app, options) => app.work(options)],
  ["prune", (app, options) => app.prune(options)],
  ["erase", (app, options) => app.erase(options)],
  ["pauses", (app, filter) => app.pauses(filter)],
  ["runs", (app, filter) => app.runs(filter)],
  ["health", (app, options) => app.health(options)],
  ["ledger.entries", (app, filter) => app.ledger.entries(filter)],
  ["ledger.sums", (app, filter) => app.ledger.sums([], filter)],
  ["app.tool(X).invoke", (app, scope) => app.tool(look).invoke({}, scope)],
  ["toolOf(x).invoke", (_, scope) => toolOf(look).invoke({}, scope)],
  ["createChat", (_, options) => createChat(Talk, options)],
  ["createChat, agent", (_, agent) => createChat(Talk, { env: {}, agent })],
  ["chat.run", async (_, request) => (await createChat(Talk, { env: {} })).run(request)],
  ["chat.stream", async (_, request) => (await createChat(Talk, { env: {} })).stream(request).result],
  ["close", (app, options) => app.close(options)],
  ["testWith", (_, options) => testWith(clerk, options)],
  ["audit", (_, options) => audit(() => {}, options)],
  ["rateLimit", (_, options) => rateLimit(options)],
  ["failWith", (_, refusal) => failWith(new Error("no"), refusal)],
];

test.each(doors.flatMap(([door, call]) => kinds.map(([kind, options]) => ({ door, kind, call, options }))))(
  "$door refuses $kind",
  async ({ call, options }) => {
    await using app = await createApp(clerk, { env: {} });
    const refused = await Promise.resolve()
      .then(() => call(app, options()))
      .then(
        () => "taken",
        (thrown: unknown) => thrown,
      );
    expect(refused).toMatchObject({ code: expect.stringMatching(/^(bad_input|assembly_error)$/) });
    const { message } = refused as Error;
    expect(message).toMatch(
      /plain object|an object of models by their ids|prices by the ids|given by pause id|cannot be read/,
    );
    expect(message).toMatch(/a Map|a Settings|a Date|cannot be read/);
    expect((await app.health()).closed).toBe(false);
    expect(await app.runs()).toEqual([]);
  },
);

test.each([
  [{ executioncontext: 1 }, "did you mean `executionContext`?"],
  [{ signal: "stop" }, "signal must be an AbortSignal"],
  [{ callId: 7 }, "callId must be a text"],
  [{ progress: 1 }, "progress must be a function"],
  [{ run: "run-00001" }, "run must be what `testRunContext()` makes"],
])("a scope of a call that would be overlooked is refused: %j", async (scope, why) => {
  await expect(toolOf(look).invoke({}, scope as never)).rejects.toThrow(why);
});

test("the context of one call is the scope of another", async () => {
  const outer = defineTool({
    name: "outer",
    description: "Looks with another tool.",
    run: (_input, ctx) => toolOf(defineTool({ ...inner })).invoke({}, ctx),
  });
  const inner = { name: "inner", description: "Tells its call.", run: (_: unknown, ctx: ToolContext) => ctx.callId };
  expect(await toolOf(outer).invoke({}, { callId: "call-7" })).toMatchObject({ value: { value: "call-7" } });
});

test.each(["name", "prompt", "promptUrls", "model", "tools"])("a chat's class says %s, not its agent", async (name) => {
  await expect(createChat(Talk, { agent: { [name]: "x" } })).rejects.toThrow(`agent.${name} is no option of a chat`);
});

test.each([
  ["@Tool", Tool],
  ["@McpTool", McpTool],
] as const)("%s(null) is a fault of the assembly", async (_name, decorator) => {
  class Bare {
    run = () => 1;
  }
  (decorator as (options: unknown) => (target: unknown) => void)(null)(Bare);
  const agent = defineAgent({ name: "clerk", description: "Works.", model: scriptedModel(), tools: [Bare as never] });
  await expect(createApp(agent, { env: {} })).rejects.toMatchObject({
    code: "assembly_error",
    message: expect.stringContaining("the options must be a plain object, not null"),
  });
});
