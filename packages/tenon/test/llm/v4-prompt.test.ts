import { expect, test } from "vitest";
import { createPromptMemo, type ModelRequest, type PastMessages, type ToolDeclaration } from "../../src/llm/model.js";
import { toModel } from "../../src/llm/v4-model.js";
import type { Message, ToolCallPart } from "../../src/protocol/message.js";
import { fakeModel, requestOf, user } from "./request.js";

function call(more: Partial<ToolCallPart> = {}): ToolCallPart {
  return { type: "tool-call", callId: "call_r_1_1", wireId: "w1", name: "search", arguments: '{"q":1}', ...more };
}

async function promptOf(messages: readonly Message[], provider = "fake"): Promise<any[]> {
  const model = fakeModel({ provider });
  await toModel(model).generate(requestOf(messages));
  return model.asked[0].prompt;
}

test("a whole turn in V4 form, the system prompt first, calls and results paired by the provider's id", async () => {
  const model = fakeModel();
  const messages: Message[] = [
    user("hi"),
    {
      role: "assistant",
      parts: [
        { type: "text", text: "let me see" },
        call(),
        call({ callId: "call_r_1_2", wireId: "w2", arguments: "" }),
      ],
    },
    {
      role: "tool",
      parts: [
        { type: "tool-result", callId: "call_r_1_1", name: "search", ok: true, content: "found" },
        { type: "tool-result", callId: "call_r_1_2", name: "search", ok: false, content: "Tool error: no" },
      ],
    },
  ];
  await toModel(model).generate(requestOf(messages, { system: "be brief" }));
  expect(model.asked[0].prompt).toStrictEqual([
    { role: "system", content: "be brief" },
    { role: "user", content: [{ type: "text", text: "hi" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "let me see" },
        { type: "tool-call", toolCallId: "w1", toolName: "search", input: { q: 1 } },
        { type: "tool-call", toolCallId: "w2", toolName: "search", input: {} },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "w1", toolName: "search", output: { type: "text", value: "found" } },
        {
          type: "tool-result",
          toolCallId: "w2",
          toolName: "search",
          output: { type: "error-text", value: "Tool error: no" },
        },
      ],
    },
  ]);
  expect(Object.keys(model.asked[0])).not.toContain("tools");
});

test("what was converted is kept and extended; a prompt that was handed out never changes", async () => {
  const model = fakeModel();
  const port = toModel(model);
  const messages: Message[] = [user("one")];
  const memo = createPromptMemo();
  await port.generate(requestOf(messages, { memo }));
  messages.push(user("two"), { role: "assistant", parts: [{ type: "text", text: "yes" }] });
  await port.generate(requestOf(messages, { memo }));
  messages.push(user("three"));
  await port.generate(requestOf(messages, { memo }));
  const [first, second, third] = model.asked.map(({ prompt }) => prompt);
  expect(first).toStrictEqual([{ role: "user", content: [{ type: "text", text: "one" }] }]);
  expect(second).toHaveLength(2);
  expect(third).toHaveLength(3);
  expect(third[1]).toBe(second[1]);
  expect(third[0].content.map(({ text }: any) => text)).toStrictEqual(["one", "two"]);
});

test("another model or system prompt starts the memo over", async () => {
  const [one, two] = [fakeModel(), fakeModel()];
  const memo = createPromptMemo();
  const messages = [user("a")];
  await toModel(one).generate(requestOf(messages, { memo }));
  await toModel(two).generate(requestOf(messages, { memo, system: "s" }));
  await toModel(two).generate(requestOf(messages, { memo, system: "t" }));
  expect(two.asked.map(({ prompt }) => prompt.length)).toStrictEqual([2, 2]);
  expect(two.asked[1].prompt[0]).toStrictEqual({ role: "system", content: "t" });
});

test("[B44] no empty text block is sent, and no message without content", async () => {
  const prompt = await promptOf([
    user(""),
    user("q"),
    { role: "assistant", parts: [{ type: "text", text: "" }, { type: "text", text: " \n" }, call()] },
    { role: "tool", parts: [{ type: "tool-result", callId: "call_r_1_1", name: "search", ok: true, content: "x" }] },
    { role: "assistant", parts: [{ type: "text", text: "" }] },
    user("r"),
  ]);
  expect(prompt.map(({ role }) => role)).toStrictEqual(["user", "assistant", "tool", "user"]);
  expect(prompt.flatMap(({ content }) => content).filter((part: any) => part.text?.trim() === "")).toStrictEqual([]);
  expect(prompt[0].content).toHaveLength(1);
});

