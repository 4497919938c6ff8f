import { describe, expect, test } from "vitest";
import { Int, ListOf, Text } from "../../src/doors/dto/index.js";
import { createApp, defineAgent, defineTool, jsonSchema, type ToolEntry } from "../../src/doors/tenon/index.js";
import { fakeModel, textAnswer } from "../llm/request.js";

class Pair {
  @Text() a!: string;
  @Int({ optional: true }) b?: number;
}
class Tree {
  @Text({ min: 1 }) name!: string;
  @ListOf(() => Tree, { optional: true }) children?: Tree[];
}

const seen: unknown[] = [];
const pair = defineTool({
  name: "pair",
  description: "Takes a pair.",
  input: Pair,
  run: (input) => {
    seen.push(Object.entries(input));
    return "ok";
  },
});
const open = defineTool({
  name: "foreign",
  description: "From elsewhere.",
  input: jsonSchema({ type: "object", properties: { a: { type: "string" } }, additionalProperties: true }),
  run: () => "ok",
});
const grow = defineTool({ name: "grow", description: "Takes a tree.", input: Tree, run: ({ name }) => name });

function calling(provider: string, name: string, input: object) {
  let asked = 0;
  return fakeModel({
    provider,
    generate: () => {
      const call = { type: "tool-call", toolCallId: "c1", toolName: name, input: JSON.stringify(input) };
      return Promise.resolve(
        ++asked === 1 ? { content: [call], finishReason: { unified: "tool-calls" }, usage: {} } : textAnswer("done"),
      );
    },
  });
}

const agentOf = (model: ReturnType<typeof fakeModel>, tools: readonly ToolEntry[], more: object = {}) =>
  defineAgent({ name: "clerk", description: "d", model, tools, ...more });

test("[B51] strict where the schema qualifies, plain for the tool beside it, and null arrives as absent", async () => {
  const model = calling("openai.responses", "pair", { a: "x", b: null });
  await using app = await createApp(agentOf(model, [pair, open]), { env: {} });
  expect(await app.run({ prompt: "go" })).toMatchObject({ status: "completed", text: "done" });
  expect(model.asked[0].tools).toMatchObject([
    {
      name: "pair",
      strict: true,
      inputSchema: {
        properties: { a: { type: "string" }, b: { type: ["integer", "null"] } },
        required: ["a", "b"],
        additionalProperties: false,
      },
    },
    { name: "foreign", inputSchema: { properties: { a: { type: "string" } }, additionalProperties: true } },
  ]);
  expect(model.asked[0].tools[1]).not.toHaveProperty("strict");
  expect(seen).toEqual([[["a", "x"]]]);
});

test("[B51] an agent can say that nothing is strict", async () => {
  const model = calling("openai.responses", "pair", { a: "x" });
  const providerOptions = { openai: { strictJsonSchema: false } };
  await using app = await createApp(agentOf(model, [pair], { providerOptions }), { env: {} });
  await app.run({ prompt: "go" });
  expect(model.asked[0].tools[0]).not.toHaveProperty("strict");
  expect(model.asked[0].tools[0].inputSchema.required).toEqual(["a"]);
});

describe.each(["google.generative-ai", "anthropic.messages", "openai.chat", "openrouter", "other"])(
  "%s",
  (provider) => {
    test("[B49] a recursive type is taken, and the tools beside it are as they were", async () => {
      const deep = { name: "a", children: [{ name: "b", children: [{ name: "c", children: [{ name: "d" }] }] }] };
      const model = calling(provider, "grow", deep);
      await using app = await createApp(agentOf(model, [grow, open]), { env: {} });
      const { text, usage } = await app.run({ prompt: "go" });
      expect({ text, calls: usage.toolCalls }).toEqual({ text: "done", calls: 1 });
      expect(model.asked[0].tools).toHaveLength(2);
      expect(model.asked[0].tools[1].inputSchema.properties).toEqual({ a: { type: "string" } });
      if (provider.startsWith("google")) expect(JSON.stringify(model.asked[0].tools)).not.toContain("$ref");
      // The same list for every request.
      expect(model.asked[1].tools).toBe(model.asked[0].tools);
    });
  },
);

test("describe says what is lost, by tool and family, and what is strict", async () => {
  await using app = await createApp(agentOf(fakeModel(), [pair, open, grow]), { env: {} });
  const tools = JSON.parse(JSON.stringify(app.describe())).agents[0].tools;
  expect(tools[0].dialects).toEqual({
    "openai-strict": { strict: true, lost: [] },
    openai: { strict: false, lost: [] },
    anthropic: { strict: false, lost: [] },
    google: { strict: false, lost: [] },
    other: { strict: false, lost: [] },
  });
  expect(tools[1].dialects["openai-strict"]).toEqual({
    strict: false,
    whyNotStrict: "the root is an open object",
    lost: [],
  });
  expect(tools[2].dialects["openai-strict"].lost).toContain("name: minLength");
  expect(tools[2].dialects.google.lost).toContain("children[].name: minLength");
  expect(tools[2].dialects.google.lost).toContainEqual(expect.stringContaining("what it holds at this depth"));
});
