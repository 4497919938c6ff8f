import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { describe, expect, test } from "vitest";
import { createApp, defineAgent, defineTool, jsonSchema, type LanguageModel } from "../../src/doors/tenon/index.js";
import { callAll, callTool, rawCall, rawTurn, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { addCacheHints, cacheHintOf, hintFor } from "../../src/llm/cache-hints.js";
import { callingAnswer, chatServer, textAnswer } from "./loopback.js";
import { fakeModel } from "./request.js";

const look = defineTool({
  name: "search",
  description: "Searches.",
  input: jsonSchema({ type: "object", properties: { q: { type: "string" } } }),
  run: ({ q }: any) => `found ${q}`,
});

/** How often a text stands in another one. */
const count = (text: string, part: string): number => text.split(part).length - 1;
const marks = (value: unknown): number =>
  count(JSON.stringify(value), '"cache_control":{"type":"ephemeral"}') +
  count(JSON.stringify(value), '"cacheControl":{"type":"ephemeral"}');
const unmarked = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/,?"cache_control":\{"type":"ephemeral"\}/g, "")
    .replaceAll(/,?"providerOptions":\{"(anthropic|openrouter)":\{"cacheControl":\{"type":"ephemeral"\}\}\}/g, "");

describe("what is sent is a stable prefix", () => {
  test("each request of a thread begins with the bytes of the one before, turn by turn and run by run", async () => {
    const model = scriptedModel(
      callTool(look, { q: "a" }),
      callAll(rawCall({ id: "", name: "search", arguments: '{"q":"b"}' }), rawCall({ name: "nope", arguments: "{" })),
      rawTurn({ reasoning: "hm", text: "wait", calls: [rawCall({ id: "same", name: "search", arguments: "" })] }),
      replyWith("one"),
      rawTurn({ text: "again", calls: [rawCall({ id: "same", name: "search", arguments: '{"q":"c"}' })] }),
      replyWith("two"),
    );
    await using app = await createApp(
      defineAgent({ name: "a", description: "d", prompt: "You look.", model, tools: [look] }),
      { env: {} },
    );
    const { threadId } = await app.run({ prompt: "first" });
    await app.run({ prompt: "second" }, { threadId });
    expect(model.requests).toHaveLength(6);
    const bytes = model.requests.map(({ messages }) => messages.map((message) => JSON.stringify(message)).join("\n"));
    for (const [at, text] of bytes.slice(1).entries()) expect(text.startsWith(`${bytes[at]!}\n`)).toBe(true);
    const tools = model.requests.map((request) => JSON.stringify(request.tools));
    expect(new Set(tools).size).toBe(1);
  });

  test("also with an app of another process, and with other options for the same agent", async () => {
    const sent: string[] = [];
    for (let time = 0; time < 2; time++) {
      const model = scriptedModel(callTool(look, { q: "a" }), replyWith("one"));
      await using app = await createApp(
        defineAgent({ name: "a", description: "d", prompt: "You look.", model, tools: [look] }),
        { env: {} },
      );
      await app.run({ prompt: "first" }, { metadata: { time } });
      sent.push(JSON.stringify(model.requests));
    }
    expect(sent[0]).toBe(sent[1]);
  });
});