test("[B17] names on the wire keep to the providers' characters, in calls and results alike", async () => {
  for (const name of ["functions.search", "a.b/c d", "", "ü".repeat(80), "functions.", "x".repeat(90)]) {
    const [sent, result] = await promptOf([
      { role: "assistant", parts: [call({ name })] },
      { role: "tool", parts: [{ type: "tool-result", callId: "call_r_1_1", name, ok: false, content: "x" }] },
    ]);
    expect(sent.content[0].toolName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(result.content[0].toolName).toBe(sent.content[0].toolName);
    expect(result.content[0].toolCallId).toBe("w1");
  }
  const [sent] = await promptOf([{ role: "assistant", parts: [call({ name: "functions.search" })] }]);
  expect(sent.content[0].toolName).toBe("search");
});

test("the input of a call is always an object", async () => {
  const texts = ["", "  \n", "null", '{"a":1}', "[1]", '"x"', "5", '{"q" 5}'];
  const [sent] = await promptOf([{ role: "assistant", parts: texts.map((text) => call({ arguments: text })) }]);
  expect(sent.content.map(({ input }: any) => input)).toStrictEqual([
    {},
    {},
    {},
    { a: 1 },
    { unparsed: "[1]" },
    { unparsed: '"x"' },
    { unparsed: "5" },
    { unparsed: '{"q" 5}' },
  ]);
  const deep = [`{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`, `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`];
  const [nested] = await promptOf([{ role: "assistant", parts: deep.map((text) => call({ arguments: text })) }]);
  expect(nested.content.map(({ input }: any) => input)).toStrictEqual(deep.map((text) => ({ unparsed: text })));
  expect(JSON.parse(JSON.stringify(nested))).toStrictEqual(nested);
  const [whole] = await promptOf([{ role: "assistant", parts: [call({ arguments: '"{\\"a\\":1}"' })] }]);
  expect(whole.content[0].input).toStrictEqual({ a: 1 });
  const [edited] = await promptOf([{ role: "assistant", parts: [call({ input: { q: 2 } })] }]);
  expect(edited.content[0].input).toStrictEqual({ q: 2 });
});

test("[B65] results go out in the order given, whatever the order of their calls", async () => {
  const ids = ["3", "1", "2"];
  const [, sent] = await promptOf([
    { role: "assistant", parts: ["1", "2", "3"].map((id) => call({ callId: id, wireId: `w${id}` })) },
    {
      role: "tool",
      parts: ids.map((callId) => ({ type: "tool-result", callId, name: "t", ok: true, content: callId })),
    },
  ]);
  expect(sent.content.map(({ toolCallId }: any) => toolCallId)).toStrictEqual(["w3", "w1", "w2"]);
});

test("metadata, reasoning and opaque parts go back unchanged and in place; opaque ones to their own provider only", async () => {
  const metadata = { anthropic: { signature: "s+/=", n: null } };
  const messages: Message[] = [
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "think", metadata },
        { type: "reasoning", text: "", metadata: { anthropic: { redactedData: "zz==" } } },
        {
          type: "opaque",
          provider: "fake",
          value: { type: "custom", kind: "fake.x", providerMetadata: { fake: { a: [1] } } },
        },
        { type: "text", text: "t", metadata },
        {
          type: "opaque",
          provider: "fake",
          value: { type: "source", id: "1", sourceType: "url", url: "https://e.org" },
        },
        {
          type: "opaque",
          provider: "fake",
          value: { type: "tool-call", toolCallId: "p1", toolName: "web", input: '{"q":1}', providerExecuted: true },
        },
        {
          type: "opaque",
          provider: "fake",
          value: { type: "tool-result", toolCallId: "p1", toolName: "web", result: { r: 1 } },
        },
        {
          type: "opaque",
          provider: "fake",
          value: { type: "file", mediaType: "image/png", data: { type: "url", url: "https://e.org/a" } },
        },
        call({ metadata }),
      ],
    },
  ];
  const [sent] = await promptOf(messages);
  expect(sent.content).toStrictEqual([
    { type: "reasoning", text: "think", providerOptions: metadata },
    { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "zz==" } } },
    { type: "custom", kind: "fake.x", providerOptions: { fake: { a: [1] } } },
    { type: "text", text: "t", providerOptions: metadata },
    { type: "tool-call", toolCallId: "p1", toolName: "web", input: { q: 1 }, providerExecuted: true },
    { type: "tool-result", toolCallId: "p1", toolName: "web", output: { type: "json", value: { r: 1 } } },
    { type: "file", mediaType: "image/png", data: { type: "url", url: new URL("https://e.org/a") } },
    { type: "tool-call", toolCallId: "w1", toolName: "search", input: { q: 1 }, providerOptions: metadata },
  ]);
  expect(sent.content[0].providerOptions).toBe(metadata);
  const [elsewhere] = await promptOf(messages, "other");
  expect(elsewhere.content.map(({ type }: any) => type)).toStrictEqual(["reasoning", "reasoning", "text", "tool-call"]);
});

