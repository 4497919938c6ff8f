import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createCohere } from "@ai-sdk/cohere";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createXai } from "@ai-sdk/xai";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createAppWith } from "../../src/app/create-app.js";
import { defineAgent, type LanguageModel } from "../../src/doors/tenon/index.js";
import { chunk } from "../replay/bodies.js";
import { replyWith, scriptedModel, testClock, type TestClock } from "../../src/doors/testing/index.js";

/** A server that gives each request to the next of these, then to the last. */
async function server(...answers: readonly ((response: ServerResponse) => void)[]) {
  const asked: string[] = [];
  const http = createServer((request, response) => {
    request.resume().on("end", () => {
      asked.push(request.url!);
      answers[Math.min(asked.length, answers.length) - 1]!(response);
    });
  });
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, asked };
}

const busy = (response: ServerResponse): void =>
  void response
    .writeHead(429, { "content-type": "application/json", "Retry-After": "7" })
    .end('{"error":{"message":"slow down","type":"rate_limit","code":429,"status":"X"}}');
const reset = (response: ServerResponse): void => void response.destroy();
const half = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"id":"r1",', () => response.destroy());
};

/** The requests take real time, the waiting does not. */
async function inRealTime<T>(clock: TestClock, running: Promise<T>): Promise<T> {
  const state = { ended: false };
  const done = running.finally(() => (state.ended = true));
  while (!state.ended) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(500);
  }
  return done;
}

const packages: readonly (readonly [string, (baseURL: string) => LanguageModel])[] = [
  ["openai-compatible", (baseURL) => createOpenAICompatible({ name: "local", baseURL })("m")],
  ["openai", (baseURL) => createOpenAI({ baseURL, apiKey: "k" })("m")],
  ["anthropic", (baseURL) => createAnthropic({ baseURL, apiKey: "k" })("m")],
  ["google", (baseURL) => createGoogle({ baseURL, apiKey: "k" })("m")],
  ["openrouter", (baseURL) => createOpenRouter({ baseURL, apiKey: "k" })("m")],
];
const failures = [
  ["429 with retry-after", busy, { status: 429, retryAfterMs: 7_000 }],
  ["a reset connection", reset, { network: true }],
  ["half an answer", half, { network: true }],
] as const;

test.each(
  packages.flatMap(([name, model]) => failures.map(([what, answer, data]) => ({ name, what, model, answer, data }))),
)("$name: $what is tried again, then a fallback is asked", async ({ model, answer, data }) => {
  for (const onEvent of [undefined, () => {}]) {
    const { url, asked } = await server(answer);
    const clock = testClock();
    const agent = defineAgent({
      name: "clerk",
      description: "d",
      model: [model(url), scriptedModel(replyWith("from the fallback"))],
      modelCall: { retries: 1 },
    });
    const app = await createAppWith(agent, { env: {} }, { clock });
    const { text, runId } = await inRealTime(clock, app.run({ prompt: "hi" }, { onEvent }));
    expect(text).toBe("from the fallback");
    expect(asked).toHaveLength(2);
    const [turn] = (await app.inspect(runId)).turns;
    expect(turn!.failedAttempts).toMatchObject([{ error: { data } }, { error: { data } }]);
  }
});

const chatChunk = (delta: object): string => `data: ${JSON.stringify(chunk({ role: "assistant", ...delta }))}\n\n`;
const created = {
  type: "response.created",
  response: { id: "r", created_at: 1, model: "m", object: "response", output: [], status: "in_progress" },
};
const started = {
  type: "message_start",
  message: {
    ...{ id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null },
    ...{ stop_sequence: null, usage: { input_tokens: 3, output_tokens: 1 } },
  },
};
const asEvent = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const chatBegun = chatChunk({ content: "" });

/** A model of each package, and what its provider begins a stream with. */
const streams: readonly (readonly [name: string, make: (baseURL: string) => LanguageModel | string, begun: string])[] =
  [
    ["TENON_BASE_URL", () => "m", chatBegun],
    ...packages.map(([name, make]) => {
      const begins: Record<string, string> = {
        openai: asEvent(created),
        anthropic: `event: message_start\n${asEvent(started)}`,
        google: asEvent({ candidates: [{ content: { role: "model", parts: [] }, index: 0 }] }),
      };
      return [name, make, begins[name] ?? chatBegun] as const;
    }),
    ["openai chat", (baseURL) => createOpenAI({ baseURL, apiKey: "k" }).chat("m"), chatBegun],
    ["xai", (baseURL) => createXai({ baseURL, apiKey: "k" })("m"), asEvent(created)],
    ["cohere", (baseURL) => createCohere({ baseURL, apiKey: "k" })("m"), asEvent({ type: "message-start", id: "r" })],
    ["bedrock", (baseURL) => createAmazonBedrock({ baseURL, apiKey: "k", region: "x" })("m"), ""],
  ];

test.each(
  streams.flatMap(([name, make, begun]) => [
    { name, make, what: "a stream without an event", body: "" },
    { name, make, what: "a stream that ends after its first event", body: begun },
    { name, make, what: "a stream with an event that cannot be read", body: 'data: {"id":\n\n' },
  ]),
)("$name: $what is an answer that broke off, and is tried again", async ({ name, make, body }) => {
  const type = name === "bedrock" ? "application/vnd.amazon.eventstream" : "text/event-stream";
  const { url, asked } = await server(
    (response) => void response.writeHead(200, { "content-type": type }).end(body),
    busy,
  );
  const clock = testClock();
  const model = [make(url), scriptedModel(replyWith("from the fallback"))];
  const agent = defineAgent({ name: "clerk", description: "d", model, modelCall: { retries: 1 } });
  const app = await createAppWith(agent, { env: { TENON_BASE_URL: url } }, { clock });
  const { text, runId } = await inRealTime(clock, app.run({ prompt: "hi" }, { onEvent() {} }));
  expect(text).toBe("from the fallback");
  expect(asked).toHaveLength(2);
  const [turn] = (await app.inspect(runId)).turns;
  expect(turn!.failedAttempts).toMatchObject([
    { error: { data: { network: true } } },
    { error: { data: { status: 429 } } },
  ]);
});

test("a stream that ends without a finish reason, with something told of it, is kept as an answer that broke off", async () => {
  const { url, asked } = await server(
    (response) =>
      void response.writeHead(200, { "content-type": "text/event-stream" }).end(chatChunk({ content: "I will" })),
  );
  const app = await createAppWith(
    defineAgent({ name: "clerk", description: "d" }),
    { env: { TENON_MODEL: "m", TENON_BASE_URL: url } },
    {},
  );
  const { status, error, runId } = await app.run({ prompt: "hi" }, { onEvent() {} });
  expect(status).toBe("failed");
  expect(error!.message).toContain('the answer ended with "interrupted"');
  expect(asked).toHaveLength(1);
  expect((await app.inspect(runId)).turns).toMatchObject([{ text: "I will", finish: "interrupted" }]);
  await app.close();
});
