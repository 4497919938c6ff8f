import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createCohere } from "@ai-sdk/cohere";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createXai } from "@ai-sdk/xai";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { createOpenAICompatible as createV2 } from "openai-compatible-v2";
import { createOpenAICompatible as createV3 } from "openai-compatible-v3";
import { describe, expect, onTestFinished, test } from "vitest";
import { priced } from "../../src/doors/models/index.js";
import {
  defineTool,
  jsonSchema,
  memoryStore,
  usd,
  type AgentOptions,
  type LanguageModel,
  type Limits,
  type ToolEntry,
} from "../../src/doors/tenon/index.js";
import { rawCall, rawTurn, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { payingApp, prices } from "./paying-app.js";

const apiKey = "k";
type Make = (baseURL: string, id: string) => LanguageModel;
const anthropic: Make = (baseURL, id) => createAnthropic({ baseURL, apiKey })(id);
const bedrock: Make = (baseURL, id) => createAmazonBedrock({ baseURL, apiKey, region: "us-east-1" })(id);
const chat: Make = (baseURL, id) => createOpenAI({ baseURL, apiKey }).chat(id);
const responses: Make = (baseURL, id) => createOpenAI({ baseURL, apiKey }).responses(id);
const google: Make = (baseURL, id) => createGoogle({ baseURL, apiKey })(id);
const cohere: Make = (baseURL, id) => createCohere({ baseURL, apiKey })(id);
const xai: Make = (baseURL, id) => createXai({ baseURL, apiKey })(id);
const openRouter: Make = (baseURL, id) => createOpenRouter({ baseURL, apiKey })(id);
const compatible: Make = (baseURL, id) => createOpenAICompatible({ name: "local", baseURL })(id);

const limits: Limits = { reserve: "strict", perDay: { workflow: { cost: usd(1_000) } } };

interface Sent {
  readonly text: string;
  readonly body: any;
  /** What is reserved while the request is open. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A server that refuses everything, and what it was sent. */
async function refusingServer(store: ReturnType<typeof memoryStore>) {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece) => (text += piece));
    request.on("end", () => {
      const open = store.ledger.entries({}) as any[];
      const { inputTokens, outputTokens } = open.find(({ state }) => state === "reserved");
      sent.push({ text, body: JSON.parse(text), inputTokens, outputTokens });
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no"}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, sent };
}

/** What a run with that model sends, and fails with where it sends nothing. */
async function ask(make: Make, id: string, options: Partial<Omit<AgentOptions, "limits">>, budget: Limits = limits) {
  const store = memoryStore();
  const { url, sent } = await refusingServer(store);
  const model = priced(make(url, id), prices);
  await using app = await payingApp(model, { store, maxOutputTokens: 2_000, ...options, limits: budget });
  const { error } = await app.run({ prompt: "go" });
  return { sent: sent[0], error };
}

/** The length of an answer that a request asks for. */
function lengthIn(body: any): number | undefined {
  return (
    body.max_completion_tokens ??
    body.max_output_tokens ??
    body.max_tokens ??
    body.num_predict ??
    body.inferenceConfig?.maxTokens ??
    body.generationConfig?.maxOutputTokens
  );
}

const opt = (provider: string, options: object) => ({ providerOptions: { [provider]: options as never } });
const lengths: readonly (readonly [Make, string, Partial<AgentOptions>])[] = [
  ...[
    "claude-sonnet-4-5",
    "claude-opus-4-1",
    "claude-3-7-sonnet-latest",
    "claude-opus-4-6",
    "claude-3-haiku",
    "m",
  ].flatMap((id) =>
    [
      {},
      { thinking: "low" as const },
      { thinking: "medium" as const },
      { thinking: "high" as const },
      opt("anthropic", { thinking: { type: "enabled", budgetTokens: 10_000 } }),
      opt("anthropic", { thinking: { type: "enabled" } }),
      opt("anthropic", { thinking: { type: "adaptive" } }),
    ].map((options) => [anthropic, id, options] as const),
  ),
  ...["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic.claude-opus-4-6-v1", "amazon.nova-pro-v1:0"].flatMap(
    (id) =>
      [
        { thinking: "high" as const },
        opt("bedrock", { reasoningConfig: { type: "enabled", budgetTokens: 9_000 } }),
        opt("amazonBedrock", { reasoningConfig: { type: "enabled", budgetTokens: 9_000 } }),
      ].map((options) => [bedrock, id, options] as const),
  ),
  [chat, "gpt-5", opt("openai", { maxCompletionTokens: 50_000 })],
  [chat, "gpt-5", { thinking: "high" }],
  [responses, "gpt-5", { thinking: "high" }],
  [google, "gemini-2.5-pro", { thinking: "high" }],
  [google, "gemini-2.5-flash", opt("google", { thinkingConfig: { thinkingBudget: 9_000 } })],
  [google, "gemini-2.5-flash", opt("google", { thinkingConfig: { thinkingBudget: -1 } })],
  [cohere, "command-a-reasoning-08-2025", { thinking: "high" }],
  [cohere, "command-a-reasoning-08-2025", opt("cohere", { thinking: { type: "enabled", tokenBudget: 7_000 } })],
  [xai, "grok-4", { thinking: "high" }],
  [openRouter, "anthropic/claude-sonnet-4-5", { thinking: "high" }],
  [openRouter, "m", opt("openrouter", { max_tokens: 30_000 })],
  [openRouter, "m", opt("openrouter", { reasoning: { max_tokens: 8_000 } })],
  [compatible, "m", opt("local", { max_tokens: 30_000 })],
  [compatible, "m", opt("local", { max_completion_tokens: 30_000 })],
  [compatible, "m", opt("local", { num_predict: 30_000 })],
];

test.each(lengths.map(([make, id, options]) => [id, JSON.stringify(options), make, options] as const))(
  "%s with %s: no answer is asked for that is longer than what is reserved",
  async (id, _options, make, options) => {
    for (const reserve of ["strict", undefined] as const) {
      const { sent, error } = await ask(make, id, options, { ...limits, ...(reserve && { reserve }) });
      expect(error!.code).toBe("model_error");
      const { body, outputTokens } = sent!;
      const own = body.thinking?.token_budget ?? body.reasoning?.max_tokens ?? 0;
      expect(lengthIn(body)).toBeGreaterThanOrEqual(1);
      expect(outputTokens).toBeGreaterThanOrEqual(lengthIn(body)! + own);
      expect(outputTokens).toBeGreaterThanOrEqual(2_000);
    }
  },
);

test("an answer whose package sends no limit is as long as the model's can be", async () => {
  const { sent } = await ask(bedrock, "amazon.nova-2-lite-v1:0", { thinking: "high" });
  expect(lengthIn(sent!.body)).toBeUndefined();
  expect(sent!.outputTokens).toBe(65_536);
});

test("several answers are several times as long", async () => {
  const { sent } = await ask(compatible, "m", opt("local", { n: 3 }));
  expect(sent!.body.n).toBe(3);
  expect(sent!.outputTokens).toBe(6_000);
});

const unbound: readonly (readonly [Make, object, string])[] = [
  [compatible, opt("local", { max_tokens: -1 }), "providerOptions.local.max_tokens"],
  [compatible, opt("local", { max_tokens: "inf" }), "providerOptions.local.max_tokens"],
  [compatible, opt("local", { options: { num_predict: -1 } }), "providerOptions.local.options.num_predict"],
  [openRouter, opt("openrouter", { models: ["a", "b"] }), "providerOptions.openrouter.models"],
  [responses, opt("openai", { previousResponseId: "r" }), "providerOptions.openai.previousResponseId"],
  [google, opt("google", { cachedContent: "c" }), "providerOptions.google.cachedContent"],
  [anthropic, opt("anthropic", { mcpServers: [] }), "providerOptions.anthropic.mcpServers"],
];

test.each(unbound.map(([make, options, option]) => [option, make, options] as const))(
  "strict: %s is refused before the call, with what to set",
  async (option, make, options) => {
    const { sent, error } = await ask(make, "m", options);
    expect(error).toMatchObject({ code: "usage_unbound", data: { model: "m", option } });
    expect(error!.message).toContain("maxOutputTokens");
    expect(sent).toBeUndefined();
  },
);

test("what cannot be bounded is called where no bound is a promise", async () => {
  const options = opt("local", { max_tokens: -1 }) as never;
  const usual = await ask(compatible, "m", options, { perDay: limits.perDay });
  expect(usual.sent!.body.max_tokens).toBe(-1);
  const calls = await ask(compatible, "m", options, { reserve: "strict", perDay: { workflow: { modelCalls: 9 } } });
  expect(calls.sent!.body.max_tokens).toBe(-1);
});

const nasty = 'a "quoted" \\ back\\slash\n\t\u0001 é 漢字 🙂 {"json":"in \\"text\\""} </script>';
const value = { text: nasty, deep: [{ 'ke"y': nasty, more: JSON.stringify({ nasty }) }], large: 1e20, small: 1e-7 };
const tools = Array.from({ length: 5 }, (_, n) =>
  defineTool({
    name: `look_${n}`,
    description: nasty,
    input: jsonSchema({
      type: "object",
      properties: {
        text: { type: ["string", "null"], description: nasty },
        deep: { type: "array", items: { anyOf: [{ const: 1 }, { enum: ["a", nasty] }, { type: "object" }] } },
      },
    }),
    run: () => (n === 0 ? nasty : value),
  }),
);

const small = Array.from({ length: 20 }, (_, n) => defineTool({ name: `look_${n}`, description: "d", run: () => 1 }));

describe("strict: no body has more bytes than tokens are reserved", () => {
  const makers: readonly (readonly [string, Make, string])[] = [
    ["openai.chat", chat, "gpt-5"],
    ["openai.responses", responses, "gpt-5"],
    ["openai-compatible", compatible, "m"],
    ["openai-compatible V3", (baseURL, id) => createV3({ name: "local", baseURL })(id), "m"],
    ["openai-compatible V2", (baseURL, id) => createV2({ name: "local", baseURL })(id), "m"],
    ["openrouter", openRouter, "anthropic/claude-sonnet-4-5"],
    ["anthropic", anthropic, "claude-sonnet-4-5"],
    ["google", google, "gemini-2.5-flash"],
    ["bedrock anthropic", bedrock, "us.anthropic.claude-sonnet-4-5-20250929-v1:0"],
    ["bedrock nova", bedrock, "amazon.nova-pro-v1:0"],
    ["cohere", cohere, "command-r"],
    ["xai", xai, "grok-4"],
  ];

  test.each(makers)("%s", async (_name, make, id) => {
    const cases: readonly (readonly [readonly ToolEntry[], object, string, string])[] = [
      [[], {}, nasty, "{}"],
      [[], {}, "a", "{}"],
      [tools.slice(0, 1), {}, nasty, JSON.stringify(value)],
      [tools, { prompt: nasty, thinking: "high" }, nasty, JSON.stringify(value)],
      [small, {}, "a", "{}"],
    ];
    for (const [own, settings, text, args] of cases) {
      const store = memoryStore();
      const { url, sent } = await refusingServer(store);
      const real = priced(make(url, id), prices);
      const calls = own.flatMap((_, n) =>
        ["a", "b"].map((one) => rawCall({ id: `${n}-${one}`, name: `look_${n}`, arguments: args })),
      );
      const scripted = scriptedModel(...(calls.length === 0 ? [] : [rawTurn({ text, calls })]), replyWith(text));
      const noThinking = make(url, id).specificationVersion === "v2" || make(url, id).specificationVersion === "v3";
      await using app = await payingApp(scripted, {
        store,
        limits,
        tools: own,
        maxToolCalls: 50,
        ...settings,
        ...(noThinking ? { thinking: undefined } : {}),
      });
      expect(await app.run({ prompt: text }, { threadId: "t" })).toMatchObject({ status: "completed" });
      const refused = await app.run({ prompt: text }, { threadId: "t", model: real });
      expect(refused.error!.code).toBe("model_error");
      const [{ inputTokens, ...body }] = sent as [Sent];
      const bytes = Buffer.byteLength(body.text);
      expect(inputTokens).toBeGreaterThanOrEqual(bytes);
      // Nor is it out of all proportion.
      expect(inputTokens).toBeLessThan(bytes * 2 + 2_000);
    }
  });
});