test("what later requests share cannot be changed by a model: messages, parts, inputs, options and tools", async () => {
  const model = fakeModel();
  const memo = createPromptMemo();
  const messages: Message[] = [
    user("hi"),
    {
      role: "assistant",
      parts: [
        call({ metadata: { p: { a: [1] } } }),
        { type: "opaque", provider: "fake", value: { type: "custom", kind: "fake.x", more: [{ n: 1 }] } },
        { type: "opaque", provider: "fake", value: { type: "tool-call", toolName: "web", input: '{"q":[1]}' } },
        { type: "opaque", provider: "fake", value: { type: "tool-result", toolName: "web", result: { r: [1] } } },
        { type: "file", mediaType: "image/png", data: "AAAA" },
      ],
    },
    {
      role: "tool",
      parts: [{ type: "tool-result", callId: "call_r_1_1", name: "search", ok: true, content: "found" }],
    },
    user("more"),
    user("and more"),
    { role: "user", parts: [{ type: "file", mediaType: "image/png", data: "AAAA", metadata: { p: { a: [1] } } }] },
  ];
  const tools: readonly ToolDeclaration[] = Object.freeze([
    { name: "t", description: "d", inputSchema: { type: "object", properties: { q: { type: "string" } } } },
  ]);
  const request = requestOf(messages, { memo, tools, system: "s" });
  await toModel(model).generate(request);
  const shared = [model.asked[0].tools, ...model.asked[0].prompt];
  const before = JSON.stringify(shared);
  const open: string[] = [];
  const look = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Object.isFrozen(value)) open.push(at);
    for (const [key, member] of Object.entries(value)) look(member, `${at}.${key}`);
  };
  look(shared[0], "tools");
  model.asked[0].prompt.forEach((message: unknown, i: number) => look(message, `prompt.${i}`));
  expect(open).toStrictEqual([]);
  // The list itself is the request's own.
  model.asked[0].prompt.length = 0;
  await toModel(model).generate(request);
  expect(JSON.stringify([model.asked[1].tools, ...model.asked[1].prompt])).toBe(before);
});

test("files go as base64 data", async () => {
  const [sent] = await promptOf([{ role: "user", parts: [{ type: "file", mediaType: "image/png", data: "AAAA" }] }]);
  expect(sent.content).toStrictEqual([{ type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } }]);
});

test("tools are converted once per list; only the embedded model is told which of them write", async () => {
  const tools: readonly ToolDeclaration[] = Object.freeze([
    { name: "t", description: "d", inputSchema: { type: "object", properties: {} }, access: "write" as const },
  ]);
  const model = fakeModel();
  await toModel(model).generate(requestOf([user("a")], { tools }));
  await toModel(model).generate(requestOf([user("b")], { tools }));
  expect(model.asked[0].tools).toBe(model.asked[1].tools);
  expect(model.asked[0].tools).toStrictEqual([
    { type: "function", name: "t", description: "d", inputSchema: { type: "object", properties: {} } },
  ]);
  const embedded = fakeModel({ provider: "tenon" });
  await toModel(embedded).generate(requestOf([user("a")], { tools }));
  expect(embedded.asked[0].tools[0].providerOptions).toStrictEqual({ tenon: { access: "write" } });
});

function pastRun(...messages: Message[]): PastMessages {
  return { messages, memo: createPromptMemo() };
}

const assistant = (text: string): Message => ({ role: "assistant", parts: [{ type: "text", text }] });

async function promptAfter(
  past: readonly PastMessages[],
  messages: readonly Message[],
  more: Partial<ModelRequest> & { readonly provider?: string } = {},
): Promise<any[]> {
  const model = fakeModel(more.provider === undefined ? {} : { provider: more.provider });
  await toModel(model).generate(requestOf(messages, { past, ...more }));
  return model.asked[0].prompt;
}

