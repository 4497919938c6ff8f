import { describe, expect, test } from "vitest";
import { defineTool } from "../../src/doors/tenon/index.js";
import { callTools, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { stores } from "../app/stores.js";
import { appOf } from "../known-failures/wire.js";

describe.each(stores)("on %s", (_, newStore) => {
  test("a call that waits while its run still works on another ends as superseded too, for the model and in the audit", async () => {
    const ask = defineTool({ name: "ask", description: "d", access: "write", approval: true, run: () => "ran" });
    let opened = (): void => {};
    const waits = new Promise<void>((resolve) => (opened = resolve));
    const look = defineTool({
      name: "look",
      description: "d",
      run: (_input, ctx) => new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve())),
    });
    const model = scriptedModel(
      callTools([
        [ask, {}],
        [look, {}],
      ]),
      replyWith("newer"),
    );
    await using app = await appOf([ask, look], model, {
      store: newStore(),
      onEvent: ({ type }) => void (type === "approval-request" && opened()),
    });
    const older = app.run({ prompt: "older" }, { threadId: "t" });
    await waits;
    await new Promise(setImmediate);
    expect(await app.run({ prompt: "newer" }, { threadId: "t", onBusy: "replace" })).toMatchObject({ text: "newer" });
    const { runId, status } = await older;
    expect(status).toBe("cancelled");
    const { turns, audit } = await app.inspect(runId);
    expect(audit).toMatchObject([{ decision: { lapsed: "superseded" } }]);
    expect(turns[0]!.calls[0]!.result).toMatchObject({
      code: "denied",
      message: expect.stringContaining("superseded"),
    });
    expect(JSON.stringify(model.requests.at(-1))).toContain("superseded");
  });
});
