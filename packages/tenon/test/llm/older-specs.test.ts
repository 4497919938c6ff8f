import { createOpenAICompatible as createV4 } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createV2 } from "openai-compatible-v2";
import { createOpenAICompatible as createV3 } from "openai-compatible-v3";
import { describe, expect, test } from "vitest";
import type { LanguageModel, ModelAnswer } from "../../src/llm/model.js";
import { free } from "../../src/llm/free.js";
import { toModel } from "../../src/llm/v4-model.js";
import type { Message } from "../../src/protocol/message.js";
import { callingAnswer, chatServer, piece, textAnswer } from "./loopback.js";
import { fakeModel, requestOf, streamOf, user } from "./request.js";

const tools = [
  {
    name: "search",
    description: "Search.",
    inputSchema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
  },
];

const packages: readonly [string, (url: string) => LanguageModel][] = [
  ["v2", (url) => createV2({ name: "local", baseURL: url, includeUsage: true })("m")],
  ["v3", (url) => createV3({ name: "local", baseURL: url, includeUsage: true })("m")],
  ["v4", (url) => createV4({ name: "local", baseURL: url, includeUsage: true })("m")],
];

const history: readonly Message[] = [
  {
    role: "user",
    parts: [
      { type: "text", text: "what is this?" },
      { type: "file", mediaType: "image/png", data: "iVBORw0KGgo=" },
    ],
  },
  {
    role: "assistant",
    parts: [{ type: "tool-call", callId: "call_1", wireId: "w1", name: "search", arguments: '{"q":"a"}' }],
  },
  {
    role: "tool",
    parts: [{ type: "tool-result", callId: "call_1", name: "search", ok: false, content: "Tool error: no" }],
  },
];

