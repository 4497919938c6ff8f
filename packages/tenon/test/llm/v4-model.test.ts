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

test("the same object gives the same port; what is no model object is refused with what it is", () => {
  const model = fakeModel();
  expect(toModel(model)).toBe(toModel(model));
  expect(toModel(model)).toMatchObject({ id: "fake-1", free: false, reportsCost: false });
  const bad: [unknown, RegExp][] = [
    [{ ...model, specificationVersion: "v1" }, /V2, V3 or V4 is needed.*"v1"/],
    [{ ...model, specificationVersion: "v5" }, /"v5"/],
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

  test("half a character becomes U+FFFD, in text, reasoning, arguments, names and ids", async () => {
    const { parts } = await generated({
      content: [
        { type: "reasoning", text: "a\ud800" },
        { type: "text", text: "\udc00b" },
        { type: "tool-call", toolCallId: "c\ud800", toolName: "t\ud800", input: '{"q":"\ud800"}' },
      ],
    });
    expect(parts).toStrictEqual([
      { type: "reasoning", text: "a\ufffd" },
      { type: "text", text: "\ufffdb" },
      { type: "tool-call", wireId: "c\ufffd", name: "t\ufffd", arguments: '{"q":"\ufffd"}' },
    ]);
  });

  test("half a character that is escaped in arguments becomes U+FFFD; whole ones and other escapes stay", async () => {
    const texts: [string, string][] = [
      ['{"q":"\\ud800"}', "\ufffd"],
      ['{"q":"\\uDC00x"}', "\ufffdx"],
      ['{"q":"\\ud83d\\ude00"}', "\u{1f600}"],
      ['{"q":"\\ud83d\\ud83d\\ude00"}', "\ufffd\u{1f600}"],
      ['{"q":"\\\\ud800"}', "\\ud800"],
      ['{"q":"\\\\\\ud800"}', "\\\ufffd"],
      ['{"q":"\\n\\u0041\\ud7ff"}', "\nA\ud7ff"],
    ];
    for (const [input, q] of texts) {
      const { parts } = await generated({ content: [{ type: "tool-call", toolCallId: "a", toolName: "t", input }] });
      expect(JSON.parse((parts[0] as { arguments: string }).arguments)).toStrictEqual({ q });
    }
    const { parts } = await generated({
      content: [{ type: "tool-call", toolCallId: "a", toolName: "t", input: { q: "\ud800" } }],
    });
    expect(JSON.parse((parts[0] as { arguments: string }).arguments)).toStrictEqual({ q: "\ufffd" });
    const sound = '{"q":"\\ud83d\\ude00 \\u00e9"}';
    const whole = await generated({ content: [{ type: "tool-call", toolCallId: "a", toolName: "t", input: sound }] });
    expect(whole.parts[0]).toMatchObject({ arguments: sound });
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
      [{ usage: { ...usage, raw: { cost_in_usd_ticks: 37_756_000 } } }, 3_775_600],
      [{ usage: { ...usage, raw: { cost_in_usd_ticks: "1" } } }, undefined],
      [{ usage: { ...usage, raw: { cost: { input_tokens_cost: 0.000001, total_cost: 0.006 } } } }, 6_000_000],
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

  test("the answer is there at `finish`: a stream that stays open after it is canceled", async () => {
    let canceled = 0;
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: "text-delta", id: "1", delta: "hi" });
        controller.enqueue({ type: "finish", ...ending() });
      },
      cancel: () => void canceled++,
    });
    const model = toModel(fakeModel({ stream: () => Promise.resolve({ stream }) }));
    expect(await model.stream(request, () => {})).toMatchObject({
      finish: "stop",
      parts: [{ type: "text", text: "hi" }],
      usage: { outputTokens: 5 },
    });
    expect(canceled).toBe(1);
    const deaf = {
      getReader: () => ({
        read: () => Promise.resolve({ done: false, value: { type: "finish", ...ending() } }),
        cancel: () => {
          throw new Error("no");
        },
      }),
    };
    const odd = toModel(fakeModel({ stream: () => Promise.resolve({ stream: deaf }) }));
    expect((await odd.stream(request, () => {})).finish).toBe("stop");
  });

  test("a character that two deltas share is told whole; half a one becomes U+FFFD, in the deltas and in the text", async () => {
    const [high, low] = ["\ud83d", "\ude00"];
    const deltas: string[] = [];
    const { parts } = await streamed(
      [
        { type: "text-delta", id: "1", delta: `a${high}` },
        { type: "text-delta", id: "2", delta: high },
        { type: "text-delta", id: "1", delta: `${low}b` },
        { type: "text-delta", id: "1", delta: `${low}c` },
        { type: "text-delta", id: "1", delta: high },
        { type: "text-end", id: "1" },
        { type: "reasoning-delta", id: "3", delta: high },
        { type: "reasoning-delta", id: "3", delta: high },
        { type: "finish", ...ending() },
      ],
      deltas,
    );
    expect(parts).toStrictEqual([
      { type: "text", text: "a\u{1f600}b\ufffdc\ufffd" },
      { type: "text", text: "\ufffd" },
      { type: "reasoning", text: "\ufffd\ufffd" },
    ]);
    const joined = (type: string) =>
      deltas.map((delta) => (delta.startsWith(`${type}-delta:`) ? delta.slice(`${type}-delta:`.length) : "")).join("");
    expect(joined("reasoning")).toBe("\ufffd\ufffd");
    expect(joined("text")).toBe("a\u{1f600}b\ufffdc\ufffd\ufffd");
    expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
    expect(deltas.slice(0, 2)).toStrictEqual(["text-delta:a", "text-delta:\u{1f600}b"]);
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
    const no = (): never => {
      throw new Error("no");
    };
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = [
      new Proxy({}, { get: no, has: no }),
      new Proxy(new Error("x"), { getPrototypeOf: no }),
      Object.defineProperty(new Error("x"), "message", { get: no }),
      Object.defineProperty({}, "statusCode", { get: no }),
      revoked,
    ];
    for (const thrown of hostile) {
      const rejecting = toModel(fakeModel({ generate: () => Promise.reject(thrown) }));
      await failure(rejecting.generate(request));
      const throwing = toModel(fakeModel({ generate: () => Object.defineProperty({}, "then", { get: no }) }));
      await failure(throwing.generate(request));
      const answering = toModel(fakeModel({ generate: () => Promise.resolve({ content: [], usage: thrown }) }));
      await answering.generate(request).then(undefined, (reason: unknown) => expect(reason).toBeInstanceOf(ModelError));
      const streaming = toModel(fakeModel({ stream: () => Promise.reject(thrown) }));
      await failure(streaming.stream(request, () => {}));
      const part = { type: "error", error: thrown };
      const sending = toModel(fakeModel({ stream: () => Promise.resolve({ stream: streamOf([part]) }) }));
      await failure(sending.stream(request, () => {}));
    }
    const broken = { then: no };
    await failure(toModel(fakeModel({ generate: () => broken })).generate(request));
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
