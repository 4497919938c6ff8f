import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, describe, expect, test } from "vitest";
import { MissingPeerError, MissingVariableError, ModelError } from "../../src/errors/environment-errors.js";
import { BadInputError } from "../../src/errors/run-errors.js";
import { createServerModel, isOfThisMachine } from "../../src/llm/compatible-server.js";
import type { LanguageModel } from "../../src/llm/model.js";
import { checkModelRef, resolveModel } from "../../src/llm/resolve-model.js";
import { fakeModel, requestOf, user } from "./request.js";

interface Asked {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly body: any;
}

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

async function serve(
  reply: (response: ServerResponse, asked: Asked) => void,
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const one = { url: request.url, key: request.headers.authorization, body: JSON.parse(text) };
      asked.push(one);
      reply(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => (server.closeAllConnections(), server.close()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const tools = [{ name: "search", description: "Search.", inputSchema: { type: "object", properties: {} } }];
const request = () => requestOf([user("hi")], { system: "be brief", tools });

describe("an OpenAI-compatible server", () => {
  const usage = { prompt_tokens: 20, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 4 }, cost: 0.001 };

  test("plain and streamed answers are the same, with calls, usage and cost", async () => {
    const calls = [{ id: "c1", type: "function", function: { name: "search", arguments: '{"q":"x"}' } }];
    const { url, asked } = await serve((response, { body }) => {
      if (body.stream !== true) {
        json(response, 200, {
          choices: [{ message: { content: "looking", tool_calls: calls }, finish_reason: "tool_calls" }],
          usage,
        });
        return;
      }
      const chunks = [
        { choices: [{ delta: { content: "look" } }] },
        { choices: [{ delta: { content: "ing" } }] },
        {
          choices: [
            { delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "search", arguments: '{"q"' } }] } },
          ],
        },
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: ':"x"}' } }] } }] },
        { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
        { choices: [], usage },
      ];
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`);
    });
    const env = { TENON_BASE_URL: url, TENON_API_KEY: "secret" };
    const model = await resolveModel("llama3", env);
    expect(model).toMatchObject({ id: "llama3", free: true, reportsCost: false });
    const plain = await model.generate(request());
    const deltas: string[] = [];
    const streamed = await model.stream(request(), (type, text) => {
      if (type === "text-delta") deltas.push(text);
    });
    expect(plain).toStrictEqual({
      parts: [
        { type: "text", text: "looking" },
        { type: "tool-call", wireId: "c1", name: "search", arguments: '{"q":"x"}' },
      ],
      finish: "tool-calls",
      usage: {
        inputTokens: 20,
        outputTokens: 7,
        cachedInputTokens: 4,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
        costNanoUsd: 1_000_000,
        costSource: "api",
        estimated: false,
      },
    });
    expect(streamed).toStrictEqual(plain);
    expect(deltas).toStrictEqual(["look", "ing"]);
    expect(asked[0]).toMatchObject({ url: "/v1/chat/completions", key: "Bearer secret" });
    expect(asked[0]!.body.messages).toStrictEqual([
      { role: "system", content: "be brief" },
      { role: "user", content: "hi" },
    ]);
    expect(asked[0]!.body.tools[0].function.name).toBe("search");
    expect(asked[1]!.body.stream_options).toStrictEqual({ include_usage: true });
  });

  test("without a key no header is sent, and a refusal names the variable; missing usage is estimated", async () => {
    const { url, asked } = await serve((response, { body }) =>
      body.messages.at(-1).content === "hi"
        ? json(response, 401, { error: { message: "who are you" } })
        : json(response, 200, { choices: [{ message: { content: "yes" }, finish_reason: null }], usage: {} }),
    );
    const model = await resolveModel("m", { TENON_BASE_URL: url, TENON_API_KEY: "" });
    const thrown: any = await model.generate(request()).then(undefined, (error: unknown) => error);
    expect(thrown).toBeInstanceOf(ModelError);
    expect(thrown.data).toStrictEqual({ model: "m", status: 401 });
    expect(thrown.message).toMatch(/TENON_API_KEY is not set.*who are you/);
    expect(asked[0]!.key).toBeUndefined();
    const answer = await model.generate(requestOf([user("again")]));
    expect(answer).toMatchObject({
      finish: "other",
      usage: { inputTokens: 2, outputTokens: 1, estimated: true, costSource: "free" },
    });
  });

  test("errors of the server, whole or in the stream, are ModelErrors that show no key and no request", async () => {
    let reply: (response: ServerResponse) => void = () => {};
    const { url } = await serve((response) => reply(response));
    const model = await resolveModel("m", { TENON_BASE_URL: url, TENON_API_KEY: "sk-verysecretkey0123" });
    const failing = async (call: "generate" | "stream"): Promise<ModelError> => {
      const thrown: unknown = await model[call](requestOf([user("PRIVATE")]), () => {}).then(
        undefined,
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(ModelError);
      for (const secret of ["sk-very", "PRIVATE"])
        expect(JSON.stringify(thrown) + String((thrown as Error).cause)).not.toContain(secret);
      return thrown as ModelError;
    };
    reply = (response) => json(response, 500, { error: { message: "bad key sk-verysecretkey0123" } });
    for (const call of ["generate", "stream"] as const) expect((await failing(call)).data["status"]).toBe(500);
    reply = (response) => response.writeHead(502).end("<html>");
    expect((await failing("generate")).data["status"]).toBe(502);
    reply = (response) => response.writeHead(200, { "content-type": "application/json" }).end("{");
    await failing("generate");
    reply = (response) =>
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end('data: {"error":{"message":"too much","code":429}}\n\n');
    expect((await failing("stream")).message).toContain("too much");
    reply = (response) => response.destroy();
    await failing("generate");
  });

  test("a server that hangs is left by the signal, before and in the answer", async () => {
    const { url } = await serve((response, { body }) => {
      if (body.stream === true)
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .write(`data: ${JSON.stringify({ choices: [{ delta: { content: "a" } }] })}\n\n`);
    });
    const model = await resolveModel("m", { TENON_BASE_URL: url });
    const plain = new AbortController();
    setTimeout(() => plain.abort("stop"), 20);
    await expect(model.generate({ ...request(), signal: plain.signal })).rejects.toBe("stop");
    const streaming = new AbortController();
    await expect(model.stream({ ...request(), signal: streaming.signal }, () => streaming.abort("stop"))).rejects.toBe(
      "stop",
    );
  });
});

test("the same id, URL and key of one environment give the same port", async () => {
  const env: Record<string, string | undefined> = { TENON_BASE_URL: "http://localhost:1/v1" };
  const first = resolveModel("m", env);
  expect(resolveModel("m", env)).toBe(first);
  const model = await first;
  expect(resolveModel("m", env)).toBe(model);
  expect(await resolveModel("n", env)).not.toBe(model);
  env["TENON_API_KEY"] = "k";
  expect(await resolveModel("m", env)).not.toBe(model);
  expect(await resolveModel("m", { ...env })).not.toBe(await resolveModel("m", env));
});

test("a model object needs no environment", () => {
  const model = fakeModel();
  expect(resolveModel(model, {})).toMatchObject({ id: "fake-1" });
  expect(checkModelRef(model, {})).toBeUndefined();
});

test("bad references and URLs are told before anything is called, and no password is shown", () => {
  expect(() => resolveModel("m", {})).toThrow(MissingVariableError);
  expect(() => resolveModel("m", { TENON_BASE_URL: " " })).toThrow(/TENON_BASE_URL/);
  for (const url of ["nonsense", "ftp://e.org", "http://me:hunter2@e.org/v1"]) {
    expect(() => resolveModel("m", { TENON_BASE_URL: url })).toThrow(BadInputError);
    expect(checkModelRef("m", { TENON_BASE_URL: url })).toMatch(/TENON_BASE_URL/);
    expect(checkModelRef("m", { TENON_BASE_URL: url })).not.toContain("hunter2");
  }
  expect(checkModelRef("m", {})).toMatch(/TENON_BASE_URL/);
  expect(checkModelRef("m", { TENON_BASE_URL: "https://e.org/v1" })).toBeUndefined();
  for (const bad of ["", " ", undefined, null, 5, {}, [], { ...fakeModel(), specificationVersion: "v1" }]) {
    expect(checkModelRef(bad, { TENON_BASE_URL: "https://e.org/v1" })).toEqual(expect.any(String));
    expect(() => resolveModel(bad as never, { TENON_BASE_URL: "https://e.org/v1" })).toThrow(BadInputError);
  }
});

test("the peer package: not installed, too old, broken", async () => {
  const server = { id: "m", baseUrl: new URL("http://localhost:1/v1"), apiKey: undefined };
  const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(createServerModel(server, () => Promise.reject(missing))).rejects.toThrow(MissingPeerError);
  await expect(createServerModel(server, () => Promise.reject(missing))).rejects.toThrow(
    /npm install @ai-sdk\/openai-compatible@\^3/,
  );
  const old = { createOpenAICompatible: () => () => ({ ...fakeModel(), specificationVersion: "v1" }) };
  await expect(createServerModel(server, () => Promise.resolve(old as never))).rejects.toThrow(/too old/);
  await expect(createServerModel(server, () => Promise.reject(new SyntaxError("broken")))).rejects.toThrow(SyntaxError);
});

test("only this machine is free; OpenRouter reports its costs", async () => {
  for (const host of ["localhost", "a.localhost", "127.0.0.1", "127.1", "[::1]"])
    expect(isOfThisMachine(new URL(`http://${host}/v1`))).toBe(true);
  for (const host of ["e.org", "127.e.org", "10.0.0.1", "localhost.e.org", "[::2]"])
    expect(isOfThisMachine(new URL(`http://${host}/v1`))).toBe(false);
  expect(await resolveModel("m", { TENON_BASE_URL: "https://e.org/v1" })).toMatchObject({
    free: false,
    reportsCost: false,
  });
  expect(await resolveModel("m", { TENON_BASE_URL: "https://openrouter.ai/api/v1" })).toMatchObject({
    free: false,
    reportsCost: true,
  });
});

test("a model object of the peer is a LanguageModel", () => {
  const model: LanguageModel = createOpenAICompatible({ name: "x", baseURL: "http://localhost:1" })("m");
  expect(checkModelRef(model, {})).toBeUndefined();
});
