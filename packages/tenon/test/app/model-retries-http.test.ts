import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createAppWith } from "../../src/app/create-app.js";
import { defineAgent, type LanguageModel } from "../../src/doors/tenon/index.js";
import { replyWith, scriptedModel, testClock } from "../../src/doors/testing/index.js";

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
    const running = app.run({ prompt: "hi" }, { onEvent });
    // The requests take real time, the waiting does not.
    const state = { ended: false };
    const done = running.finally(() => (state.ended = true));
    while (!state.ended) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await clock.advance(500);
    }
    const { text, runId } = await done;
    expect(text).toBe("from the fallback");
    expect(asked).toHaveLength(2);
    const [turn] = (await app.inspect(runId)).turns;
    expect(turn!.failedAttempts).toMatchObject([{ error: { data } }, { error: { data } }]);
  }
});