function textsOf(prompt: readonly any[]): unknown[] {
  return prompt.map(({ role, content }) =>
    role === "system" ? content : content.map(({ text }: { text: string }) => text).join("+"),
  );
}

test("what a thread's runs share is converted once for a provider, and merged where it meets the new message", async () => {
  const past = [pastRun(user("one"), assistant("two")), pastRun(user("left alone"))];
  const [first, second] = [await promptAfter(past, [user("a")]), await promptAfter(past, [user("b")])];
  const other = await promptAfter(past, [user("a")], { provider: "another" });
  expect(second[0]).toBe(first[0]);
  expect(second[1]).toBe(first[1]);
  expect(other[0]).not.toBe(first[0]);
  expect(other).toEqual(first);
  expect(textsOf(first)).toEqual(["one", "two", "left alone+a"]);
  expect(textsOf(second)).toEqual(["one", "two", "left alone+b"]);
});

test("a run's own memo is what its thread goes on with: the messages that were sent are sent again", async () => {
  const earlier = [pastRun(user("zero"), assistant("nil"))];
  for (const system of [undefined, "Be brief."]) {
    const messages: Message[] = [user("one")];
    const memo = createPromptMemo();
    const sent = await promptAfter(earlier, messages, { memo, system });
    messages.push(assistant("two"));
    const next = await promptAfter([...earlier, { messages, memo }], [user("three")], { system: "Be kind." });
    expect(textsOf(next)).toEqual(["Be kind.", "zero", "nil", "one", "two", "three"]);
    expect(next[3]).toBe(sent.at(-1));
    expect(textsOf(await promptAfter([{ messages, memo }], [user("four")]))).toEqual(["one", "two", "four"]);
  }
});

test("a run whose first message was merged into the thread before it stands for itself once that is gone", async () => {
  const failed = pastRun(user("zero"));
  const messages: Message[] = [user("one")];
  const memo = createPromptMemo();
  expect(textsOf(await promptAfter([failed], messages, { memo, system: "s" }))).toEqual(["s", "zero+one"]);
  messages.push(assistant("two"));
  const own = { messages, memo };
  expect(textsOf(await promptAfter([failed, own], [user("three")]))).toEqual(["zero+one", "two", "three"]);
  expect(textsOf(await promptAfter([own], [user("three")]))).toEqual(["one", "two", "three"]);
});

test("several runs without an answer are one message, and runs that hold nothing are none", async () => {
  const past = [
    pastRun(user("a")),
    pastRun(user("b")),
    pastRun(user("")),
    pastRun(user("c"), assistant("d")),
    pastRun(assistant("e")),
    pastRun(user(""), assistant(" ")),
    pastRun(user("f")),
  ];
  for (let again = 0; again < 2; again++)
    expect(textsOf(await promptAfter(past, [user("g")]))).toEqual(["a+b+c", "d", "e", "f+g"]);
});

test("a past run keeps to the names of the request's tools", async () => {
  const past = [
    pastRun(
      user("a"),
      { role: "assistant", parts: [call({ name: "a.b" })] },
      { role: "tool", parts: [{ type: "tool-result", callId: "call_r_1_1", name: "a.b", ok: true, content: "x" }] },
    ),
  ];
  const tools = [{ name: "a.b", description: "d", inputSchema: { type: "object" } }];
  const nameIn = (prompt: any[]): unknown[] => prompt.slice(1, 3).map(({ content }) => content[0].toolName);
  const plain = nameIn(await promptAfter(past, [user("b")]));
  const mapped = nameIn(await promptAfter(past, [user("b")], { tools }));
  expect(plain).toEqual(["a_b", "a_b"]);
  expect(mapped[0]).toMatch(/^a_b_/);
  expect(mapped[1]).toBe(mapped[0]);
  expect(nameIn(await promptAfter(past, [user("b")]))).toEqual(plain);
});

test("an estimate of what was sent counts the thread too", async () => {
  const model = fakeModel({ generate: async () => ({ content: [], finishReason: "stop", usage: {} }) });
  const past = [pastRun(user("x".repeat(400)), assistant("y".repeat(40)))];
  const { usage } = await toModel(model).generate(requestOf([user("abcd")], { past }));
  expect(usage).toMatchObject({ inputTokens: 111, estimated: true });
});
