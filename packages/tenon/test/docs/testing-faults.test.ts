// `docs/guide/testing.md` quotes the regions of this file.
// oxlint-disable-next-line import/no-unassigned-import -- a setup file is there for what it does
import "tenon/testing/setup";
// #region matchers
import { expect } from "vitest";
import { callTool, replyWith, testWith } from "tenon/testing";
import { Clerk, PAYMENTS, RefundOrder, Shop } from "./shop.js";

const matcherTest = testWith(Shop);

matcherTest("a refund that is not approved does not happen", async ({ app, mockLlm, mockOf, events }) => {
  mockOf(PAYMENTS);
  mockLlm(Clerk).thenReturn(callTool(RefundOrder, { order: "42" }), replyWith("I may not."));

  const paused = await app.run({ prompt: "refund order 42" });
  expect(paused).toHavePausedAt(RefundOrder);

  const no = { approved: false, reason: "too old", by: "ann" } as const;
  expect(await app.resume(paused.runId, { [paused.pauses[0]!.id]: no })).toFinishWith(/may not/);
  expect(events).not.toHaveCalled(RefundOrder);
});
// #endregion matchers

// #region faults
import { lostReply, slow, testClock } from "tenon/testing";

const clock = testClock();
const clockTest = testWith(Shop, { clock });

clockTest("a refund whose answer is lost is not repeated", async ({ app, mockLlm, mockOf }) => {
  const payments = mockOf(PAYMENTS);
  payments.refund.mockImplementation(lostReply(async () => "done"));
  mockLlm(Clerk).thenReturn(slow(callTool(RefundOrder, { order: "42" }), 30_000), replyWith("I have to check."));

  const running = app.run({ prompt: "refund order 42" });
  await clock.advance(30_000);
  const paused = await running;
  const yes = { approved: true, by: "ann" } as const;
  await app.resume(paused.runId, { [paused.pauses[0]!.id]: yes });

  expect(payments.refund).toHaveBeenCalledOnce();
});
// #endregion faults
