import { expect, test } from "vitest";
import { free } from "../../src/doors/models/index.js";
import { memoryStore, usd, type Limits } from "../../src/doors/tenon/index.js";
import { testClock } from "../../src/doors/testing/index.js";
import { payingApp, refuse, sayingModel } from "./paying-app.js";

const perDay = { workflow: { cost: usd(0.01) } };
const network = (code: string, more: object = {}) => {
  throw Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error("x"), { code, ...more }) });
};

/** The entries of one attempt that goes on like that, and what was reserved for it. */
async function attempt(turn: () => never | Promise<any>, limits: Limits = { perDay }) {
  const store = memoryStore();
  let bound = 0;
  const model = sayingModel(async () => {
    [bound] = (await store.ledger.entries({})).map(({ costNanoUsd }) => costNanoUsd) as [number];
    return turn();
  });
  await using app = await payingApp(model, { store, limits, modelCall: { retries: 0 } });
  const result = await app.run({ prompt: "go" });
  const entries = await store.ledger.entries({});
  expect(entries).toHaveLength(1);
  return { entry: entries[0]!, bound, result };
}

const lost: readonly (readonly [what: string, turn: () => never])[] = [
  ["status 408", () => refuse(408)],
  ["status 504", () => refuse(504)],
  ["status 524", () => refuse(524)],
  ["a connection that broke after the request was sent", () => network("ECONNRESET")],
  ["an answer that cannot be read", () => refuse(200)],
];

test.each(lost)("%s: what was reserved is booked in full, flagged", async (_what, turn) => {
  const { entry, bound, result } = await attempt(turn);
  expect(bound).toBeGreaterThan(1_000_000);
  expect(entry).toMatchObject({ state: "settled", costNanoUsd: bound, estimated: true, overrun: false });
  expect(result.usage).toMatchObject({ outputTokens: 100, costUsd: bound / 1e9 });
});

const nothing: readonly (readonly [what: string, turn: () => never])[] = [
  ...[400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 529].map(
    (status) => [`status ${status}`, () => refuse(status)] as const,
  ),
  ["a connection that never was", () => network("ECONNREFUSED")],
  ["a name that nobody knows", () => network("ENOTFOUND", { syscall: "getaddrinfo" })],
  ["a time-out of the connecting", () => network("ETIMEDOUT", { syscall: "connect" })],
];

test.each(nothing)("%s: refused or never sent, it costs nothing", async (_what, turn) => {
  const { entry, result } = await attempt(turn);
  expect(entry).toMatchObject({ state: "settled", costNanoUsd: 0 });
  expect(result).toMatchObject({ status: "failed", usage: { costUsd: 0 } });
});

test.each(["error", "interrupted"])("an answer cut off (%s) without usage is booked in full", async (how) => {
  const finish = how === "interrupted" ? "other" : how;
  const store = memoryStore();
  const hearing = {
    ...sayingModel({}),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "text-start", id: "1" });
          controller.enqueue({ type: "text-delta", id: "1", delta: "half" });
          if (how === "error") controller.enqueue({ type: "finish", finishReason: { unified: finish } });
          controller.close();
        },
      }),
    }),
  };
  await using app = await payingApp(hearing, { store, limits: { perDay }, modelCall: { retries: 0 } });
  await app.run({ prompt: "go" }, { onEvent() {} });
  const [entry] = await store.ledger.entries({});
  expect(entry).toMatchObject({ outputTokens: 100, estimated: true });
  expect(entry!.costNanoUsd).toBeGreaterThan(1_000_000);
});

test("an attempt that took too long is booked in full, so that time-outs cannot pass a limit", async () => {
  const store = memoryStore();
  const clock = testClock();
  const model = sayingModel(() => new Promise(() => {}));
  const limits: Limits = { reserve: "strict", perDay: { workflow: { cost: usd(0.005) } } };
  await using app = await payingApp(model, { store, limits, clock, modelCall: { timeoutMs: 100, retries: 5 } });
  const result = await clock.runUntil(app.run({ prompt: "go" }));
  const entries = await store.ledger.entries({});
  const spent = entries.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0);
  expect(result).toMatchObject({ status: "failed", error: { data: { timeoutMs: 100 } } });
  expect(entries.length).toBeGreaterThan(1);
  expect(model.made).toBe(entries.length);
  expect(entries.every(({ estimated, outputTokens }) => estimated && outputTokens === 100)).toBe(true);
  // Every one of them may have cost as much as was reserved.
  expect(spent).toBeLessThanOrEqual(5_000_000);
  expect(result.usage.costUsd).toBeCloseTo(spent / 1e9, 9);
});

test("a call that its caller aborts is booked in full", async () => {
  const store = memoryStore();
  const model = sayingModel(() => new Promise(() => {}));
  await using app = await payingApp(model, { store, limits: { perDay } });
  const stop = new AbortController();
  const run = app.run({ prompt: "go" }, { signal: stop.signal });
  await expect.poll(() => model.made).toBe(1);
  const [before] = await store.ledger.entries({});
  stop.abort();
  expect(await run).toMatchObject({ status: "cancelled", usage: { outputTokens: 100 } });
  expect(await store.ledger.entries({})).toMatchObject([
    { state: "settled", costNanoUsd: before!.costNanoUsd, estimated: true },
  ]);
});

test("a whole answer without usage is an estimate; strict, it counts with what was reserved", async () => {
  const said = { text: "x".repeat(40), usage: undefined };
  const usual = await attempt(async () => said);
  expect(usual.entry).toMatchObject({ outputTokens: 10, estimated: true });
  const strict = await attempt(async () => said, { perDay, reserve: "strict" });
  expect(strict.entry).toMatchObject({ outputTokens: 100, costNanoUsd: strict.bound, estimated: true });
  expect(strict.result.text).toBe(said.text);
});

test("a cost that the provider told stays, and a free model's tokens count in full", async () => {
  const told = await attempt(async () => ({ usage: { inputTokens: { total: 7 }, raw: { cost: 0.0001 } } }), {
    perDay,
    reserve: "strict",
  });
  expect(told.entry).toMatchObject({ costNanoUsd: 100_000, costSource: "api", outputTokens: 100, estimated: true });
  const store = memoryStore();
  const model = free(sayingModel(() => refuse(504)));
  await using app = await payingApp(model, {
    store,
    model,
    limits: { perRun: { tokens: 1_000 } },
    modelCall: { retries: 0 },
  });
  await app.run({ prompt: "go" });
  expect(await store.ledger.entries({})).toMatchObject([{ costNanoUsd: 0, costSource: "free", outputTokens: 100 }]);
});

test("without a budget an attempt without usage stays an estimate", async () => {
  const model = sayingModel(() => refuse(504));
  await using app = await payingApp(model, { limits: {}, modelCall: { retries: 0 } });
  expect((await app.run({ prompt: "go" })).usage).toMatchObject({ inputTokens: 1, outputTokens: 0 });
});
