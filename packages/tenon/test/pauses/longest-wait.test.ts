import { expect, test } from "vitest";
import { defineTool, type Duration } from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { appOf } from "../known-failures/wire.js";

const asking = (approvalExpiresIn: Duration) =>
  defineTool({ name: "ask", description: "Asks.", access: "write", approval: true, approvalExpiresIn, run: () => 1 });

test("the longest time that a pause may wait ends at a date that can be told", async () => {
  const tool = asking("50000000d");
  await using app = await appOf([tool], scriptedModel(callTool(tool, {}), replyWith("done")));
  const { runId, pauses } = await app.run({ prompt: "go" });
  expect(new Date(pauses[0]!.expiresAt!).toISOString()).toMatch(/^\+\d{6}-/);
  expect(await app.resume(runId, { [pauses[0]!.id]: { approved: true, by: "ann" } })).toMatchObject({ text: "done" });
});

test.each(["50000001d", "100000000d", 1e16] as Duration[])("longer is refused: %s", async (longer) => {
  await expect(appOf([asking(longer)], scriptedModel())).rejects.toMatchObject({ code: "assembly_error" });
});
