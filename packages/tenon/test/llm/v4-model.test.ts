import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ModelError } from "../../src/errors/environment-errors.js";
import { BadInputError } from "../../src/errors/run-errors.js";
import type { ModelAnswer } from "../../src/llm/model.js";
import { toModel } from "../../src/llm/v4-model.js";
import { ending, fakeModel, requestOf, streamOf, textAnswer, user } from "./request.js";

const request = requestOf([user("how are you today")]);

function generated(result: unknown, provider?: string): PromiseLike<ModelAnswer> {
  const behavior = { generate: () => Promise.resolve(result) };
  return toModel(fakeModel(provider === undefined ? behavior : { ...behavior, provider })).generate(request);
}

function streamed(parts: readonly unknown[], deltas: string[] = []): PromiseLike<ModelAnswer> {
  const model = fakeModel({ stream: () => Promise.resolve({ stream: streamOf(parts) }) });
  return toModel(model).stream(request, (type, text) => deltas.push(`${type}:${text}`));
}

async function failure(promise: PromiseLike<unknown>): Promise<ModelError> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(ModelError);
  return thrown as ModelError;
}

test("the same object gives the same port; anything but V4 is refused with what it is", () => {
  const model = fakeModel();
  expect(toModel(model)).toBe(toModel(model));
  expect(toModel(model)).toMatchObject({ id: "fake-1", free: false, reportsCost: false });
  const bad: [unknown, RegExp][] = [
    [{ ...model, specificationVersion: "v2" }, /V4 is needed.*"v2"/],
    [{ ...model, specificationVersion: "v3" }, /"v3"/],
    [{ ...model, doStream: undefined }, /doStream/],
    [{ ...model, modelId: "" }, /modelId/],
    [{}, /none at all/],
    [null, /no model/],
    [undefined, /no model/],
    [5, /no model/],
    [() => model, /no model/],
    [[], /none at all/],
  ];
  for (const [value, message] of bad) {
    expect(() => toModel(value as never)).toThrow(BadInputError);
    expect(() => toModel(value as never)).toThrow(message);
  }
});

test("providers that report costs are known by name", () => {
  for (const provider of ["openrouter", "openrouter.chat", "gateway"]) {
    expect(toModel(fakeModel({ provider })).reportsCost).toBe(true);
  }
});

