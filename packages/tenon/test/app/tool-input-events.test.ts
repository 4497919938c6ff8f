import { describe, expect, test } from "vitest";
import {
  createApp,
  defineAgent,
  defineTool,
  jsonSchema,
  memoryStore,
  type LanguageModel,
  type RunEvent,
  type RunResult,
} from "../../src/doors/tenon/index.js";
import { callAll, rawCall, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { fakeModel, streamOf } from "../llm/request.js";

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: jsonSchema({ type: "object", properties: { q: {} } }),
  run: () => "seen",
});

type Piece = Extract<RunEvent, { readonly type: "tool-input-delta" }>;
type Call = Extract<RunEvent, { readonly type: "tool-call" }>;

const end = { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage: {} };
const done = [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "done" },
  { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} },
];
const begin = (id: string, toolName = "look", more: object = {}) => ({
  type: "tool-input-start",
  id,
  toolName,
  ...more,
});
const piece = (id: string, delta: string) => ({ type: "tool-input-delta", id, delta });
const finish = (id: string) => ({ type: "tool-input-end", id });
const call = (id: string, input: string, toolName = "look", more: object = {}) => ({
  type: "tool-call",
  toolCallId: id,
  toolName,
  input,
  ...more,
});

/** A model that streams these parts first, and "done" after that. */
function streams(...parts: readonly object[]) {
  let asked = 0;
  return fakeModel({ stream: () => Promise.resolve({ stream: streamOf(asked++ === 0 ? [...parts] : done) }) });
}

async function heard(model: LanguageModel): Promise<{ readonly events: RunEvent[]; readonly result: RunResult }> {
  const events: RunEvent[] = [];
  const agent = defineAgent({ name: "a", description: "d", model, tools: [look], modelCall: { retries: 2 } });
  await using app = await createApp(agent, { env: {} });
  const result = await app.run({ prompt: "go" }, { onEvent: (event) => void events.push(event) });
  return { events, result };
}

const pieces = (events: readonly RunEvent[]): Piece[] => events.filter((event) => event.type === "tool-input-delta");
const calls = (events: readonly RunEvent[]): Call[] => events.filter((event) => event.type === "tool-call");

/** The pieces of each call add up to its arguments. */
function expectWhole(events: readonly RunEvent[]): void {
  for (const { callId, name, arguments: text, turn } of calls(events)) {
    const own = pieces(events).filter((one) => one.callId === callId);
    expect(own.map((one) => one.text).join("")).toBe(text);
    for (const one of own) expect(one).toMatchObject({ name, turn });
    const last = own.at(-1);
    if (last !== undefined) expect(last.seq).toBeLessThan(events.find((e) => e.type === "tool-call")!.seq);
  }
}

test("a call that the model writes is told in pieces, under the id that it will have", async () => {
  const { events, result } = await heard(
    scriptedModel(
      callAll(
        rawCall({ id: "x", name: "look", arguments: '{"q":"北京 🌍"}' }),
        rawCall({ id: "x", name: "look", arguments: '{"q":2}' }),
      ),
      replyWith("done"),
    ),
  );
  expect(result.text).toBe("done");
  expect(calls(events)).toHaveLength(2);
  expect(new Set(pieces(events).map(({ callId }) => callId)).size).toBe(2);
  expectWhole(events);
  expect(events.every((event) => Object.isFrozen(event))).toBe(true);
});

test("pieces of two calls that come in turns, and end the other way round, keep their ids", async () => {
  const { events, result } = await heard(
    streams(
      begin("a"),
      begin("b"),
      piece("a", '{"q"'),
      piece("b", '{"q":'),
      piece("b", "2}"),
      finish("b"),
      call("b", '{"q":2}'),
      piece("a", ":1}"),
      finish("a"),
      call("a", '{"q":1}'),
      call("c", '{"q":3}'),
      end,
    ),
  );
  expect(result.text).toBe("done");
  expect(calls(events).map((one) => one.arguments)).toEqual(['{"q":1}', '{"q":2}', '{"q":3}']);
  expectWhole(events.filter((event) => !(event.type === "tool-call" && event.arguments === '{"q":3}')));
  expect(pieces(events)).toHaveLength(4);
});

