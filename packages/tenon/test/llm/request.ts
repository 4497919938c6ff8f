import { createPromptMemo, type LanguageModel, type ModelRequest } from "../../src/llm/model.js";
import type { Message } from "../../src/protocol/message.js";

/** A request with what a test does not care about filled in. */
export function requestOf(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: undefined,
    messages,
    tools: [],
    signal: new AbortController().signal,
    memo: createPromptMemo(),
    ...more,
  };
}

export function user(text: string): Message {
  return { role: "user", parts: [{ type: "text", text }] };
}

/** A V4 model with hand-written answers that keeps what it was asked. */
export function fakeModel(
  behavior: { generate?: (options: any) => any; stream?: (options: any) => any; provider?: string } = {},
): LanguageModel & { readonly asked: any[] } {
  const asked: any[] = [];
  return {
    asked,
    specificationVersion: "v4",
    provider: behavior.provider ?? "fake",
    modelId: "fake-1",
    doGenerate(options) {
      asked.push(options);
      return behavior.generate === undefined ? Promise.resolve(textAnswer("ok")) : behavior.generate(options);
    },
    doStream(options) {
      asked.push(options);
      return behavior.stream === undefined ? Promise.resolve({ stream: streamOf([]) }) : behavior.stream(options);
    },
  };
}

export function textAnswer(text: string): object {
  return { content: [{ type: "text", text }], ...ending() };
}

export function ending(): { finishReason: object; usage: object } {
  return {
    finishReason: { unified: "stop", raw: "stop" },
    usage: {
      inputTokens: { total: 10, noCache: 6, cacheRead: 3, cacheWrite: 1 },
      outputTokens: { total: 5, text: 3, reasoning: 2 },
    },
  };
}

export function streamOf(parts: readonly unknown[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