describe("hints", () => {
  test.each([
    ["anthropic.messages", "claude-sonnet-4-5", { anthropic: { cacheControl: { type: "ephemeral" } } }],
    ["vertex.anthropic.messages", "claude", { anthropic: { cacheControl: { type: "ephemeral" } } }],
    ["openrouter", "anthropic/claude-sonnet-4.5", { openrouter: { cacheControl: { type: "ephemeral" } } }],
    ["openrouter.chat", "~anthropic/claude-latest", { openrouter: { cacheControl: { type: "ephemeral" } } }],
    ["gateway", "anthropic/claude-sonnet-4.5", { anthropic: { cacheControl: { type: "ephemeral" } } }],
    ["amazon-bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0", { bedrock: { cachePoint: { type: "default" } } }],
    [
      "amazon-bedrock",
      "us.anthropic.claude-3-7-sonnet-20250219-v1:0",
      { bedrock: { cachePoint: { type: "default" } } },
    ],
    ["amazon-bedrock", "eu.anthropic.claude-3-5-haiku-20241022-v1:0", { bedrock: { cachePoint: { type: "default" } } }],
    ["amazon-bedrock", "global.anthropic.claude-opus-5", { bedrock: { cachePoint: { type: "default" } } }],
    ["amazon-bedrock", "us.amazon.nova-2-lite-v1:0", { bedrock: { cachePoint: { type: "default" } } }],
    [
      "amazon-bedrock",
      "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-haiku-4-5-20251001-v1:0",
      { bedrock: { cachePoint: { type: "default" } } },
    ],
    ["amazon-bedrock", "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc", undefined],
    ["amazon-bedrock", "anthropic.claude-3-haiku-20240307-v1:0", undefined],
    ["amazon-bedrock", "anthropic.claude-3-5-sonnet-20240620-v1:0", undefined],
    ["amazon-bedrock", "anthropic.claude-v2:1", undefined],
    ["amazon-bedrock", "anthropic.claude-instant-v1", undefined],
    ["amazon-bedrock", "meta.llama3-3-70b-instruct-v1:0", undefined],
    ["amazon-bedrock", "openai.gpt-oss-120b-1:0", undefined],
    [
      "bedrock.anthropic.messages",
      "us.anthropic.claude-sonnet-4-5",
      { anthropic: { cacheControl: { type: "ephemeral" } } },
    ],
    ["bedrock.anthropic.messages", "anthropic.claude-3-haiku-20240307-v1:0", undefined],
    ["cohere.chat", "command-a", undefined],
    ["xai.responses", "grok-4", undefined],
    ["google.interactions", "gemini-3-pro", undefined],
    ["openrouter", "openai/gpt-5", undefined],
    ["openrouter", "moonshotai/kimi-k2.6", undefined],
    ["openai.responses", "gpt-5", undefined],
    ["google.generative-ai", "gemini-3-pro", undefined],
    ["compatible.chat", "anthropic/claude", undefined],
  ])("%s with %s", (provider, modelId, hint) => {
    expect(cacheHintOf({ provider, modelId })).toEqual(hint);
  });

  const hint = cacheHintOf({ provider: "anthropic.messages", modelId: "m" })!;
  const part = (text: string, more: object = {}) => Object.freeze({ type: "text", text, ...more });
  const message = (role: string, ...content: object[]) => Object.freeze({ role, content: Object.freeze(content) });

  test("the system prompt, the end of the request before and the end of this one; nothing shared is changed", () => {
    const prompt = [
      Object.freeze({ role: "system", content: "You." }),
      message("user", part("a")),
      message("assistant", part("b")),
      message("user", part("c"), part("d")),
      message("assistant", part("e")),
      message("tool", part("f"), part("g", { providerOptions: { anthropic: { own: 1 }, other: { x: 1 } } })),
    ];
    const given = [...prompt];
    const before = JSON.stringify(given);
    const hinted = addCacheHints([...prompt], hint) as any[];
    expect(JSON.stringify(given)).toBe(before);
    const { anthropic } = hint;
    expect(hinted[0]).toEqual({ role: "system", content: "You.", providerOptions: { anthropic } });
    for (const at of [1, 2, 4]) expect(hinted[at]).toBe(prompt[at]);
    expect(hinted[3].content).toEqual([part("c"), part("d", { providerOptions: { anthropic } })]);
    expect(hinted[5].content).toEqual([
      part("f"),
      part("g", { providerOptions: { anthropic: { ...anthropic, own: 1 }, other: { x: 1 } } }),
    ]);
    // Made once for each message.
    expect((addCacheHints([...prompt], hint) as any[])[3]).toBe(hinted[3]);
  });

  test("a first request has two marks, one without a system prompt one, none is put into nothing", () => {
    expect(marks(addCacheHints([{ role: "system", content: "You." }, message("user", part("a"))], hint))).toBe(2);
    expect(marks(addCacheHints([message("user", part("a"))], hint))).toBe(1);
    expect(marks(addCacheHints([{ role: "system", content: "You." }], hint))).toBe(1);
    expect(addCacheHints([], hint)).toEqual([]);
  });

  test("an agent that says itself what is to be kept is left alone", async () => {
    expect(hintFor(hint, undefined)).toBe(hint);
    expect(hintFor(hint, { anthropic: { thinking: {} } })).toBe(hint);
    expect(hintFor(hint, { openrouter: { cacheControl: {} } })).toBe(hint);
    expect(hintFor(hint, { anthropic: { cacheControl: { type: "ephemeral" } } })).toBeUndefined();
    const model = fakeModel({ provider: "anthropic.messages" });
    const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
    await using app = await createApp(
      defineAgent({ name: "a", description: "d", prompt: "You.", model, providerOptions }),
      { env: {} },
    );
    await app.run({ prompt: "hi" });
    expect(marks(model.asked[0].prompt)).toBe(0);
  });

  test("an agent on Bedrock says what the mark is, or that there is none; the request itself has neither", async () => {
    const point = { type: "default", ttl: "1h" };
    for (const [options, wanted] of [
      [{ bedrock: { cachePoint: point } }, { bedrock: { cachePoint: point } }],
      [{ amazonBedrock: { cachePoint: point, serviceTier: "flex" } }, { bedrock: { cachePoint: point } }],
      [{ bedrock: { cachePoint: false } }, undefined],
      [{ bedrock: { serviceTier: "flex" } }, { bedrock: { cachePoint: { type: "default" } } }],
    ] as const) {
      const model = Object.assign(fakeModel({ provider: "amazon-bedrock" }), { modelId: "amazon.nova-pro-v1:0" });
      await using app = await createApp(
        defineAgent({ name: "a", description: "d", prompt: "You.", model, providerOptions: options }),
        { env: {} },
      );
      await app.run({ prompt: "hi" });
      const { prompt, providerOptions } = model.asked[0];
      expect(prompt.map((one: any) => one.providerOptions ?? one.content.at(-1).providerOptions)).toEqual([
        wanted,
        wanted,
      ]);
      expect(JSON.stringify(providerOptions)).not.toContain("cachePoint");
      if (JSON.stringify(options).includes("flex")) expect(JSON.stringify(providerOptions)).toContain("flex");
    }
  });

  test("models that keep by themselves get none", async () => {
    const model = fakeModel({ provider: "openai.responses" });
    await using app = await createApp(defineAgent({ name: "a", description: "d", prompt: "You.", model }), { env: {} });
    await app.run({ prompt: "hi" });
    expect(JSON.stringify(model.asked[0].prompt)).not.toContain("providerOptions");
  });
});

