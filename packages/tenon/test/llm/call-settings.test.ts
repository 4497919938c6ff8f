import { describe, expect, test } from "vitest";
import { ModelError } from "../../src/errors/environment-errors.js";
import { isProviderOptions, settingsOf } from "../../src/llm/call-settings.js";
import type { LanguageModel } from "../../src/llm/model.js";
import { toModel } from "../../src/llm/v4-model.js";
import { fakeModel, requestOf, streamOf, user } from "./request.js";

function modelOf(version: LanguageModel["specificationVersion"], provider: string) {
  return Object.assign(fakeModel({ provider }), { specificationVersion: version });
}

/** The options that a model got, but for what every call has. */
async function sent(model: ReturnType<typeof modelOf>, options: Parameters<typeof settingsOf>[0]): Promise<object> {
  await toModel(model).generate(requestOf([user("hi")], { settings: settingsOf(options) }));
  const { prompt: _prompt, abortSignal: _signal, ...rest } = model.asked.at(-1);
  return rest;
}

describe("thinking", () => {
  test("V4 models have a setting for it", async () => {
    const model = modelOf("v4", "any.chat");
    expect(await sent(model, {})).toStrictEqual({});
    expect(await sent(model, { thinking: "off" })).toStrictEqual({ reasoning: "none" });
    for (const thinking of ["low", "medium", "high"] as const)
      expect(await sent(model, { thinking })).toStrictEqual({ reasoning: thinking });
  });

  test.each(["v2", "v3"] as const)("%s: known providers are told in their own options", async (version) => {
    const told = (provider: string, thinking: "off" | "medium") => sent(modelOf(version, provider), { thinking });
    for (const provider of ["openai.chat", "openai.responses", "azure-openai.chat", "azure.responses"]) {
      expect(await told(provider, "medium")).toStrictEqual({
        providerOptions: { openai: { reasoningEffort: "medium" } },
      });
      expect(await told(provider, "off")).toStrictEqual({ providerOptions: { openai: { reasoningEffort: "none" } } });
    }
    expect(await told("anthropic.messages", "medium")).toStrictEqual({
      providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 8192 } } },
    });
    expect(await told("anthropic.messages", "off")).toStrictEqual({
      providerOptions: { anthropic: { thinking: { type: "disabled" } } },
    });
    expect(await told("google.generative-ai", "off")).toStrictEqual({
      providerOptions: { google: { thinkingConfig: { thinkingBudget: 0 } } },
    });
    expect(await told("openrouter", "medium")).toStrictEqual({
      providerOptions: { openrouter: { reasoning: { effort: "medium" } } },
    });
  });

  test("a model that cannot be told fails the call, and nothing is sent", async () => {
    const model = modelOf("v3", "unheard.chat");
    const port = toModel(model);
    expect(port.noThinking).toMatch(/unheard\.chat.*v3.*providerOptions/);
    const request = requestOf([user("hi")], { settings: settingsOf({ thinking: "low" }) });
    await expect(port.generate(request)).rejects.toThrow(ModelError);
    await expect(port.stream(request, () => {})).rejects.toThrow(/providerOptions/);
    expect(model.asked).toHaveLength(0);
    expect(await sent(model, { maxOutputTokens: 5 })).toStrictEqual({ maxOutputTokens: 5 });
  });
});

test("own options are sent as they are, frozen, and win over what thinking becomes", async () => {
  const providerOptions = {
    anthropic: { thinking: { type: "enabled", budgetTokens: 99 }, effort: "low" },
    other: { a: [1, { b: null }] },
  };
  const model = modelOf("v2", "anthropic.messages");
  const options: any = await sent(model, { thinking: "high", maxOutputTokens: 100, providerOptions });
  expect(options).toStrictEqual({ maxOutputTokens: 100, providerOptions });
  expect(Object.isFrozen(options.providerOptions.other.a)).toBe(true);
  providerOptions.other.a.push(2);
  expect(options.providerOptions.other.a).toHaveLength(2);
  expect(await sent(modelOf("v4", "x"), { thinking: "low", providerOptions: { x: { y: 1 } } })).toStrictEqual({
    reasoning: "low",
    providerOptions: { x: { y: 1 } },
  });
});

test("two agents that share a model keep their own settings, streamed too", async () => {
  const end = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} };
  const model = fakeModel({ stream: () => Promise.resolve({ stream: streamOf([end]) }) });
  const port = toModel(model);
  const [one, two] = [settingsOf({ maxOutputTokens: 1 }), settingsOf({ maxOutputTokens: 2 })];
  for (const settings of [one, two, one, undefined]) await port.stream(requestOf([user("hi")], { settings }), () => {});
  expect(model.asked.map(({ maxOutputTokens }) => maxOutputTokens)).toStrictEqual([1, 2, 1, undefined]);
});

test("provider options are JSON objects by provider", () => {
  for (const good of [{}, { a: {} }, { a: { b: [1, null, { c: "d" }] } }]) expect(isProviderOptions(good)).toBe(true);
  const cycle: { [key: string]: unknown } = {};
  cycle["a"] = cycle;
  for (const bad of [
    null,
    [],
    "a",
    { a: 1 },
    { a: null },
    { a: [] },
    { a: { b: new Date() } },
    { a: { b: NaN } },
    { a: { b: 1n } },
    { a: { b: undefined } },
    cycle,
    new Map(),
  ])
    expect(isProviderOptions(bad)).toBe(false);
});
