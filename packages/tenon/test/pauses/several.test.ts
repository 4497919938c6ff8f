import { describe, expect, test } from "vitest";
import { defineTool, memoryStore, type CallHook, type Decision } from "../../src/doors/tenon/index.js";
import { callAll, rawCall, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { appOf, assertValid, resultsIn } from "../known-failures/wire.js";

const approved = defineTool({
  name: "approved",
  description: "Waits for approval.",
  access: "write",
  approval: true,
  run: () => "approved",
});
const asks = defineTool({ name: "asks", description: "Asks.", run: (_input, ctx) => ctx.pause<string>("Well?") });
const looks = defineTool({ name: "looks", description: "Looks.", run: () => "seen" });
const hooked = defineTool({ name: "hooked", description: "Is asked about.", run: () => "hooked" });
const hook: CallHook = {
  onBeforeCall: (_ctx, { toolName }) => (toolName === "hooked" ? { action: "ask", question: "May it?" } : undefined),
};
const names = ["approved", "asks", "looks", "hooked"];
const model = () =>
  scriptedModel(callAll(...names.map((name) => rawCall({ id: name, name, arguments: "{}" }))), replyWith("done"));

/** The answer to each, in any order. */
const answers: Readonly<Record<string, Decision>> = {
  approved: { approved: true, by: "ann" },
  asks: { answer: "well", by: "ann" },
  hooked: { approved: true, by: "ann" },
};
const orders = [
  ["approved", "asks", "hooked"],
  ["asks", "hooked", "approved"],
  ["hooked", "approved", "asks"],
];

describe("calls of one turn that wait for different things", () => {
  test.each(orders)("each waits and goes on by itself: %s, %s, %s", async (...tools) => {
    const store = memoryStore();
    const scripted = model();
    const open = () => appOf([approved, asks, looks, hooked], scripted, { store }, { hooks: [hook] });
    const first = await (await open()).run({ prompt: "go" });
    expect(first.pauses.map(({ tool, kind, question }) => [tool, kind, question])).toEqual([
      ["approved", "approval", "Run approved?"],
      ["asks", "question", "Well?"],
      ["hooked", "approval", "May it?"],
    ]);
    let result = first;
    for (const [i, tool] of tools.entries()) {
      expect(result.status).toBe("paused");
      expect(result.pauses).toHaveLength(3 - i);
      const pause = result.pauses.find((one) => one.tool === tool)!;
      result = await (await open()).resume(first.runId, { [pause.id]: answers[tool]! });
    }
    expect(result).toMatchObject({ status: "completed", text: "done" });
    assertValid(scripted.requests[1]);
    expect(resultsIn(scripted.requests[1]).map(({ id, text }) => [id, text])).toEqual([
      ["approved", "approved"],
      ["asks", "well"],
      ["looks", "seen"],
      ["hooked", "hooked"],
    ]);
  });
});
