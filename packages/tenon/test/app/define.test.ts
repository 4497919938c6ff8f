import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import {
  Agent,
  AssemblyError,
  BadInputError,
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  token,
  usd,
  Workflow,
} from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel, testWith } from "../../src/doors/testing/index.js";

const WORD = token<string>("WORD");
const say = defineTool({ name: "say", description: "Says.", deps: [WORD], run: (_input, _ctx, word) => word });

const first = defineAgent({ name: "first", description: "The first.", prompt: "Be first.", tools: [say] });
@Agent({ name: "second", description: "The second." })
class Second {}
const flow = defineWorkflow({
  name: "flow",
  version: "7",
  agents: [first, Second],
  providers: [{ provide: WORD, useValue: "hello" }],
  defaults: { tools: { maxToolCalls: 3 } },
  limits: { perRun: { cost: usd(1) } },
});

describe("an app of values", () => {
  test("does what one of classes does, and mixes with them", async () => {
    const model = scriptedModel(callTool(say), replyWith("said"), replyWith("two"), replyWith("three"));
    await using app = await createApp(flow, { models: { default: model } });
    expect((await app.run({ prompt: "go" })).text).toBe("said");
    expect((await app.run({ prompt: "go" }, { agent: Second })).text).toBe("two");
    expect((await app.agent(first).run({ prompt: "go" })).text).toBe("three");
    expect(model.requests[0]!.messages[0]).toStrictEqual({ role: "system", content: "Be first." });
    expect(model.requests[1]!.messages.at(-1)!.content).toMatchObject([{ output: { value: "hello" } }]);
    expect(app.describe()).toMatchObject({
      workflow: "flow",
      version: "7",
      declaredIn: pathToFileURL(import.meta.filename).href,
      limits: { perRunCostUsd: 1, budgets: { "limits.perRun.cost": 1 } },
      agents: [{ name: "first", maxToolCalls: 3 }, { name: "second" }],
    });
  });

  test("an agent alone is a workflow of one agent, and a class workflow lists values", async () => {
    await using alone = await createApp(defineAgent({ name: "solo", description: "d" }), {
      models: { default: scriptedModel(replyWith("alone")) },
    });
    expect((await alone.run({ prompt: "hi" })).text).toBe("alone");
    @Workflow({ name: "mixed", agents: [defineAgent({ name: "value", description: "d" })] })
    class Mixed {}
    await using mixed = await createApp(Mixed, { models: { default: scriptedModel(replyWith("mixed")) } });
    expect((await mixed.run({ prompt: "hi" }, { agent: "value" })).text).toBe("mixed");
  });

  test("a prompt file is found beside the file that defines the agent", async () => {
    const model = scriptedModel(replyWith("ok"));
    const reader = defineAgent({ name: "reader", description: "d", promptUrls: ["./prompt-one.md"] });
    await using app = await createApp(reader, { models: { default: model } });
    await app.run({ prompt: "hi" });
    expect(model.requests[0]!.messages[0]!.role).toBe("system");
    expect(model.requests[0]!.messages[0]!.content).not.toBe("");
  });
});

describe("the same checks", () => {
  const models = { default: scriptedModel() };
  const violations = async (entry: unknown): Promise<string> => {
    const error: any = await createApp(entry as never, { models }).then(undefined, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AssemblyError);
    return error.message;
  };

  test("bad options are told at assembly, all at once", async () => {
    const bad = defineAgent({ name: "no name", description: "", tool: [] } as never);
    const message = await violations(defineWorkflow({ name: "w", agents: [bad, first, first], color: "red" } as never));
    for (const part of [
      "name must match",
      "description must",
      "`tool`; did you mean `tools`",
      "unknown option `color`",
      "WORD",
      "agents[1] and agents[2]",
    ])
      expect(message).toContain(part);
  });

  test("what is neither is refused by name, wherever it stands", async () => {
    for (const entry of [{}, { kind: "agent", name: "fake" }, say, null, undefined, "flow", 5])
      expect(await violations(entry)).toContain("neither a workflow nor an agent");
    for (const entry of [{}, { kind: "agent", name: "fake" }, say, flow, null])
      expect(await violations(defineWorkflow({ name: "w", agents: [entry as never] }))).toContain(
        "agents[0] is no agent",
      );
    expect(await violations(defineWorkflow({ name: "w", agents: [undefined as never] }))).toContain(
      "agents[0] is undefined",
    );
    expect(await violations(defineWorkflow({ name: "w", agents: [] }))).toContain("at least one agent");
  });

  test("an agent of another app is not this app's", async () => {
    await using app = await createApp(flow, { models });
    const twin = defineAgent({ name: "first", description: "The first." });
    expect(() => app.agent(twin)).toThrow(BadInputError);
    await expect(app.run({ prompt: "hi" }, { agent: twin })).rejects.toThrow(BadInputError);
  });

  test("options must be an object", () => {
    for (const bad of [undefined, null, "one"]) {
      expect(() => defineAgent(bad as never)).toThrow(BadInputError);
      expect(() => defineWorkflow(bad as never)).toThrow(BadInputError);
    }
  });

  test("the values are frozen", () => {
    expect(Object.isFrozen(first) && Object.isFrozen(flow)).toBe(true);
    expect(first).toMatchObject({ kind: "agent", name: "first" });
    expect(flow).toMatchObject({ kind: "workflow", name: "flow" });
  });
});

const tested = testWith(flow);
tested("the testing kit takes both", async ({ app, mockLlm }) => {
  mockLlm(first).thenReturn(replyWith("one"));
  mockLlm(Second).thenReturn(replyWith("two"));
  expect((await app.run({ prompt: "hi" })).text).toBe("one");
  expect((await app.agent(Second).run({ prompt: "hi" })).text).toBe("two");
  expect(() => mockLlm(defineAgent({ name: "first", description: "d" }))).toThrow(/first/);
});

testWith(first, { providers: [{ provide: WORD, useValue: "w" }] })("an agent alone", async ({ app, mockLlm }) => {
  mockLlm(first).thenReturn(callTool(say), replyWith("one"));
  expect((await app.run({ prompt: "hi" }, { agent: first })).text).toBe("one");
});
