import { describe, expect, test } from "vitest";
import { MissingPeerError, MissingVariableError, ModelError } from "../../src/errors/environment-errors.js";
import type { ModelSettings } from "../../src/llm/model-settings.js";
import { createOpenRouterModel } from "../../src/llm/open-router.js";
import { checkModelRef, resolveModel } from "../../src/llm/resolve-model.js";
import type { Message } from "../../src/protocol/message.js";
import { callingAnswer, chatServer, piece, textAnswer } from "./loopback.js";
import { requestOf, user } from "./request.js";

const tools = [{ name: "search", description: "Search.", inputSchema: { type: "object", properties: {} } }];
const details = [
  { type: "reasoning.text", text: "let me see", signature: "s+/=", format: "anthropic-claude-v1", index: 0 },
  { type: "reasoning.encrypted", data: "b3BhcXVl+/==", format: "anthropic-claude-v1", index: 1 },
];
const env = { OPENROUTER_API_KEY: "or-key" };

describe("a model of OpenRouter, by its package", () => {
  test("whole and streamed answers carry calls, usage, cost and reasoning; reasoning goes back as it came", async () => {
    const { url, asked } = await chatServer(
      callingAnswer({ reasoning: "let me see", reasoning_details: details }),
      callingAnswer({ reasoning: "let me see", reasoning_details: details }),
      textAnswer("done"),
    );
    const model = await createOpenRouterModel({ id: "anthropic/claude", env, baseUrl: url });
    expect(model).toMatchObject({ id: "anthropic/claude", free: false, reportsCost: true, noThinking: undefined });
    const request = requestOf([user("hi")], { tools });
    for (const answer of [await model.generate(request), await model.stream(request, () => {})]) {
      expect(answer.finish).toBe("tool-calls");
      expect(answer.usage).toMatchObject({
        inputTokens: 20,
        outputTokens: 7,
        cachedInputTokens: 4,
        reasoningTokens: 2,
        costNanoUsd: 1_000_000,
        costSource: "api",
        estimated: false,
      });
      const called: Message = {
        role: "assistant",
        parts: answer.parts.map((part) => (part.type === "tool-call" ? { ...part, callId: "call_1" } : part)),
      };
      // As it is after a store.
      const stored = JSON.parse(JSON.stringify(called)) as Message;
      const result = { type: "tool-result", callId: "call_1", name: "search", ok: true, content: "found" } as const;
      await model.generate(requestOf([user("hi"), stored, { role: "tool", parts: [result] }], { tools }));
      const sent = asked.at(-1)!.body.messages.find(({ role }: { role: string }) => role === "assistant");
      expect(sent.reasoning).toBe("let me see");
      expect(JSON.stringify(sent.reasoning_details)).toBe(JSON.stringify(details));
      expect(sent.tool_calls).toStrictEqual([
        { id: "c1", type: "function", function: { name: "search", arguments: '{"q":"x"}' } },
      ]);
    }
    expect(asked[0]).toMatchObject({ url: "/v1/chat/completions", key: "Bearer or-key" });
    expect(asked[0]!.body).toMatchObject({ model: "anthropic/claude", usage: { include: true } });
  });

  test("the key is read at each call; without one the call names the variable", async () => {
    const { url, asked } = await chatServer(textAnswer("yes"));
    const changing: Record<string, string | undefined> = {};
    const model = await createOpenRouterModel({ id: "a/b", env: changing, baseUrl: url });
    for (const key of [undefined, " "]) {
      changing["OPENROUTER_API_KEY"] = key;
      for (const call of ["generate", "stream"] as const)
        await expect(model[call](requestOf([user("hi")]), () => {})).rejects.toThrow(MissingVariableError);
    }
    await expect(model.generate(requestOf([user("hi")]))).rejects.toThrow(/a\/b.*OPENROUTER_API_KEY/s);
    expect(asked).toHaveLength(0);
    for (const key of ["one", "two", "two"]) {
      changing["OPENROUTER_API_KEY"] = key;
      await model.generate(requestOf([user("hi")]));
    }
    expect(asked.map(({ key }) => key)).toStrictEqual(["Bearer one", "Bearer two", "Bearer two"]);
  });

  test("thinking, the most tokens and own options are sent as OpenRouter takes them", async () => {
    const { url, asked } = await chatServer(textAnswer("yes"));
    const model = await createOpenRouterModel({ id: "a/b", env, baseUrl: url });
    const send = (settings: Partial<ModelSettings>) =>
      model.generate(requestOf([user("hi")], { settings: { ...none, ...settings } }));
    await send({ thinking: "high", maxOutputTokens: 50 });
    await send({ thinking: "off" });
    await send({
      thinking: "low",
      providerOptions: { openrouter: { reasoning: { max_tokens: 9 }, provider: { sort: "price" } } },
    });
    expect(asked[0]!.body).toMatchObject({ reasoning: { effort: "high" }, max_tokens: 50 });
    expect(asked[1]!.body.reasoning).toStrictEqual({ enabled: false });
    expect(asked[2]!.body).toMatchObject({ reasoning: { max_tokens: 9 }, provider: { sort: "price" } });
  });

  test("a stream that breaks off runs nothing, and half arguments never become none", async () => {
    const start = {
      tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "search", arguments: "" } }],
    };
    const half = { tool_calls: [{ index: 0, function: { arguments: '{"q":"x' } }] };
    const { url } = await chatServer(
      { whole: {}, pieces: [piece(start), piece(half)], cut: true },
      { whole: {}, pieces: [piece(start), piece(half), piece({}, "tool_calls")] },
    );
    const model = await createOpenRouterModel({ id: "a/b", env, baseUrl: url });
    expect((await model.stream(requestOf([user("hi")]), () => {})).finish).toBe("interrupted");
    const { parts, finish } = await model.stream(requestOf([user("hi")]), () => {});
    expect(finish).toBe("tool-calls");
    expect(parts).toMatchObject([{ type: "tool-call", arguments: '{"q":"x' }]);
  });

  test("a usage that the server does not send is estimated, never zero", async () => {
    const { whole, pieces } = textAnswer("12345678");
    const { usage: _usage, ...unbilled } = whole;
    const { url } = await chatServer({ whole: unbilled, pieces: pieces.slice(0, -1) });
    const model = await createOpenRouterModel({ id: "a/b", env, baseUrl: url });
    for (const { usage } of [
      await model.generate(requestOf([user("1234")])),
      await model.stream(requestOf([user("1234")]), () => {}),
    ])
      expect(usage).toMatchObject({ inputTokens: 1, outputTokens: 2, estimated: true, costNanoUsd: undefined });
  });

  test("a refused key is told with the variable's name, and not shown", async () => {
    const { createServer } = await import("node:http");
    const server = createServer((_request, response) =>
      response
        .writeHead(401, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: "No auth for or-key-0123456789abc", code: 401 } })),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as { port: number };
      const model = await createOpenRouterModel({ id: "a/b", env, baseUrl: `http://127.0.0.1:${port}` });
      const error: any = await model
        .generate(requestOf([user("PRIVATE")]))
        .then(undefined, (thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ModelError);
      expect(error.data).toMatchObject({ model: "a/b", status: 401 });
      expect(error.message).toContain("OPENROUTER_API_KEY");
      expect(JSON.stringify(error) + String(error.cause)).not.toContain("PRIVATE");
    } finally {
      server.close();
    }
  });

  test("without the package, an error names it", async () => {
    const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    const made = createOpenRouterModel({ id: "a/b", env }, () => Promise.reject(missing));
    await expect(made).rejects.toThrow(MissingPeerError);
    await expect(made).rejects.toThrow(/a\/b.*npm install @openrouter\/ai-sdk-provider@\^3/s);
  });
});

