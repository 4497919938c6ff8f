import { Agent, BadInputError, defineTool, runOfPause } from "tenon";
import { callTool, replyWith, testWith } from "tenon/testing";
import { expect, test } from "vitest";

const pay = defineTool({ name: "pay", description: "Pays.", access: "write", approval: true, run: () => "paid" });

@Agent({ name: "clerk", description: "Pays.", tools: [pay] })
class Clerk {}

testWith(Clerk)(
  "the id of a pause tells its run, also where the caller chose the run's id",
  async ({ app, mockLlm }) => {
    mockLlm(Clerk).thenReturn(callTool(pay, {}), callTool(pay, {}), replyWith("done"));
    for (const runId of [undefined, "order-42-7"]) {
      const paused = await app.run({ prompt: "pay" }, { runId });
      expect(runOfPause(paused.pauses[0]!.id)).toBe(paused.runId);
      if (runId === undefined) await app.cancel(paused.runId);
      else await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } });
    }
  },
);

test.each([
  "",
  "order-42",
  "call_order-42_1_1",
  "pause_order-42-7_1",
  "pause_call_order-42-7_1_1",
  "pause_call_order-42-7_1_1_1_1",
  "pause_call_short_1_1_1",
  "pause_call_order-42-7_1_1_x",
  " pause_call_order-42-7_1_1_1",
  undefined as unknown as string,
])("%j is no id of a pause", (id) => {
  expect(() => runOfPause(id)).toThrow(BadInputError);
});
