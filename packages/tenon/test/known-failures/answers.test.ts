import { describe, expect, test } from "vitest";
import { createApp, defineTool } from "../../src/doors/tenon/index.js";
import { Int } from "../../src/doors/dto/index.js";
import { rawCall, rawTurn, replyWith } from "../../src/doors/testing/index.js";
import { partsStream, someUsage, writtenModel } from "./models.js";
import { agentOf, assertValid, callsIn, play, resultsIn, start, ways } from "./wire.js";

class Numbered {
  @Int() q!: number;
}

function counted() {
  const seen: number[] = [];
  const tool = defineTool({
    name: "count",
    description: "Counts.",
    input: Numbered,
    run({ q }) {
      seen.push(q);
      return `result ${q}`;
    },
  });
  return { tool, seen };
}

const three = [1, 2, 3].map((q) => rawCall({ id: `c${q}`, name: "count", arguments: `{"q":${q}}` }));
const done = replyWith("done");
const once = { modelCall: { retries: 0 } };

describe.each(ways)("%s", (way) => {
  test.each(["stop", "other", null, "unknown", "tool-calls", "tool_calls", "function_call", "end_turn", "", "STOP"])(
    "[B36] whole calls run whatever the finish label says: %j",
    async (finish) => {
      const { tool, seen } = counted();
      const { requests, result } = await play([tool], [rawTurn({ text: "well", calls: three, finish }), done], way);
      expect(result).toMatchObject({ status: "completed", text: "done" });
      expect(seen).toEqual([1, 2, 3]);
      expect(resultsIn(requests[1]).map(({ id, text }) => `${id} ${text}`)).toEqual([
        "c1 result 1",
        "c2 result 2",
        "c3 result 3",
      ]);
    },
  );

  test.each(["length", "content-filter", "content_filter"])(
    "[B36] an answer that was cut off runs none of its calls, and the model is asked again: %s",
    async (finish) => {
      const { tool, seen } = counted();
      const { requests, result } = await play([tool], [rawTurn({ calls: three, finish }), done], way);
      expect(result).toMatchObject({ status: "completed", text: "done" });
      expect(seen).toEqual([]);
      expect(resultsIn(requests[1])).toMatchObject([{ isError: true }, { isError: true }, { isError: true }]);
    },
  );

  test.each(["error", "interrupted"])(
    "[B36] an answer that broke runs none of its calls, and fails the run: %s",
    async (finish) => {
      const { tool, seen } = counted();
      const { result, stored } = await play([tool], [rawTurn({ calls: three, finish })], way, once);
      expect(result).toMatchObject({ status: "failed", stopReason: "error", error: { code: "model_error" } });
      expect(seen).toEqual([]);
      expect(stored).toHaveLength(3);
    },
  );

  const labels: readonly unknown[] = [
    undefined,
    null,
    "stop",
    5,
    true,
    [],
    {},
    { unified: undefined },
    { unified: {} },
    { raw: "stop" },
  ];

  test.each(labels)("[B36] a label of any shape at all: %j", async (finishReason) => {
    const { tool, seen } = counted();
    const calls = three.map(({ call }) => ({
      type: "tool-call",
      toolCallId: call.id,
      toolName: call.name,
      input: call.arguments,
    }));
    const model = writtenModel(
      (request) =>
        request === 1
          ? { content: calls, finishReason, usage: someUsage }
          : { content: [{ type: "text", text: "done" }], finishReason, usage: someUsage },
      (request) =>
        partsStream([
          ...(request === 1
            ? calls
            : [
                { type: "text-start", id: "0" },
                { type: "text-delta", id: "0", delta: "done" },
              ]),
          { type: "finish", finishReason, usage: someUsage },
        ]),
    );
    await using app = await createApp(agentOf([tool]), { models: { default: model }, env: {} });
    expect(await start(app, way, "go")).toMatchObject({ status: "completed", text: "done" });
    expect(seen).toEqual([1, 2, 3]);
    assertValid(model.requests[1]);
  });

  test.each<[string | undefined, string | undefined]>([
    ["", undefined],
    [undefined, undefined],
    [" ", undefined],
    ["\n\n", ""],
    ["", ""],
    ["\u00a0\u3000", undefined],
  ])("[B44] a turn of calls alone is sent without an empty block: text %j, reasoning %j", async (text, reasoning) => {
    const { tool } = counted();
    const { requests } = await play([tool], [rawTurn({ text, reasoning, calls: three }), done], way);
    const assistant = requests[1]!.messages.find(({ role }) => role === "assistant");
    expect(assistant?.content).toMatchObject([{ type: "tool-call" }, { type: "tool-call" }, { type: "tool-call" }]);
    expect(JSON.stringify(requests[1])).not.toMatch(/"text":"\s*"|"content":""|"content":\[\]/);
  });

  test("[B44] text beside calls is kept as it is, in its place", async () => {
    const { tool } = counted();
    const { requests } = await play(
      [tool],
      [rawTurn({ text: " I look.\n", reasoning: "hm", calls: [three[0]!] }), done],
      way,
    );
    expect(requests[1]!.messages.find(({ role }) => role === "assistant")?.content).toMatchObject([
      { type: "reasoning", text: "hm" },
      { type: "text", text: " I look.\n" },
      { type: "tool-call" },
    ]);
  });

  test("[B44] empty blocks around and between calls, and an empty answer at the end, leave nothing in the thread", async () => {
    const { tool, seen } = counted();
    const call = { type: "tool-call", toolCallId: "a", toolName: "count", input: '{"q":1}' };
    const blocks = ["", " ", ""].map((delta, i) => [
      { type: "text-start", id: `t${i}` },
      { type: "text-delta", id: `t${i}`, delta },
      { type: "text-end", id: `t${i}` },
    ]);
    const finish = { type: "finish", finishReason: { unified: "tool-calls" }, usage: someUsage };
    const model = writtenModel(
      (request) => ({
        content:
          request === 1
            ? [{ type: "text", text: "" }, call, { type: "text", text: " " }]
            : [{ type: "text", text: "" }],
        finishReason: { unified: "stop" },
        usage: someUsage,
      }),
      (request) => partsStream(request === 1 ? [...blocks[0]!, call, ...blocks[1]!, finish] : [...blocks[2]!, finish]),
    );
    await using app = await createApp(agentOf([tool]), { models: { default: model }, env: {} });
    expect(await start(app, way, "one", { threadId: "t" })).toMatchObject({ status: "completed", text: "" });
    await start(app, way, "two", { threadId: "t" });
    expect(seen).toEqual([1]);
    for (const request of model.requests) assertValid(request);
    expect(model.requests[2]!.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    expect(callsIn(model.requests[2])).toHaveLength(1);
  });
});
