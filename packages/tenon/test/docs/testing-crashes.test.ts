// `docs/guide/testing.md` quotes the region of this file.
// #region crashes
import { expect, test } from "vitest";
import { callTool, crashEverywhere, replyWith } from "tenon/testing";
import { PAYMENTS, RefundOrder, Shop, type Payments } from "./shop.js";

test("a refund happens once, whenever the process dies", async () => {
  const report = await crashEverywhere({
    app: (world) => {
      const payments: Payments = {
        refund: (order, key) => world.effect("refund", key, () => `refunded ${order}`),
      };
      return world.createApp(Shop, {
        providers: [{ provide: PAYMENTS, useValue: payments }],
        models: { default: world.model(callTool(RefundOrder, { order: "42" }), replyWith("Refunded.")) },
      });
    },
    drive: (app) => app.run({ prompt: "refund order 42" }, { runId: "refund-run", threadId: "refund-thread" }),
    decide: (pause) => (pause.kind === "approval" ? { approved: true, by: "ann" } : undefined),
  });
  expect(report.points).toContain("after effect refund call_refund-run_1_1");
}, 60_000);
// #endregion crashes