test("half a character waits for its other half", async () => {
  const { events } = await heard(
    streams(begin("a"), piece("a", '{"q":"\ud83c'), piece("a", '\udf0d"}'), finish("a"), call("a", '{"q":"🌍"}'), end),
  );
  expect(pieces(events).map(({ text }) => text)).toEqual(['{"q":"', '🌍"}']);
  expectWhole(events);
});

test("calls that the provider makes, and those of tools that are not there, have no pieces", async () => {
  const { events, result } = await heard(
    streams(
      begin("s", "web_search", { providerExecuted: true }),
      piece("s", "{}"),
      finish("s"),
      call("s", "{}", "web_search", { providerExecuted: true }),
      // Said only with the call.
      begin("w", "web_search"),
      piece("w", '{"query":"x"}'),
      finish("w"),
      call("w", '{"query":"x"}', "web_search", { providerExecuted: true }),
      begin("n", "nope"),
      piece("n", "{}"),
      finish("n"),
      call("n", "{}", "nope"),
      begin("a"),
      piece("a", '{"q":1}'),
      finish("a"),
      call("a", '{"q":1}'),
      end,
    ),
  );
  expect(result.text).toBe("done");
  expect(calls(events).map(({ name }) => name)).toEqual(["nope", "look"]);
  expect(pieces(events)).toMatchObject([{ name: "look", callId: calls(events)[1]!.callId, text: '{"q":1}' }]);
});

describe("after a piece was told", () => {
  const broken = [begin("a"), piece("a", '{"q"'), { type: "error", error: { statusCode: 503, message: "gone" } }];

  test("the call of the model is not made again: nobody is told the same call twice", async () => {
    const model = streams(...broken);
    const { events, result } = await heard(model);
    expect(result).toMatchObject({ status: "failed", error: { data: { status: 503 } } });
    expect(model.asked).toHaveLength(1);
    expect(pieces(events)).toHaveLength(1);
    expect(calls(events)).toEqual([]);
    // What was written is paid.
    expect(result.usage.calls.at(-1)!).toMatchObject({ estimated: true });
    expect(result.usage.calls.at(-1)!.outputTokens).toBeGreaterThan(0);
  });

  test("without a piece of it, a broken stream is asked for again", async () => {
    const model = streams(begin("a"), broken.at(-1)!);
    const agent = defineAgent({ name: "a", description: "d", model, tools: [look] });
    await using app = await createApp(agent, { env: {} });
    const events: RunEvent[] = [];
    const result = await app.run({ prompt: "go" }, { onEvent: (event) => void events.push(event) });
    expect(result.text).toBe("done");
    expect(pieces(events)).toEqual([]);
  });
});

test("who watches later reads the calls alone; who watches as they come, the pieces too", async () => {
  const store = memoryStore();
  const model = scriptedModel(
    callAll(rawCall({ id: "x", name: "look", arguments: '{"q":"a b c"}' })),
    replyWith("done"),
  );
  await using app = await createApp(defineAgent({ name: "a", description: "d", model, tools: [look] }), {
    env: {},
    store,
  });
  const events: RunEvent[] = [];
  const streamed = app.stream({ prompt: "go" }, { runId: "run-00001" });
  for await (const event of streamed) events.push(event);
  expect(pieces(events).length).toBeGreaterThan(0);
  expectWhole(events);
  const later: RunEvent[] = [];
  for await (const event of app.watch("run-00001")) later.push(event);
  expect(pieces(later)).toEqual([]);
  expect(calls(later)).toMatchObject(calls(events).map(({ callId, arguments: text }) => ({ callId, arguments: text })));
});