describe("answers", () => {
  test("content becomes parts, in order; what only the provider knows is opaque", async () => {
    const { parts, finish } = await generated({
      content: [
        { type: "reasoning", text: "hm", providerMetadata: { p: { s: "+/=" } } },
        { type: "text", text: "" },
        { type: "text", text: "hi", providerMetadata: {} },
        { type: "tool-call", toolCallId: "c", toolName: "t", input: '{"a":1}', providerMetadata: { p: { t: 1 } } },
        { type: "tool-call", toolCallId: "x", toolName: "web", input: "{}", providerExecuted: true },
        { type: "tool-result", toolCallId: "x", toolName: "web", result: 1, preliminary: true },
        { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([0, 1, 2]) } },
        { type: "file", mediaType: "image/png", data: { type: "url", url: new URL("https://e.org/a") } },
        { type: "later-kind", value: 1n },
        { type: "later-kind", value: 1, gone: undefined },
      ],
      finishReason: { unified: "tool-calls", raw: "tool_calls" },
    });
    expect(finish).toBe("tool-calls");
    expect(parts).toStrictEqual([
      { type: "reasoning", text: "hm", metadata: { p: { s: "+/=" } } },
      { type: "text", text: "hi" },
      { type: "tool-call", wireId: "c", name: "t", arguments: '{"a":1}', metadata: { p: { t: 1 } } },
      {
        type: "opaque",
        provider: "fake",
        value: { type: "tool-call", toolCallId: "x", toolName: "web", input: "{}", providerExecuted: true },
      },
      { type: "file", mediaType: "image/png", data: "AAEC" },
      {
        type: "opaque",
        provider: "fake",
        value: { type: "file", mediaType: "image/png", data: { type: "url", url: "https://e.org/a" } },
      },
      { type: "opaque", provider: "fake", value: { type: "later-kind", value: 1 } },
    ]);
  });

  test("calls with ids, names and arguments of any kind", async () => {
    const { parts } = await generated({
      content: [
        { type: "tool-call" },
        { type: "tool-call", toolCallId: null, toolName: 5, input: null },
        { type: "tool-call", toolCallId: 7, toolName: "t", input: { q: 1 } },
      ],
    });
    expect(parts).toStrictEqual([
      { type: "tool-call", wireId: "", name: "", arguments: "" },
      { type: "tool-call", wireId: "", name: "5", arguments: "" },
      { type: "tool-call", wireId: "7", name: "t", arguments: '{"q":1}' },
    ]);
  });

  test("[B36] calls are kept whatever the finish label says", async () => {
    const labels = [
      { unified: "stop" },
      { unified: "other" },
      "unknown",
      null,
      undefined,
      5,
      "tool_calls",
      "content_filter",
    ];
    const finishes: string[] = [];
    for (const finishReason of labels) {
      const content = [{ type: "tool-call", toolCallId: "a", toolName: "t", input: "{}" }];
      const answer = await generated({ content, finishReason });
      expect(answer.parts).toHaveLength(1);
      finishes.push(answer.finish);
    }
    expect(finishes).toStrictEqual([
      "stop",
      "other",
      "other",
      "other",
      "other",
      "other",
      "tool-calls",
      "content-filter",
    ]);
  });

  test("rubbish is a ModelError or an empty answer, never another error", async () => {
    for (const result of [undefined, null, 5, "x", {}, { content: null }, { content: {} }])
      await failure(generated(result));
    expect(
      (await generated({ content: [null, undefined, 5, "x", [], {}] })).parts.every(({ type }) => type === "opaque"),
    ).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.array(fc.anything()), async (any, list) => {
        for (const result of [any, { content: list, usage: any, finishReason: any, providerMetadata: any }]) {
          const outcome = await generated(result).then(
            (answer) => [answer.usage.inputTokens, answer.usage.outputTokens].every(Number.isSafeInteger),
            (thrown: unknown) => thrown instanceof ModelError,
          );
          expect(outcome).toBe(true);
        }
        const outcome = await streamed(list).then(
          () => true,
          (thrown: unknown) => thrown instanceof ModelError,
        );
        expect(outcome).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("usage", () => {
  test("nested counts; cached ones are part of the input", async () => {
    expect((await generated(textAnswer("ok"))).usage).toStrictEqual({
      inputTokens: 10,
      outputTokens: 5,
      cachedInputTokens: 3,
      cacheWriteTokens: 1,
      reasoningTokens: 2,
      costNanoUsd: undefined,
      costSource: "unknown",
      estimated: false,
    });
  });

  test("missing counts are estimated and flagged, never NaN", async () => {
    const usages = [
      undefined,
      null,
      {},
      { inputTokens: undefined },
      { inputTokens: { total: Number.NaN }, outputTokens: { total: -1 } },
    ];
    for (const usage of usages) {
      const answer = await generated({ content: [{ type: "text", text: "12345" }], usage });
      expect(answer.usage).toMatchObject({ inputTokens: 5, outputTokens: 2, cachedInputTokens: 0, estimated: true });
    }
    const half = await generated({ content: [], usage: { inputTokens: { total: 3 }, outputTokens: {} } });
    expect(half.usage).toMatchObject({ inputTokens: 3, outputTokens: 0, estimated: true });
    const parts = await generated({
      content: [],
      usage: { inputTokens: { noCache: 3, cacheRead: 2 }, outputTokens: { text: 1 } },
    });
    expect(parts.usage).toMatchObject({ inputTokens: 5, cachedInputTokens: 2, outputTokens: 1, estimated: false });
  });

  test("the cost is what the provider reports", async () => {
    const { usage } = ending();
    const costs: [object, number | undefined][] = [
      [{ providerMetadata: { openrouter: { usage: { cost: 0.0000125 } } } }, 12_500],
      [{ providerMetadata: { gateway: { cost: "0.5" } } }, 500_000_000],
      [{ usage: { ...usage, raw: { cost: 0.000002 } } }, 2000],
      [{ usage: { ...usage, raw: { cost: 0 } } }, 0],
      [{ usage: { ...usage, raw: { cost: -1 } } }, undefined],
      [{ usage: { ...usage, raw: { cost: "much" } } }, undefined],
      [{ providerMetadata: { gateway: { cost: 1e300 } } }, undefined],
    ];
    for (const [more, nano] of costs) {
      const answer = await generated({ content: [], usage, ...more });
      expect(answer.usage).toMatchObject({ costNanoUsd: nano, costSource: nano === undefined ? "unknown" : "api" });
    }
  });
});

describe("streams", () => {
  test("a streamed answer equals the generated one", async () => {
    const metadata = { p: { signature: "s+/=" } };
    const deltas: string[] = [];
    const fromStream = await streamed(
      [
        { type: "stream-start", warnings: [] },
        { type: "response-metadata", id: "r" },
        { type: "reasoning-start", id: "0" },
        { type: "reasoning-delta", id: "0", delta: "hm" },
        { type: "reasoning-delta", id: "0", delta: "", providerMetadata: metadata },
        { type: "reasoning-end", id: "0" },
        { type: "text-start", id: "0" },
        { type: "text-delta", id: "0", delta: "he" },
        { type: "text-delta", id: "0", delta: "llo" },
        { type: "text-end", id: "0" },
        { type: "text-start", id: "0" },
        { type: "text-end", id: "0" },
        { type: "tool-input-start", id: "a", toolName: "t" },
        { type: "tool-input-delta", id: "a", delta: '{"q":' },
        { type: "tool-input-start", id: "b", toolName: "t" },
        { type: "tool-input-delta", id: "a", delta: "1}" },
        { type: "tool-input-end", id: "a" },
        { type: "tool-call", toolCallId: "a", toolName: "t", input: '{"q":1}' },
        { type: "tool-call", toolCallId: "b", toolName: "t", input: "{}", providerMetadata: metadata },
        { type: "source", sourceType: "url", id: "1", url: "https://e.org" },
        { type: "ping" },
        { type: "finish", ...ending(), providerMetadata: { gateway: { cost: 1 } } },
        { type: "text-delta", id: "0", delta: "late" },
      ],
      deltas,
    );
    const whole = await generated({
      content: [
        { type: "reasoning", text: "hm", providerMetadata: metadata },
        { type: "text", text: "hello" },
        { type: "tool-call", toolCallId: "a", toolName: "t", input: '{"q":1}' },
        { type: "tool-call", toolCallId: "b", toolName: "t", input: "{}", providerMetadata: metadata },
        { type: "source", sourceType: "url", id: "1", url: "https://e.org" },
      ],
      ...ending(),
      providerMetadata: { gateway: { cost: 1 } },
    });
    expect(fromStream).toStrictEqual(whole);
    expect(deltas).toStrictEqual(["reasoning-delta:hm", "text-delta:he", "text-delta:llo"]);
  });

  test("blocks that run side by side, and deltas without a start, stay apart", async () => {
    const { parts } = await streamed([
      { type: "text-start", id: "1" },
      { type: "text-start", id: "2" },
      { type: "text-delta", id: "1", delta: "a" },
      { type: "text-delta", id: "2", delta: "b" },
      { type: "text-delta", id: "1", delta: "c" },
      { type: "text-delta", id: "3", delta: "d" },
      { type: "finish", ...ending() },
    ]);
    expect(parts.map((part) => part.type === "text" && part.text)).toStrictEqual(["ac", "b", "d"]);
  });

  test("a stream that ends without finish is interrupted, and half a call is none", async () => {
    const pieces = [
      { type: "text-delta", id: "1", delta: "half" },
      { type: "tool-input-start", id: "a", toolName: "t" },
      { type: "tool-input-delta", id: "a", delta: '{"q"' },
    ];
    const broken = await streamed(pieces);
    expect(broken).toMatchObject({
      finish: "interrupted",
      parts: [{ type: "text", text: "half" }],
      usage: { estimated: true },
    });
    const ended = await streamed([...pieces, { type: "tool-input-end", id: "a" }, { type: "finish", ...ending() }]);
    expect(ended.parts[1]).toStrictEqual({ type: "tool-call", wireId: "a", name: "t", arguments: '{"q"' });
  });

  test("an error part, a broken stream and no stream are ModelErrors", async () => {
    let canceled = false;
    const open = new ReadableStream({
      start: (controller) => controller.enqueue({ type: "error", error: { message: "overloaded", code: 529 } }),
      cancel: () => void (canceled = true),
    });
    const sent = await failure(
      toModel(fakeModel({ stream: () => Promise.resolve({ stream: open }) })).stream(request, () => {}),
    );
    expect(sent.message).toContain("overloaded");
    expect(sent.data["status"]).toBe(529);
    expect(canceled).toBe(true);
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
    expect(
      (
        await failure(
          toModel(fakeModel({ stream: () => Promise.resolve({ stream: broken }) })).stream(request, () => {}),
        )
      ).message,
    ).toContain("reset");
    for (const result of [undefined, {}, { stream: null }, { stream: [] }]) {
      await failure(toModel(fakeModel({ stream: () => Promise.resolve(result) })).stream(request, () => {}));
    }
    await failure(
      toModel(
        fakeModel({
          stream: () => {
            throw new TypeError("sync");
          },
        }),
      ).stream(request, () => {}),
    );
  });
});

describe("failures and stops", () => {
  test("whatever is thrown becomes a bounded ModelError with its status, and shows no key, header or body", async () => {
    const api = Object.assign(new Error(`Incorrect key sk-abcdefghijklmnop, Bearer topsecret ${"x".repeat(2000)}`), {
      statusCode: 401,
      requestBodyValues: { prompt: "PRIVATE" },
      responseHeaders: { "x-secret": "HEADER" },
    });
    const error = await failure(toModel(fakeModel({ generate: () => Promise.reject(api) })).generate(request));
    expect(error.data).toStrictEqual({ model: "fake-1", status: 401 });
    expect(error.message.length).toBeLessThan(750);
    const shown = JSON.stringify(error) + String(error.stack) + String(error.cause);
    for (const secret of ["sk-abc", "topsecret", "PRIVATE", "HEADER"]) expect(shown).not.toContain(secret);
    for (const thrown of ["text", undefined, null, 5, {}, { message: "m" }, Object.create(null)]) {
      const thrower = fakeModel({
        generate: () => {
          throw thrown;
        },
      });
      await failure(toModel(thrower).generate(request));
    }
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
        has() {
          throw new Error("no");
        },
      },
    );
    await failure(toModel(fakeModel({ generate: () => Promise.reject(hostile) })).generate(request));
  });

  test("a stop rejects with the signal's own reason, before, during, and where the provider ignores it", async () => {
    const reason = { why: "enough" };
    const stopped = AbortSignal.abort(reason);
    const model = fakeModel();
    await expect(toModel(model).generate({ ...request, signal: stopped })).rejects.toBe(reason);
    await expect(toModel(model).stream({ ...request, signal: stopped }, () => {})).rejects.toBe(reason);
    expect(model.asked).toHaveLength(0);

    const never = new Promise(() => {});
    const deaf = toModel(fakeModel({ generate: () => never, stream: () => never }));
    for (const call of ["generate", "stream"] as const) {
      const controller = new AbortController();
      const pending = deaf[call]({ ...request, signal: controller.signal }, () => {});
      setTimeout(() => controller.abort(reason), 5);
      await expect(pending).rejects.toBe(reason);
    }
    const controller = new AbortController();
    const throwing = toModel(
      fakeModel({
        generate: ({ abortSignal }) =>
          new Promise((_, reject) => {
            abortSignal.addEventListener("abort", () => reject(new Error("wrapped")));
          }),
      }),
    );
    const pending = throwing.generate({ ...request, signal: controller.signal });
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
  });

  test("[B42] a stop in the middle of a stream cancels it, and no delta comes after", async () => {
    let canceled: unknown;
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue({ type: "text-delta", id: "1", delta: "a" }),
      cancel: (why) => void (canceled = why),
    });
    const controller = new AbortController();
    const deltas: string[] = [];
    const pending = toModel(fakeModel({ stream: () => Promise.resolve({ stream }) })).stream(
      { ...request, signal: controller.signal },
      (_, text) => {
        deltas.push(text);
        setTimeout(() => controller.abort("stop"), 5);
      },
    );
    await expect(pending).rejects.toBe("stop");
    expect(canceled).toBe("stop");
    expect(deltas).toStrictEqual(["a"]);
  });

  test("a stream that comes after the stop is canceled too", async () => {
    let canceled = false;
    const controller = new AbortController();
    const late = Promise.withResolvers<unknown>();
    const pending = toModel(fakeModel({ stream: () => late.promise })).stream(
      { ...request, signal: controller.signal },
      () => {},
    );
    setTimeout(() => controller.abort("stop"), 5);
    await expect(pending).rejects.toBe("stop");
    late.resolve({ stream: new ReadableStream({ cancel: () => void (canceled = true) }) });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(canceled).toBe(true);
  });

  test("an answer that is complete when the stop comes still counts, and no listener stays", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...given: Parameters<typeof add>) => (listeners++, add(...given));
    signal.removeEventListener = (...given: Parameters<typeof remove>) => (listeners--, remove(...given));
    const instant = toModel(fakeModel()).generate({ ...request, signal });
    expect((await instant).finish).toBe("stop");
    expect(listeners).toBe(0);
    const slow = fakeModel({
      generate: () => new Promise((resolve) => setTimeout(() => resolve(textAnswer("ok")), 2)),
    });
    expect((await toModel(slow).generate({ ...request, signal })).finish).toBe("stop");
    expect(listeners).toBe(0);
  });
});
