import { describe, expect, test } from "vitest";
import { defineTool } from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { stores } from "../app/stores.js";
import { appOf } from "../known-failures/wire.js";

describe.each(stores)("on %s", (_, newStore) => {
  test("a paused run whose decisions are all recorded is continued before the next run of its thread", async () => {
    const store = newStore();
    const ran: string[] = [];
    const pay = defineTool({
      name: "pay",
      description: "d",
      access: "write",
      approval: true,
      run: (_input, ctx) => void ran.push(ctx.callId),
    });
    const first = await appOf([pay], scriptedModel(callTool(pay, {})), { store });
    const paused = await first.run({ prompt: "older" }, { threadId: "t" });
    await expect(first.run({ prompt: "newer" }, { threadId: "t" })).rejects.toMatchObject({ code: "thread_busy" });
    await first.decide(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } });
    await first.close();
    expect(ran).toEqual([]);
    await using next = await appOf([pay], scriptedModel(replyWith("older answer"), replyWith("newer answer")), {
      store,
    });
    expect(await next.run({ prompt: "newer" }, { threadId: "t" })).toMatchObject({ text: "newer answer" });
    expect(ran).toHaveLength(1);
    expect(await next.inspect(paused.runId)).toMatchObject({ status: "completed", text: "older answer" });
  });
});
