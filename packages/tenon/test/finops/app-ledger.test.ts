import { expect, test } from "vitest";
import { priced } from "../../src/doors/models/index.js";
import { createApp, defineAgent, defineTool, memoryStore, usd, type App } from "../../src/doors/tenon/index.js";
import { callTool, rawTurn, replyWith, scriptedModel } from "../../src/doors/testing/index.js";

const pay = defineTool({
  name: "pay",
  description: "Pays.",
  run: (_input, ctx) => {
    ctx.reportCost(0.25);
    return "paid";
  },
});

async function used(): Promise<App> {
  const model = scriptedModel(
    callTool(pay, {}),
    replyWith("done"),
    rawTurn({ text: "done", usage: null }),
    rawTurn({ text: "done", usage: { inputTokens: 1000, outputTokens: 0, costUsd: 0.5 } }),
  );
  const clerk = defineAgent({
    name: "clerk",
    description: "Works.",
    tools: [pay],
    model: priced(model, { input: usd(1), output: usd(1) }),
  });
  const app = await createApp(clerk, { store: memoryStore(), env: {}, ledger: true });
  await app.run({ prompt: "go" }, { owner: "ann", runId: "ann-first" });
  await app.run({ prompt: "go" }, { owner: "ann" });
  await app.run({ prompt: "go" });
  return app;
}

test("sums by what is asked for: each once, and together what was spent", async () => {
  await using app = await used();
  const today = new Date().toISOString().slice(0, 10);
  const [all] = await app.ledger.sums();
  expect(all).toMatchObject({ operations: 5, reservedUsd: 0, estimated: 1, unknown: 0, overruns: 1 });
  const byKind = await app.ledger.sums(["agent", "model", "tool"]);
  const [tools, models] = [
    byKind.find(({ tool }) => tool === "pay")!,
    byKind.find(({ model }) => model !== undefined)!,
  ];
  expect(byKind).toHaveLength(2);
  expect(tools).toMatchObject({ agent: "clerk", tool: "pay", model: undefined, operations: 1, costUsd: 0.25 });
  expect(models).toMatchObject({ agent: "clerk", tool: undefined, operations: 4 });
  expect(models.costUsd).toBeGreaterThan(0.5);
  expect(tools.costUsd + models.costUsd).toBeCloseTo(all!.costUsd, 9);
  expect(await app.ledger.sums(["day", "workflow", "owner"])).toMatchObject([
    { day: today, workflow: "clerk", owner: "ann", operations: 4 },
    { day: today, workflow: "clerk", owner: undefined, operations: 1, costUsd: 0.5 },
  ]);
});

test("filters: by day, owner, agent, tool, model and run", async () => {
  await using app = await used();
  const count = async (filter: Parameters<App["ledger"]["entries"]>[0]) => (await app.ledger.entries(filter)).length;
  const model = (await app.ledger.entries({}))[0]!.name;
  const today = new Date().toISOString().slice(0, 10);
  expect(await count({ day: today, workflow: "clerk", agent: "clerk" })).toBe(5);
  expect(await count({ to: "2000-01-01" })).toBe(0);
  expect(await count({ tool: "pay" })).toBe(1);
  expect(await count({ model })).toBe(4);
  expect(await count({ owner: "ann" })).toBe(4);
  expect(await count({ runId: "ann-first" })).toBe(3);
  expect(await count({ tool: model })).toBe(0);
});

test("bad questions are refused, and so is everything once the app is closed", async () => {
  const app = await used();
  const day = "2026-02-28";
  const filters: readonly unknown[] = [
    ...[{ day: "today" }, { from: "2026-13-45" }, { agents: "a" }, { model: "m", tool: "t" }, 5],
    ...[{ day: "2026-02-31" }, { from: "2026-02-29" }, { to: "2026-04-31" }, { day: "2026-00-10" }],
    ...[
      { from: "2026-03-01", to: day },
      { day, from: day },
      { day, to: day },
      { day, from: "2026-01-01", to: "2026-03-01" },
    ],
  ];
  for (const filter of filters)
    await expect(app.ledger.entries(filter as never)).rejects.toMatchObject({ code: "bad_input" });
  expect(await app.ledger.entries({ day: "2024-02-29" })).toEqual([]);
  for (const by of [["week"], "day", [5], [undefined], Array(1), ["day", undefined], [null], null])
    await expect(app.ledger.sums(by as never)).rejects.toMatchObject({ code: "bad_input" });
  await app.close();
  await expect(app.ledger.entries()).rejects.toMatchObject({ code: "app_closed" });
});
