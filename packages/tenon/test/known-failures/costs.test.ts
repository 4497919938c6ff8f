import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, test } from "vitest";
import { priced } from "../../src/doors/models/index.js";
import { createApp, defineAgent, defineWorkflow, memoryStore, usd, type Limits } from "../../src/doors/tenon/index.js";
import { chatServer } from "../llm/loopback.js";
import { start, ways } from "./wire.js";

const base = { id: "r1", created: 1, model: "m1", object: "chat.completion" };
const choice = { index: 0, finish_reason: "stop" };

/** A server that answers with a text, and with this usage: in the answer, or in a last chunk without choices. */
async function server(usage: object | undefined) {
  const { url, asked } = await chatServer({
    whole: { ...base, choices: [{ ...choice, message: { role: "assistant", content: "done" } }], usage },
    pieces: [
      { ...base, choices: [{ index: 0, delta: { role: "assistant", content: "done" } }] },
      { ...base, choices: [{ ...choice, delta: {} }] },
      ...(usage === undefined ? [] : [{ ...base, choices: [], usage }]),
    ],
  });
  const model = createOpenAICompatible({ name: "shop", baseURL: url, includeUsage: true })("m1");
  return { asked, model: priced(model, { input: usd(3), output: usd(15), cachedInput: usd(0.3) }) };
}

async function appOf(model: Awaited<ReturnType<typeof server>>["model"], limits?: Limits) {
  const store = memoryStore();
  const clerk = defineAgent({ name: "clerk", description: "Works.", model, maxOutputTokens: 100 });
  const desk = defineWorkflow({ name: "desk", agents: [clerk], ...(limits === undefined ? {} : { limits }) });
  return { store, app: await createApp(desk, { store, env: {}, ledger: true }) };
}

const detailed = {
  prompt_tokens: 1000,
  completion_tokens: 100,
  total_tokens: 1100,
  prompt_tokens_details: { cached_tokens: 400 },
};

describe.each(ways)("%s", (way) => {
  test("[B103] cached tokens are billed as such, also where usage comes in a last chunk without choices", async () => {
    const { model } = await server(detailed);
    const { app, store } = await appOf(model);
    await using _ = app;
    const { usage } = await start(app, way, "go");
    expect(usage).toMatchObject({
      cachedInputTokens: 400,
      costUsd: (600 * 3 + 400 * 0.3 + 100 * 15) / 1e6,
      calls: [{ costSource: "price-table", estimated: false }],
    });
    expect(store.ledger.entries({})).toMatchObject([{ costNanoUsd: usage.costUsd! * 1e9, cachedInputTokens: 400 }]);
  });

  test("[B105] usage that never comes is estimated and flagged, and counts under a budget", async () => {
    const { model, asked } = await server(undefined);
    const { app, store } = await appOf(model, { perDay: { workflow: { cost: usd(0.0018) } } });
    await using _ = app;
    const first = await start(app, way, "go");
    expect(first.usage.calls).toMatchObject([{ costSource: "estimate", estimated: true }]);
    for (const [name, value] of Object.entries(first.usage))
      if (typeof value === "number") expect(Number.isFinite(value), name).toBe(true);
    expect(first.usage.inputTokens).toBeGreaterThan(0);
    expect(first.usage.costUsd).toBeGreaterThan(0);
    if (way === "stream") expect(asked[0]!.body.stream_options).toEqual({ include_usage: true });
    // The estimates add up until nothing fits any more.
    let calls = 1;
    for (let last = first; last.status === "completed"; calls++) last = await start(app, way, "a ".repeat(200));
    expect(calls).toBeLessThan(50);
    expect(store.ledger.entries({}).every(({ estimated }) => estimated)).toBe(true);
    expect(asked).toHaveLength(calls - 1);
  });
});