const none = { thinking: undefined, maxOutputTokens: undefined, providerOptions: undefined };

describe("which string goes where", () => {
  test("vendor/model goes to OpenRouter only where no server is set; it needs no key until it is called", async () => {
    const empty = {};
    const model = await resolveModel("moonshotai/kimi-k2.6", empty);
    expect(model).toMatchObject({ id: "moonshotai/kimi-k2.6", reportsCost: true });
    expect(await resolveModel("moonshotai/kimi-k2.6", empty)).toBe(model);
    expect(checkModelRef("moonshotai/kimi-k2.6", empty)).toBeUndefined();
    const { url, asked } = await chatServer(textAnswer("yes"));
    const local = await resolveModel("moonshotai/kimi-k2.6", { TENON_BASE_URL: url, OPENROUTER_API_KEY: "or-key" });
    await local.generate(requestOf([user("hi")]));
    expect(asked).toMatchObject([{ key: undefined, body: { model: "moonshotai/kimi-k2.6" } }]);
  });

  test("other strings need a server", () => {
    for (const id of ["llama3", "/m", "a/", "a b/c", " a/b"])
      expect(() => resolveModel(id, {})).toThrow(MissingVariableError);
    expect(checkModelRef("llama3", {})).toMatch(/TENON_BASE_URL/);
  });
});
