import { describe, expect, test } from "vitest";
import { createApp, defineAgent, defineTool, ToolError, toolOf, type ToolPolicy } from "../../src/doors/tenon/index.js";
import { rawCall, replyWith, scriptedModel } from "../../src/doors/testing/index.js";

/** A tool that loses its answer the first time; `reconcile` says what happened, where it is given. */
function losing(policy: Partial<ToolPolicy>, outcome?: "done" | "not-done") {
  let ran = 0;
  const tool = defineTool({
    name: "pay",
    description: "Pays.",
    ...policy,
    run: () => {
      if (++ran === 1) throw new ToolError("the reply was lost", { outcome: "unknown" });
      return "paid";
    },
    ...(outcome && { reconcile: () => (outcome === "done" ? { outcome, value: "was paid" } : { outcome }) }),
  });
  const agent = defineAgent({ name: "a", description: "A.", tools: [tool] });
  const model = scriptedModel(rawCall({ id: "a", name: "pay", arguments: "" }), replyWith("done"));
  const read = (): string => JSON.stringify(model.requests[1]!.messages.at(-1));
  return { tool, ran: () => ran, read, open: () => createApp(agent, { models: { default: model }, env: {} }) };
}

describe("a tool that says that nobody knows whether it happened", () => {
  test("of a write a person is asked, and what happened is its result; it runs again where nothing did", async () => {
    for (const [decision, told] of [
      [{ action: "done", result: "paid before", by: "Ada" }, "paid before"],
      [{ action: "rerun", by: "Ada" }, "paid"],
      [{ action: "give-up", by: "Ada" }, "the reply was lost"],
    ] as const) {
      const { open, read, ran } = losing({ access: "write" });
      await using app = await open();
      const paused = await app.run({ prompt: "go" });
      expect(paused).toMatchObject({ status: "paused", pauses: [{ kind: "in-doubt", interruption: "crash" }] });
      const result = await app.resume(paused.runId, { [paused.pauses[0]!.id]: decision });
      expect(result.status).toBe("completed");
      expect(read()).toContain(told);
      expect(ran()).toBe(decision.action === "rerun" ? 2 : 1);
    }
  });

  test.each([
    ["done", "was paid", 1],
    ["not-done", "paid", 2],
  ] as const)("where the tool itself finds out (%s) nobody is asked", async (outcome, told, runs) => {
    const { open, read, ran } = losing({ access: "write" }, outcome);
    await using app = await open();
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
    expect(read()).toContain(told);
    expect(ran()).toBe(runs);
  });

  test("with inDoubt: rerun the model reads it; of a read it is an error as any other", async () => {
    const keyed = losing({ access: "write", inDoubt: "rerun" });
    expect(await toolOf(keyed.tool).invoke({})).toEqual({
      kind: "error",
      code: "unknown_outcome",
      message: "pay got no answer: the reply was lost\nIt may have completed: check before you repeat it",
    });
    expect(await toolOf(losing({}).tool).invoke({})).toEqual({
      kind: "error",
      code: "tool_error",
      message: "the reply was lost",
    });
  });
});
