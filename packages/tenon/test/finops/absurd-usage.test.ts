import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { defineTool, memoryStore, usd, type Limits, type Store } from "../../src/doors/tenon/index.js";
import { payingApp, sayingModel } from "./paying-app.js";

function storeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-absurd-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "t.db");
}

const stores: readonly (readonly [string, () => Store])[] = [
  ["memory", memoryStore],
  ["SQLite", () => sqliteStore(":memory:")],
];
const limits: Limits = { perDay: { workflow: { modelCalls: 1_000, cost: usd(1) } } };
const big = Number.MAX_SAFE_INTEGER;

test.each(stores)(
  "counts that no model has are missing ones, flagged, and lock nobody out (%s)",
  async (_kind, open) => {
    for (const total of [big, 1e9, 100_000_001, Infinity, Number.NaN, -1]) {
      const store = open();
      const usage = { inputTokens: { total }, outputTokens: { total }, raw: { cost: total } };
      await using app = await payingApp(sayingModel({ text: "x".repeat(40), usage }, {}), { store, limits });
      expect(await app.run({ prompt: "go" }, { owner: "ann" })).toMatchObject({
        status: "completed",
        usage: { outputTokens: 10, calls: [{ estimated: true, costSource: "estimate" }] },
      });
      expect((await app.run({ prompt: "go" }, { owner: "bob" })).status).toBe("completed");
      expect(await store.ledger.entries({})).toMatchObject([
        { outputTokens: 10, estimated: true },
        { outputTokens: 50 },
      ]);
    }
  },
);

test.each(stores)(
  "amounts that are as large as can be told add up to no more than can be read (%s)",
  async (_kind, open) => {
    const store = open();
    const pay = defineTool({
      name: "pay",
      description: "Pays.",
      run: (_input, ctx) => {
        ctx.reportCost(9_000_000);
        return "paid";
      },
    });
    const model = sayingModel({ call: "pay", times: 3 }, {});
    await using app = await payingApp(model, {
      store,
      tools: [pay],
      limits: { perDay: { workflow: { modelCalls: 1_000 } } },
    });
    for (const owner of ["ann", "bob"]) expect((await app.run({ prompt: "go" }, { owner })).status).toBe("completed");
    await using other = await payingApp(sayingModel({}), { store, limits });
    expect(await other.run({ prompt: "go" })).toMatchObject({ error: { code: "limit_exceeded" } });
  },
);

test("a file whose sums cannot be read any more is one that can, and a number that cannot is a store_error", async () => {
  const file = storeFile();
  {
    await using app = await payingApp(sayingModel({}), { store: sqliteStore(file), limits });
    await app.run({ prompt: "go" });
  }
  const damage = (sql: string): void => {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  };
  damage("UPDATE ledger_sums SET tokens = 18014398509481982");
  {
    await using app = await payingApp(sayingModel({}), { store: sqliteStore(file), limits });
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
  }
  damage("UPDATE ledger SET input = 18014398509481982");
  await using app = await payingApp(sayingModel({}), { store: sqliteStore(file), limits });
  await expect(app.ledger.entries()).rejects.toMatchObject({ code: "store_error" });
});