describe("on the wire", () => {
  /** A thread of two runs, of which the first calls a tool: three requests. */
  async function threeRequests(model: LanguageModel, asked: readonly { readonly body: any }[]): Promise<any[]> {
    await using app = await createApp(
      defineAgent({ name: "a", description: "d", prompt: "You look.", model, tools: [look] }),
      { env: {} },
    );
    const { threadId, status, error } = await app.run({ prompt: "first" });
    expect({ status, error }).toEqual({ status: "completed", error: undefined });
    await app.run({ prompt: "second" }, { threadId });
    return asked.map(({ body }) => body);
  }

  test("Anthropic's package sends the marks, at most four, and the rest is a stable prefix", async () => {
    const usage = { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 1 };
    const answer = (content: object[], stop_reason: string) => ({
      whole: { type: "message", id: "m1", model: "claude", role: "assistant", content, stop_reason, usage },
      pieces: [],
    });
    const use = (id: string) => ({ type: "tool_use", id, name: "search", input: { q: id } });
    const { url, asked } = await chatServer(
      answer([use("t1"), use("t2")], "tool_use"),
      answer([{ type: "text", text: "one" }], "end_turn"),
      answer([{ type: "text", text: "two" }], "end_turn"),
    );
    const bodies = await threeRequests(createAnthropic({ baseURL: url, apiKey: "k" })("claude-sonnet-4-5"), asked);
    expect(bodies).toHaveLength(3);
    expect(bodies.map(marks)).toEqual([2, 3, 3]);
    for (const { system, messages } of bodies) {
      expect(marks(system)).toBe(1);
      expect(marks(messages.at(-1))).toBe(1);
    }
    const prefixes = bodies.map(({ tools, system, messages }) => unmarked({ tools, system, messages }).slice(0, -2));
    expect(prefixes[1]!.startsWith(prefixes[0]!)).toBe(true);
    expect(prefixes[2]!.startsWith(prefixes[1]!)).toBe(true);
  });

  test("Bedrock's package sends cache points after the system prompt and the two ends, and the rest is a stable prefix", async () => {
    const point = '{"cachePoint":{"type":"default"}}';
    const answer = (content: object[], stopReason: string) => ({
      whole: {
        output: { message: { role: "assistant", content } },
        stopReason,
        usage: { inputTokens: 5, outputTokens: 2, totalTokens: 14, cacheReadInputTokens: 6, cacheWriteInputTokens: 1 },
      },
      pieces: [],
    });
    const use = (id: string) => ({ toolUse: { toolUseId: id, name: "search", input: { q: id } } });
    const answers = () => [
      answer([use("t1"), use("t2")], "tool_use"),
      answer([{ text: "one" }], "end_turn"),
      answer([{ text: "two" }], "end_turn"),
    ];
    const { url, asked } = await chatServer(...answers());
    const settings = { apiKey: "k", region: "none" };
    const bedrock = createAmazonBedrock({ ...settings, baseURL: url });
    const bodies = await threeRequests(bedrock("us.anthropic.claude-sonnet-4-5-20250929-v1:0"), asked);
    expect(bodies.map((body) => count(JSON.stringify(body), point))).toEqual([2, 3, 3]);
    for (const { system, messages } of bodies) {
      expect(JSON.stringify(system.at(-1))).toBe(point);
      expect(JSON.stringify(messages.at(-1).content.at(-1))).toBe(point);
    }
    const prefixes = bodies.map(({ toolConfig, system, messages }) =>
      JSON.stringify({ toolConfig, system, messages }).replaceAll(`,${point}`, "").slice(0, -2),
    );
    expect(prefixes[1]!.startsWith(prefixes[0]!)).toBe(true);
    expect(prefixes[2]!.startsWith(prefixes[1]!)).toBe(true);

    const plain = await chatServer(...answers());
    const without = await threeRequests(
      createAmazonBedrock({ ...settings, baseURL: plain.url })("meta.llama3-3-70b-instruct-v1:0"),
      plain.asked,
    );
    expect(without.map((body) => count(JSON.stringify(body), point))).toEqual([0, 0, 0]);
  });

  test("OpenRouter's package sends them for Anthropic's models, one for a turn of several results", async () => {
    const call = (id: string) => ({ id, type: "function", function: { name: "search", arguments: '{"q":"x"}' } });
    const several = callingAnswer({ tool_calls: [call("c1"), call("c2"), call("c3"), call("c4"), call("c5")] });
    const { url, asked } = await chatServer(several, textAnswer("one"), textAnswer("two"));
    const routed = createOpenRouter({ baseURL: url, apiKey: "k" });
    const bodies = await threeRequests(routed("anthropic/claude-sonnet-4.5"), asked);
    expect(bodies.map(({ messages }) => marks(messages))).toEqual([2, 3, 3]);
    const plain = await chatServer(several, textAnswer("one"), textAnswer("two"));
    const others = createOpenRouter({ baseURL: plain.url, apiKey: "k" });
    const without = await threeRequests(others("moonshotai/kimi-k2.6"), plain.asked);
    expect(without.map(marks)).toEqual([0, 0, 0]);
    expect(without.map(({ messages }) => messages.length)).toEqual([2, 8, 10]);
  });
});
