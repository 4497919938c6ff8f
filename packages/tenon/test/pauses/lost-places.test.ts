import { describe, expect, test } from "vitest";
import { defineTool } from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { stores } from "../app/stores.js";
import { appOf } from "../known-failures/wire.js";

describe.each(stores)("on %s", (_, newStore) => {
  test("runs of another process that wait for a thread while it is erased go on one by one, and block nobody", async () => {
    let working = (): void => {};
    const works = new Promise<void>((resolve) => (working = resolve));
    const look = defineTool({
      name: "look",
      description: "d",
      run: (_input, ctx) => {
        working();
        return new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
      },
    });
    const store = newStore();
    await using one = await appOf([look], scriptedModel(callTool(look, {}), replyWith("later")), { store });
    const two = await appOf([look], scriptedModel(replyWith("done"), replyWith("done"), replyWith("done")), { store });
    const first = one.run({ prompt: "first" }, { threadId: "t" });
    await works;
    const others = ["second", "third", "fourth"].map((prompt) => two.run({ prompt }, { threadId: "t" }));
    // All of them have a place by then.
    await new Promise(setImmediate);
    await one.erase({ threadId: "t" });
    expect((await first).status).toBe("cancelled");
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(await one.run({ prompt: "later" }, { threadId: "t" })).toMatchObject({ text: "later" });
    await two.close();
  });
});
