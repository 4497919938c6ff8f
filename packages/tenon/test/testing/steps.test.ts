import { expect, test } from "vitest";
import { Agent, createApp, type RunEvent } from "../../src/doors/tenon/index.js";
import {
  callAll,
  callTool,
  callTools,
  failWith,
  rawCall,
  rawTurn,
  replyWith,
  scriptedModel,
  type ModelStep,
} from "../../src/doors/testing/index.js";
import { ListAll, SearchIssues, SendMail, tellTime } from "./desk.js";

const ask = { prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] };

/** What the model says to its first request. */
async function answerTo(step: ModelStep): Promise<any> {
  return scriptedModel(step).doGenerate(ask);
}

async function streamed(step: ModelStep): Promise<any[]> {
  const { stream } = await scriptedModel(step).doStream(ask);
  const parts: any[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

test("replyWith answers with a text and ends the turn", async () => {
  expect(await answerTo(replyWith("Done."))).toMatchObject({
    content: [{ type: "text", text: "Done." }],
    finishReason: { unified: "stop" },
  });
});

test("callTool sends the input as JSON text, under the tool's own name and a numbered id", async () => {
  const model = scriptedModel(
    callTool(SearchIssues, { query: 'log"in', limit: 2 }),
    callTool(ListAll),
    callTool(tellTime, {}),
  );
  expect(await model.doGenerate(ask)).toMatchObject({
    content: [
      { type: "tool-call", toolCallId: "step_1_1", toolName: "search_issues", input: '{"query":"log\\"in","limit":2}' },
    ],
    finishReason: { unified: "tool-calls" },
  });
  expect((await model.doGenerate(ask)).content).toEqual([
    { type: "tool-call", toolCallId: "step_2_1", toolName: "list_all", input: "{}" },
  ]);
  expect((await model.doGenerate(ask)).content).toEqual([
    { type: "tool-call", toolCallId: "step_3_1", toolName: "tell_time", input: "{}" },
  ]);
});

test("callTools and callAll put several calls into one turn, in order", async () => {
  const pairs = await answerTo(
    callTools([
      [SearchIssues, { query: "a" }],
      [tellTime, { zone: "CET" }],
      [ListAll, {}],
    ]),
  );
  const steps = await answerTo(
    callAll(callTool(SearchIssues, { query: "a" }), callTool(tellTime, { zone: "CET" }), callTool(ListAll)),
  );
  expect(pairs).toEqual(steps);
  expect(pairs.content.map((call: any) => [call.toolCallId, call.toolName, call.input])).toEqual([
    ["step_1_1", "search_issues", '{"query":"a"}'],
    ["step_1_2", "tell_time", '{"zone":"CET"}'],
    ["step_1_3", "list_all", "{}"],
  ]);
  expect(
    (await answerTo(callAll(rawCall({ id: "p1", name: "ghost", arguments: "{" }), callTool(ListAll)))).content,
  ).toMatchObject([{ toolCallId: "p1", input: "{" }, { toolCallId: "step_1_2" }]);
});

test.each([
  ["an empty text", { id: "a", name: "f", arguments: "" }, { toolCallId: "a", input: "" }],
  ["half a text", { id: "", name: "f", arguments: '{"q" 5}' }, { toolCallId: "", input: '{"q" 5}' }],
  ["null", { id: null, name: "f", arguments: null }, { toolCallId: null, input: null }],
])("rawCall sends %s as it is", async (_what, call, sent) => {
  expect((await answerTo(rawCall(call))).content).toEqual([{ type: "tool-call", toolName: "f", ...sent }]);
});

test("rawCall without id and arguments sends neither", async () => {
  const [call] = (await answerTo(rawCall({ name: "f" }))).content;
  expect(call).toEqual({ type: "tool-call", toolCallId: undefined, toolName: "f" });
  expect(call).not.toHaveProperty("input");
});

test("rawTurn sends reasoning, text and calls in that order, with any label and usage", async () => {
  const turn = rawTurn({
    text: "",
    reasoning: "hm",
    calls: [{ id: "x", name: "f", arguments: "{}" }, callTool(ListAll)],
    finish: "length",
    usage: {
      inputTokens: 100,
      outputTokens: 9,
      cachedInputTokens: 30,
      cacheWriteTokens: 20,
      reasoningTokens: 4,
      costUsd: 0.25,
    },
  });
  expect(await answerTo(turn)).toEqual({
    content: [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "" },
      { type: "tool-call", toolCallId: "x", toolName: "f", input: "{}" },
      { type: "tool-call", toolCallId: "step_1_2", toolName: "list_all", input: "{}" },
    ],
    finishReason: { unified: "length", raw: "length" },
    usage: {
      inputTokens: { total: 100, noCache: 50, cacheRead: 30, cacheWrite: 20 },
      outputTokens: { total: 9, text: 5, reasoning: 4 },
      raw: { cost: 0.25 },
    },
    warnings: [],
  });
  expect((await answerTo(rawTurn({ finish: null, usage: null }))).finishReason).toEqual({
    unified: null,
    raw: undefined,
  });
});

test("a stream says the same as a whole answer, in several pieces", async () => {
  const text = "Found 北京 🌍 \n twice. ";
  const parts = await streamed(
    rawTurn({ reasoning: "🌍🌍", text, calls: [{ id: "x", name: "f", arguments: '{"q": 1}' }, { name: "g" }] }),
  );
  const joined = (type: string) => parts.filter((part) => part.type === type).map((part) => part.delta as string);
  expect(joined("reasoning-delta")).toEqual(["🌍", "🌍"]);
  expect(joined("text-delta").length).toBeGreaterThan(3);
  expect(joined("text-delta").join("")).toBe(text);
  expect(joined("tool-input-delta").join("")).toBe('{"q": 1}');
  expect(parts.filter((part) => part.type === "tool-call")).toEqual([
    { type: "tool-call", toolCallId: "x", toolName: "f", input: '{"q": 1}' },
    { type: "tool-call", toolCallId: undefined, toolName: "g" },
  ]);
  expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "tool-calls" } });
});

