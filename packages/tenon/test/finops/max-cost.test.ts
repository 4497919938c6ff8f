import { expect, test } from "vitest";
import { defineTool, memoryStore, usd, type Limits, type Store, type ToolEntry } from "../../src/doors/tenon/index.js";
import { payingApp, sayingModel } from "./paying-app.js";

const limits: Limits = { perDay: { workflow: { cost: usd(1) } } };
const hang = (): Promise<string> => new Promise(() => {});

async function toolCosts(store: Store): Promise<object[]> {
  const entries = await store.ledger.entries({ kind: "tool" });
  return entries.map(({ attempt, state, costNanoUsd, estimated }) => ({ attempt, state, costNanoUsd, estimated }));
}

const buying = (more: object): ToolEntry =>
  defineTool({ name: "buy", description: "Buys.", maxCost: usd(0.4), ...more } as never);

test.each([
  ["a read", { access: "read" as const }],
  ["a write that is in doubt", { access: "write" as const, inDoubt: "ask" as const }],
  ["a write that runs again", { access: "write" as const, inDoubt: "rerun" as const }],
])(
  "%s that reports a part and takes too long is booked in full; what it reports later is part of that",
  async (_what, how) => {
    const store = memoryStore();
    const late = Promise.withResolvers<void>();
    const heard = Promise.withResolvers<void>();
    const buy = buying({
      ...how,
      timeoutMs: 5,
      run: async (_input: unknown, ctx: { reportCost(usd: number): void }) => {
        ctx.reportCost(0.01);
        await late.promise;
        ctx.reportCost(0.38);
        heard.resolve();
        return "late";
      },
    });
    await using app = await payingApp(sayingModel({ call: "buy" }, {}), { store, limits, tools: [buy] });
    const result = await app.run({ prompt: "go" });
    const full = [{ attempt: 1, state: "settled", costNanoUsd: 400_000_000, estimated: true }];
    expect(await toolCosts(store)).toEqual(full);
    expect(result.usage.toolCostUsd).toBe(0.01);
    late.resolve();
    await heard.promise;
    expect(await toolCosts(store)).toEqual(full);
  },
);

test("what is reported above a `maxCost` that was booked in full is booked beside it", async () => {
  const store = memoryStore();
  const late = Promise.withResolvers<void>();
  const buy = buying({
    access: "read",
    timeoutMs: 5,
    run: async (_input: unknown, ctx: { reportCost(usd: number): void }) => {
      ctx.reportCost(0.3);
      await late.promise;
      ctx.reportCost(0.3);
      return "late";
    },
  });
  await using app = await payingApp(sayingModel({ call: "buy" }, {}), { store, limits, tools: [buy] });
  await app.run({ prompt: "go" });
  late.resolve();
  await expect.poll(() => toolCosts(store)).toHaveLength(2);
  expect(await toolCosts(store)).toMatchObject([{ costNanoUsd: 400_000_000 }, { costNanoUsd: 200_000_000 }]);
});

test.each([
  ["read", { access: "read" }],
  ["rerun", { access: "write", inDoubt: "rerun" }],
  ["ask", { access: "write", inDoubt: "ask" }],
])(
  "a call that was open when its process let go, and whose run is then ended (%s), is booked once",
  async (_kind, how) => {
    for (const end of ["cancel", "erase"] as const) {
      const store = memoryStore();
      let started = 0;
      const open = (run: () => unknown) =>
        payingApp(sayingModel({ call: "buy" }, {}), { store, limits, tools: [buying({ ...how, run })] });
      const left = await open(() => (started++, hang()));
      const run = left.run({ prompt: "go" }, { runId: "left-open", threadId: "thread-1" });
      await expect.poll(() => started).toBe(1);
      await Promise.allSettled([left.close({ graceMs: 0 }), run]);
      await using app = await open(() => (started++, "bought"));
      if (end === "cancel") await app.cancel("left-open");
      else await app.erase({ threadId: "thread-1" });
      expect(started).toBe(1);
      const costs = (await toolCosts(store)) as { costNanoUsd: number }[];
      expect(costs.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)).toBe(400_000_000);
    }
  },
);

test("calls of a turn that no place was free for when the run was stopped cost nothing", async () => {
  const store = memoryStore();
  let ran = 0;
  const buy = buying({ access: "read", run: () => (ran++, hang()) });
  const wide: Limits = { perDay: { workflow: { cost: usd(10) } } };
  await using app = await payingApp(sayingModel({ call: "buy", times: 10 }), { store, limits: wide, tools: [buy] });
  const stop = new AbortController();
  const run = app.run({ prompt: "go" }, { signal: stop.signal });
  await expect.poll(() => ran).toBe(8);
  stop.abort();
  await run;
  expect(ran).toBe(8);
  const costs = (await toolCosts(store)) as { costNanoUsd: number }[];
  expect(costs.filter(({ costNanoUsd }) => costNanoUsd === 400_000_000)).toHaveLength(8);
  expect(costs.filter(({ costNanoUsd }) => costNanoUsd !== 400_000_000)).toMatchObject([
    { costNanoUsd: 0 },
    { costNanoUsd: 0 },
  ]);
});
