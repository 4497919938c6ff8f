import { describe, expect, test } from "vitest";
import { defineTool } from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { stores } from "../app/stores.js";
import { appOf } from "../known-failures/wire.js";

const ask = defineTool({ name: "ask", description: "d", access: "write", approval: true, run: () => "ran" });

describe.each(stores)("on %s", (_, newStore) => {
  test("a run that replaces a holder which is erased at the same moment starts all the same", async () => {
    const store = newStore();
    let before: (() => unknown) | undefined;
    // Somebody erases the thread when its holder was seen, and is not canceled yet.
    const slow = new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]): unknown => {
          const call = (): unknown => Reflect.apply(member, target, args);
          const first = name === "cancel" ? before : undefined;
          if (first === undefined) return call();
          before = undefined;
          return Promise.resolve(first()).then(call);
        };
      },
    });
    await using there = await appOf([ask], scriptedModel(callTool(ask, {})), { store });
    const here = await appOf([ask], scriptedModel(replyWith("newer")), { store: slow });
    const older = await there.run({ prompt: "older" }, { threadId: "t" });
    before = () => there.erase({ threadId: "t" });
    expect(await here.run({ prompt: "newer" }, { threadId: "t", onBusy: "replace" })).toMatchObject({ text: "newer" });
    await expect(there.inspect(older.runId)).rejects.toMatchObject({ code: "run_not_found" });
    expect(await there.runs({ threadId: "t" })).toMatchObject([{ prompt: "newer", status: "completed" }]);
    await here.close();
  });
});
