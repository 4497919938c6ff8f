// `docs/guide/testing.md` quotes the regions of this file.
// #region tool
import { expect, test } from "vitest";
import { toolOf } from "tenon/testing";
import { RefundOrder } from "./shop.js";

test("refunds the order under the call's id", async () => {
  const refunds: string[] = [];
  const payments = {
    refund: async (order: string, key: string) => {
      refunds.push(`${order} ${key}`);
      return "done";
    },
  };
  const tool = toolOf(new RefundOrder(payments));

  const result = await tool.invoke({ order: "42" }, { callId: "call-1", approvedBy: "ann" });

  expect(result).toEqual({ kind: "ok", value: "done" });
  expect(refunds).toEqual(["42 call-1"]);
  expect(await tool.invoke({ order: "42" })).toMatchObject({ kind: "error", code: "approval_required" });
  expect(await tool.invoke({ order: "x" })).toMatchObject({ kind: "error", code: "invalid_input" });
});
// #endregion tool

// #region app
import { callTool, replyWith, testWith } from "tenon/testing";
import { Clerk, PAYMENTS, Shop } from "./shop.js";

const shopTest = testWith(Shop);

shopTest("a refund waits for approval", async ({ app, mockLlm, mockOf }) => {
  const payments = mockOf(PAYMENTS);
  payments.refund.mockResolvedValue("done");
  mockLlm(Clerk).thenReturn(callTool(RefundOrder, { order: "42" }), replyWith("Refunded."));

  const paused = await app.run({ prompt: "refund order 42" });
  expect(paused.status).toBe("paused");
  expect(payments.refund).not.toHaveBeenCalled();

  const done = await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } });
  expect(done).toMatchObject({ status: "completed", text: "Refunded." });
  expect(payments.refund).toHaveBeenCalledExactlyOnceWith("42", `call_${paused.runId}_1_1`);
  expect(mockLlm(Clerk).requests).toHaveLength(2);
});
// #endregion app

// #region failed
shopTest("the clerk answers", async ({ app, mockLlm, mockOf }) => {
  mockOf(PAYMENTS);
  mockLlm(Clerk).thenReturn(replyWith("Hello."));

  const result = await app.run({ prompt: "hello" });

  expect(result.error).toBeUndefined();
  expect(result.text).toBe("Hello.");
});
// #endregion failed

// #region rubbish
import { rawCall, rawTurn } from "tenon/testing";

shopTest("rubbish from the model is mended by the model", async ({ app, mockLlm, mockOf }) => {
  const payments = mockOf(PAYMENTS);
  mockLlm(Clerk).thenReturn(
    rawCall({ name: "refund", arguments: '{ "order": "forty-two"' }),
    rawTurn({ text: "One moment.", calls: [rawCall({ name: "Refund", arguments: "{}" })], finish: "length" }),
    replyWith("Which order?"),
  );

  expect(await app.run({ prompt: "refund it" })).toMatchObject({ status: "completed", text: "Which order?" });
  expect(payments.refund).not.toHaveBeenCalled();
});
// #endregion rubbish
