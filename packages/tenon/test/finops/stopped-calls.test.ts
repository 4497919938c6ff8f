import { expect, test } from "vitest";
import { defineTool, memoryStore, usd, type Limits, type Store } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { testClock } from "../../src/doors/testing/index.js";
import type { Clock } from "../../src/util/clock.js";
import { paid, payingApp, sayingModel } from "./paying-app.js";

const stores: readonly (readonly [string, () => Store])[] = [
  ["memory", memoryStore],
  ["SQLite", () => sqliteStore(":memory:")],
];
const ask: Limits = { atLimit: "ask", perDay: { workflow: { cost: usd(1) } } };
const at = ["run-start", "turn-start"] as const;

test.each(stores.flatMap(([kind, open]) => at.map((type) => [type, kind, open] as const)))(
  "a caller's signal that aborts at %s (%s) lets no call be made",
  async (type, _kind, open) => {
    for (const limits of [ask, { perDay: ask.perDay }, {}]) {
      const store = open();
      const model = sayingModel({});
      await using app = await payingApp(model, { store, limits });
      const stop = new AbortController();
      const result = await app.run(
        { prompt: "go" },
        { signal: stop.signal, onEvent: (event) => void (event.type === type && stop.abort()) },
      );
      expect(result).toMatchObject({ status: "cancelled", usage: { modelCalls: 0, costUsd: 0 } });
      expect(model.made).toBe(0);
      expect((await paid(store)).filter((entry) => !("costNanoUsd" in entry) || entry.costNanoUsd !== 0)).toEqual([]);
    }
  },
);

test.each(stores)("a signal that aborts when a run is picked up (%s) lets no call be made", async (_kind, open) => {
  const model = sayingModel({ call: "look" }, {});
  const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
  const limits: Limits = { atLimit: "ask", perRun: { modelCalls: 1 } };
  await using app = await payingApp(model, { store: open(), limits, tools: [look] });
  const { runId, pauses } = await app.run({ prompt: "go" });
  const stop = new AbortController();
  const result = await app.resume(
    runId,
    { [pauses[0]!.id]: { answer: 5, by: "ann" } },
    { signal: stop.signal, onEvent: ({ type }) => void (type === "run-resumed" && stop.abort()) },
  );
  expect(result).toMatchObject({ status: "cancelled", usage: { modelCalls: 1 } });
  expect(model.made).toBe(1);
});

test.each(stores)(
  "a call that was reserved for and is canceled at its turn's start is given back (%s)",
  async (_k, open) => {
    const store = open();
    const model = sayingModel({});
    await using app = await payingApp(model, { store, limits: ask });
    let canceled: Promise<unknown> | undefined;
    const result = await app.run(
      { prompt: "go" },
      {
        runId: "stops-itself",
        onEvent: ({ type }) => {
          if (type === "turn-start") canceled = app.cancel("stops-itself");
        },
      },
    );
    await canceled;
    expect(result).toMatchObject({ status: "cancelled", usage: { modelCalls: 0, costUsd: 0 } });
    expect(model.made).toBe(0);
    expect(await paid(store)).toEqual([{ kind: "model", state: "settled", costNanoUsd: 0, estimated: false }]);
  },
);

test("a call that was reserved for when the run's time is over is given back", async () => {
  const store = memoryStore();
  const clock = testClock();
  const model = sayingModel({});
  let lateMs = 0;
  const now: Clock = {
    now: () => clock.now() + lateMs,
    elapsedMs: () => clock.elapsedMs() + lateMs,
    setTimer: (run, ms) => clock.setTimer(run, ms),
  };
  const { ledger } = store;
  const reserve = ledger.reserve.bind(ledger);
  ledger.reserve = (request) => {
    lateMs = 5_000;
    return reserve(request);
  };
  await using app = await payingApp(model, { store, clock: now, limits: { ...ask, perRun: { wallTimeMs: 5_000 } } });
  const result = await app.run({ prompt: "go" });
  expect(result).toMatchObject({ status: "failed", stopReason: "limit", usage: { modelCalls: 0, costUsd: 0 } });
  expect(model.made).toBe(0);
  expect(await paid(store)).toEqual([{ kind: "model", state: "settled", costNanoUsd: 0, estimated: false }]);
});

test("an attempt that was paid for is in the run, also where the next one waits for a reservation when the run is aborted", async () => {
  const store = memoryStore();
  const clock = testClock();
  const limits: Limits = { perDay: { workflow: { cost: usd(0.003) } } };
  const gate = Promise.withResolvers<object>();
  const hog = sayingModel(() => gate.promise);
  const broken = sayingModel({ text: "", finish: "error" });
  const holder = await payingApp(hog, { store, clock, limits });
  const app = await payingApp(broken, { store, clock, limits, maxOutputTokens: 150 });
  const held = holder.run({ prompt: "go" });
  await expect.poll(() => hog.made).toBe(1);
  const stop = new AbortController();
  const run = app.run({ prompt: "go" }, { signal: stop.signal, runId: "paid-once" });
  await clock.advance(1_000);
  expect(broken.made).toBe(1);
  stop.abort();
  expect(await run).toMatchObject({
    status: "cancelled",
    usage: { inputTokens: 100, outputTokens: 50, costUsd: 0.0006 },
  });
  const { turns, usage } = await app.inspect("paid-once");
  expect(usage.costUsd).toBe(0.0006);
  expect(turns[0]!.failedAttempts).toHaveLength(1);
  gate.resolve({});
  await held;
  expect((await paid(store)).map((entry: any) => entry.costNanoUsd)).toEqual([600_000, 600_000]);
  await app.close();
});