describe.each(packages)("a real package of specification %s", (version, create) => {
  async function both(url: string, messages: readonly Message[] = [user("hi")]): Promise<ModelAnswer[]> {
    const model = create(url);
    expect(model.specificationVersion).toBe(version);
    const port = toModel(model);
    return [
      await port.generate(requestOf(messages, { tools })),
      await port.stream(requestOf(messages, { tools }), () => {}),
    ];
  }

  test("calls, reasoning and usage come out the same, whole and streamed", async () => {
    const { url, asked } = await chatServer(callingAnswer({ reasoning_content: "hm" }));
    for (const answer of await both(url)) {
      expect(answer).toStrictEqual({
        parts: [
          { type: "reasoning", text: "hm" },
          { type: "tool-call", wireId: "c1", name: "search", arguments: '{"q":"x"}' },
        ],
        finish: "tool-calls",
        usage: expect.objectContaining({
          inputTokens: 20,
          outputTokens: 7,
          cachedInputTokens: 4,
          reasoningTokens: 2,
          estimated: false,
        }),
      });
    }
    expect(asked).toHaveLength(2);
    expect(asked[0]!.body.tools[0].function).toMatchObject({ name: "search", parameters: tools[0]!.inputSchema });
  });

  test("a history with a file, a call and its failed result is sent as the server takes it", async () => {
    const { url, asked } = await chatServer(textAnswer("a picture"));
    for (const { parts, finish } of await both(url, history)) {
      expect(parts).toStrictEqual([{ type: "text", text: "a picture" }]);
      expect(finish).toBe("stop");
    }
    for (const { body } of asked) {
      const [first, second, third] = body.messages;
      expect(first.content).toStrictEqual([
        { type: "text", text: "what is this?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      ]);
      expect(second.tool_calls).toMatchObject([{ id: "w1", function: { name: "search", arguments: '{"q":"a"}' } }]);
      expect(third).toMatchObject({ role: "tool", tool_call_id: "w1", content: "Tool error: no" });
    }
  });

  test("a stream that breaks off is no whole answer", async () => {
    const { url } = await chatServer({ whole: {}, pieces: [piece({ content: "the first ha" })], cut: true });
    const outcome = await toModel(create(url))
      .stream(requestOf([user("hi")]), () => {})
      .then(
        ({ finish }) => finish,
        (error: Error) => error.name,
      );
    expect(["interrupted", "ModelError"]).toContain(outcome);
  });
});

describe("differences of the specifications", () => {
  const older = (version: "v2" | "v3", behavior: Parameters<typeof fakeModel>[0] = {}) =>
    Object.assign(fakeModel(behavior), { specificationVersion: version });

  test.each(["v2", "v3"] as const)(
    "%s: what only V4 knows is left out of the prompt, and messages are converted once",
    async (version) => {
      const model = older(version);
      const messages: Message[] = [
        { role: "user", parts: [{ type: "file", mediaType: "image/png", data: "AAAA" }] },
        {
          role: "assistant",
          parts: [
            { type: "opaque", provider: "fake", value: { type: "custom", kind: "fake.x" } },
            {
              type: "opaque",
              provider: "fake",
              value: { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
            },
          ],
        },
        {
          role: "assistant",
          parts: [
            { type: "text", text: "see" },
            {
              type: "opaque",
              provider: "fake",
              value: { type: "file", mediaType: "image/png", data: { type: "url", url: "https://e.org/a.png" } },
            },
            {
              type: "opaque",
              provider: "fake",
              value: { type: "file", mediaType: "a/b", data: { type: "reference" } },
            },
          ],
        },
        user("go"),
      ];
      const request = requestOf(messages);
      await toModel(model).generate(request);
      await toModel(model).generate(request);
      const [first, again] = model.asked;
      expect(first.prompt).toStrictEqual([
        { role: "user", content: [{ type: "file", mediaType: "image/png", data: "AAAA" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "see" },
            { type: "file", mediaType: "image/png", data: new URL("https://e.org/a.png") },
          ],
        },
        { role: "user", content: [{ type: "text", text: "go" }] },
      ]);
      for (const [i, message] of first.prompt.entries()) expect(again.prompt[i]).toBe(message);
    },
  );

  test("a finish reason that a package made up is an interruption, in streams only", async () => {
    const finishOf = async (version: "v2" | "v3" | "v4", provider: string, finishReason: unknown) => {
      const end = { type: "finish", finishReason, usage: {} };
      const model = Object.assign(
        fakeModel({
          provider,
          stream: () => Promise.resolve({ stream: streamOf([end]) }),
          generate: () => Promise.resolve({ content: [], ...end }),
        }),
        { specificationVersion: version },
      );
      const [whole, streamed] = [
        await toModel(model).generate(requestOf([user("a")])),
        await toModel(model).stream(requestOf([user("a")]), () => {}),
      ];
      return [whole.finish, streamed.finish];
    };
    const none = (unified: string) => ({ unified, raw: undefined });
    expect(await finishOf("v2", "x", "unknown")).toStrictEqual(["other", "interrupted"]);
    expect(await finishOf("v2", "x", "other")).toStrictEqual(["other", "other"]);
    expect(await finishOf("v2", "openrouter", "other")).toStrictEqual(["other", "interrupted"]);
    expect(await finishOf("v2", "x", "tool-calls")).toStrictEqual(["tool-calls", "tool-calls"]);
    expect(await finishOf("v3", "x", none("other"))).toStrictEqual(["other", "interrupted"]);
    expect(await finishOf("v3", "x", { unified: "other", raw: "eos" })).toStrictEqual(["other", "other"]);
    expect(await finishOf("v3", "x", none("stop"))).toStrictEqual(["stop", "stop"]);
    expect(await finishOf("v4", "x", none("other"))).toStrictEqual(["other", "interrupted"]);
    expect(await finishOf("v4", "x", { unified: "other", raw: "eos" })).toStrictEqual(["other", "other"]);
    expect(await finishOf("v4", "x", none("tool-calls"))).toStrictEqual(["tool-calls", "tool-calls"]);
    expect(await finishOf("v4", "x", "other")).toStrictEqual(["other", "other"]);
    expect(await finishOf("v4", "x", undefined)).toStrictEqual(["other", "other"]);
    expect(await finishOf("v4", "openrouter", none("tool-calls"))).toStrictEqual(["tool-calls", "interrupted"]);
    expect(await finishOf("v4", "openrouter", { unified: "tool-calls", raw: "tool_calls" })).toStrictEqual([
      "tool-calls",
      "tool-calls",
    ]);
  });

  test("usage of V2 is flat; what it lacks is estimated", async () => {
    const answer = (usage: object) =>
      toModel(
        older("v2", {
          generate: () => Promise.resolve({ content: [{ type: "text", text: "four" }], finishReason: "stop", usage }),
        }),
      ).generate(requestOf([user("four")]));
    expect(
      (await answer({ inputTokens: 9, outputTokens: 8, totalTokens: 17, reasoningTokens: 3, cachedInputTokens: 2 }))
        .usage,
    ).toMatchObject({ inputTokens: 9, outputTokens: 8, reasoningTokens: 3, cachedInputTokens: 2, estimated: false });
    expect((await answer({ inputTokens: undefined, outputTokens: undefined })).usage).toMatchObject({
      inputTokens: 1,
      outputTokens: 1,
      estimated: true,
    });
  });

  test("`free` keeps the specification", async () => {
    const model = free(older("v2"));
    expect(model.specificationVersion).toBe("v2");
    expect(toModel(model).free).toBe(true);
  });
});