test("failWith fails the request with that very error, whole or as a stream", async () => {
  const error = Object.assign(new Error("overloaded"), { statusCode: 529 });
  await expect(answerTo(failWith(error))).rejects.toBe(error);
  await expect(streamed(failWith(error))).rejects.toBe(error);
});

const script = (): ModelStep[] => [
  rawTurn({
    text: "I look.",
    reasoning: "which?",
    calls: [
      { id: "x", name: "list_all", arguments: "" },
      { id: "y", name: "list_all" },
      { id: "z", name: "list_all", arguments: null },
    ],
    usage: { costUsd: 0.001 },
  }),
  callTools([
    [ListAll, {}],
    [ListAll, {}],
  ]),
  rawTurn({ text: "All of it is there.", finish: null, usage: { inputTokens: 7 } }),
];

test("through the real adapter a run gives the same whether it streams or not", async () => {
  @Agent({ name: "lister", description: "Lists.", tools: [ListAll] })
  class Lister {}
  const quiet = scriptedModel(...script());
  const heard = scriptedModel(...script());
  await using app = await createApp(Lister, { models: { default: scriptedModel() }, env: {} });
  const events: RunEvent[] = [];
  const first = await app.run({ prompt: "List." }, { model: quiet, runId: "run-0001", threadId: "a" });
  const second = await app.run(
    { prompt: "List." },
    { model: heard, runId: "run-0002", threadId: "b", onEvent: (event) => events.push(event) },
  );
  expect(first).toMatchObject({
    status: "completed",
    text: "All of it is there.",
    usage: { inputTokens: 27, outputTokens: 15, costUsd: 0.001, modelCalls: 3, toolCalls: 5 },
  });
  expect({ ...second, runId: "", threadId: "" }).toEqual({ ...first, runId: "", threadId: "" });
  expect(heard.requests).toEqual(quiet.requests);
  expect(events.filter((event) => event.type === "text-delta").length).toBeGreaterThan(4);
  expect(quiet.remaining).toEqual([]);
});

test.each<[string, () => unknown, RegExp]>([
  ["replyWith without a text", () => replyWith(undefined as never), /replyWith takes a text: undefined/],
  ["failWith without an error", () => failWith("boom" as never), /failWith takes an error: "boom"/],
  [
    "callTool with a class that is no tool",
    () =>
      callTool(
        class Plain {
          run() {}
        } as never,
        {} as never,
      ),
    /A call needs a tool: Plain/,
  ],
  ["callTool with a missing import", () => callTool(undefined as never, {} as never), /A call needs a tool: undefined/],
  [
    "callTool with a cycle",
    () => {
      const query: any = {};
      query.query = query;
      return callTool(SearchIssues, query);
    },
    /search_issues cannot be sent: .*circular/,
  ],
  [
    "callTool with a BigInt",
    () => callTool(SearchIssues, { query: 1n } as never),
    /search_issues cannot be sent: .*BigInt/,
  ],
  ["callTool with a function", () => callTool(SearchIssues, (() => {}) as never), /it has no JSON form/],
  ["callTools with nothing", () => callTools([]), /at least one/],
  ["callTools with bare tools", () => callTools([ListAll] as never), /pairs/],
  ["callAll with nothing", () => callAll(), /at least one: none/],
  ["callAll with a reply", () => callAll(callTool(ListAll), replyWith("x") as never), /number 2 is an object/],
  ["rawCall without a name", () => rawCall({ id: "a" } as never), /name must be a text, not undefined/],
  [
    "rawCall with a misspelled member",
    () => rawCall({ name: "f", argument: "{}" } as never),
    /unknown option `argument`; did you mean `arguments`/,
  ],
  [
    "rawCall with parsed arguments",
    () => rawCall({ name: "f", arguments: {} as never }),
    /arguments must be a text or null/,
  ],
  ["rawTurn with a number", () => rawTurn({ text: 5 as never }), /text must be a text, not 5/],
  ["rawTurn with a bad call", () => rawTurn({ calls: [{ name: 5 as never }] }), /name must be a text, not 5/],
  [
    "rawTurn with a reply among its calls",
    () => rawTurn({ calls: [replyWith("x") as never] }),
    /one call each: replyWith/,
  ],
  ["rawTurn with an unknown usage", () => rawTurn({ usage: { cost: 5 } as never }), /usage: unknown option `cost`/],
  [
    "rawTurn with a usage in words",
    () => rawTurn({ usage: { inputTokens: "5" as never } }),
    /usage: inputTokens must be a number/,
  ],
  ["rawTurn without an object", () => rawTurn(undefined as never), /must be a plain object/],
])("%s is refused at once", (_what, make, message) => {
  expect(make).toThrow(message);
  expect(make).toThrow(expect.objectContaining({ code: "bad_input" }));
});

test("a step is frozen: one script cannot change another", () => {
  const step = callTool(SendMail, { query: "x" });
  expect(Object.isFrozen(step)).toBe(true);
  expect(Object.isFrozen(step.call)).toBe(true);
});
