import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offlineModel } from "../../src/doors/models/index.js";
import { createPromptMemo, type ToolDeclaration } from "../../src/llm/model.js";
import { toModel } from "../../src/llm/v4-model.js";
import type { Message } from "../../src/protocol/message.js";
import { requestOf, user } from "./request.js";

const text = (description: string) => ({ type: "string", minLength: 1, description });
const object = (properties: object, required: string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const status = { type: "string", enum: ["open", "closed"], description: "which issues" };
const tools = [
  {
    name: "note_search",
    description: "Search the user's notes.",
    access: "read",
    inputSchema: object({ query: text("words to look for in the notes") }, ["query"]),
  },
  {
    name: "note_save",
    description: "Save a note for the user.",
    access: "write",
    inputSchema: object({ title: text("a short title"), text: text("what to keep") }, ["title", "text"]),
  },
  {
    name: "search_issues",
    description: "Search the issues.",
    access: "read",
    inputSchema: object(
      {
        query: text("words"),
        status,
        limit: { type: "integer", minimum: 1, maximum: 20 },
        since: { type: "string", format: "date" },
      },
      ["query"],
    ),
  },
  {
    name: "count_issues",
    description: "Count the issues that match.",
    access: "read",
    inputSchema: object({ query: text("words"), status, urgent: { type: "boolean" } }, []),
  },
] as unknown as readonly ToolDeclaration[];

async function ask(message: string, given: readonly ToolDeclaration[] = tools): Promise<string> {
  const { parts } = await toModel(offlineModel()).generate(requestOf([user(message)], { tools: given }));
  const [part] = parts;
  return part?.type === "tool-call" ? `${part.name} ${part.arguments}` : part?.type === "text" ? part.text : "";
}

describe("what a message calls", () => {
  const calls: [string, string, object][] = [
    ["find my notes about invoices", "note_search", { query: "invoices" }],
    ["what do my notes say about refunds?", "note_search", { query: "refunds" }],
    ["find invoices in my notes", "note_search", { query: "invoices" }],
    ["search the issues for login errors", "search_issues", { query: "login errors" }],
    ["show me open issues about “dark mode”", "search_issues", { query: "dark mode", status: "open" }],
    [
      "top 5 issues about crashes since 2026-01-31",
      "search_issues",
      { query: "crashes", limit: 5, since: "2026-01-31" },
    ],
    ["how many issues are open about payments", "count_issues", { query: "payments", status: "open" }],
    ["how many closed issues are there?", "count_issues", { status: "closed" }],
    ["count the urgent issues", "count_issues", { urgent: true }],
    ["count the non-urgent issues", "count_issues", { urgent: false }],
    [
      'save a note titled "Refund policy": refunds take 5 days',
      "note_save",
      { title: "Refund policy", text: "refunds take 5 days" },
    ],
    [
      'Save a note with text "open at 9, closed at 5" and title "Opening hours"',
      "note_save",
      { title: "Opening hours", text: "open at 9, closed at 5" },
    ],
    [
      "Save a note with title: Opening hours, text: the shop is open, mostly.",
      "note_save",
      { title: "Opening hours", text: "the shop is open, mostly." },
    ],
    ["save a note titled Refunds: take 5 days", "note_save", { title: "Refunds", text: "take 5 days" }],
    ["count open issues for payments", "count_issues", { status: "open", query: "payments" }],
    ["count closed issues", "count_issues", { status: "closed" }],
    ['search the issues for "late fee"', "search_issues", { query: "late fee" }],
    ['save a note "Hours" "open at 9"', "note_save", { title: "Hours", text: "open at 9" }],
    [
      'save a note titled "top 3 open issues": he said "no" to it',
      "note_save",
      { title: "top 3 open issues", text: 'he said "no" to it' },
    ],
  ];
  test.each(calls)("%s", async (message, name, input) => {
    const said = await ask(message);
    expect(said.slice(0, said.indexOf(" "))).toBe(name);
    expect(JSON.parse(said.slice(said.indexOf(" ")))).toStrictEqual(input);
  });

  test("a limit that does not fit its bounds is left out", async () => {
    expect(await ask("top 500 issues about crashes")).toBe('search_issues {"query":"crashes"}');
  });

  test("a write only where the first word is its verb, also for a tool that does not say what it is", async () => {
    expect(await ask('please save a note titled "x": y')).toMatch(/^note_save changes something.*"save"/);
    expect(await ask("notes about invoices")).toMatch(/^note_search /);
    expect(await ask('I said: save a note titled "x": y')).not.toMatch(/^note_save \{/);
    const unsaid = [
      { name: "wipe_disk", description: "Wipe the disk.", inputSchema: { type: "object", properties: {} } },
    ];
    expect(await ask("the disk", unsaid)).not.toMatch(/^wipe_disk \{/);
    expect(await ask("wipe the disk", unsaid)).toBe("wipe_disk {}");
  });

  test("a field it cannot fill is asked for, never guessed", async () => {
    const inputSchema = object({ to: { type: "object", properties: {} } }, ["to"]);
    const given = [{ name: "find_way", description: "Find the way.", access: "read" as const, inputSchema }] as never;
    expect(await ask("find the way", given)).toMatch(/^I need more to use find_way\. It takes to \(a value\)/);
  });

  test("a long odd message costs no more than its length", async () => {
    for (const odd of [" ", "“", "."])
      expect(await ask(`find my notes about x${odd.repeat(100_000)}y`)).toMatch(/^note_search \{"query":"x/);
  });

  test("quoted text has no say in the choice", async () => {
    expect(await ask('save a note titled "count the issues": later')).toMatch(/^note_save /);
  });

  test("it asks for what is missing, by name, and says what the tools can do", async () => {
    expect(await ask("save a note")).toMatch(
      /more to use note_save. It takes title \(a short title\), text \(what to keep\)/,
    );
    for (const message of ["hello", "what can you do?", "thanks", "", "🙂", "what is the weather"]) {
      expect(await ask(message)).toMatch(/I can use these tools:\n- note_search: Search the user's notes\./);
    }
    expect(await ask("hello", [])).toMatch(/no tools/);
  });
});

async function answerTo(content: string, ok = true): Promise<string> {
  const messages: Message[] = [
    user("old"),
    { role: "assistant", parts: [{ type: "text", text: "answered" }] },
    user("find"),
    {
      role: "assistant",
      parts: [{ type: "tool-call", callId: "c", wireId: "w", name: "note_search", arguments: "{}" }],
    },
    { role: "tool", parts: [{ type: "tool-result", callId: "c", name: "note_search", ok, content }] },
  ];
  const { parts } = await toModel(offlineModel()).generate(requestOf(messages, { tools }));
  return parts[0]?.type === "text" ? parts[0].text : "no text";
}

test("it answers from the result in readable form", async () => {
  expect(await answerTo("plain words")).toBe("plain words");
  expect(await answerTo('"json text"')).toBe("json text");
  expect(await answerTo('[{"title":"A","n":1},{"title":"B","tags":["x","y"]}]')).toBe(
    "2 found:\n- title: A, n: 1\n- title: B, tags: x, y",
  );
  expect(await answerTo('{"notes":[{"title":"A"}],"total":1}')).toBe("notes: 1 found:\n- title: A\ntotal: 1");
  expect(await answerTo("[]")).toBe("0 found.");
  expect(await answerTo("")).toBe("Nothing came back.");
  expect(await answerTo("7")).toBe("note_search: 7");
  expect(await answerTo(JSON.stringify(Array.from({ length: 12 }, (_, n) => n)))).toMatch(
    /^12 found:[^]*… and 2 more$/,
  );
  expect(await answerTo("Tool error: denied: not today", false)).toBe(
    "note_search did not go through: denied: not today",
  );
});

test("its first answer in a conversation says what it is, once", async () => {
  const port = toModel(offlineModel());
  const memo = createPromptMemo();
  const messages: Message[] = [user("find my notes about invoices")];
  const said: string[] = [];
  const turn = async () => {
    const { parts } = await port.generate(requestOf(messages, { tools, memo }));
    const part = parts[0]!;
    if (part.type === "tool-call") {
      messages.push({ role: "assistant", parts: [{ ...part, callId: part.wireId }] });
      messages.push({
        role: "tool",
        parts: [{ type: "tool-result", callId: part.wireId, name: part.name, ok: true, content: "[]" }],
      });
      said.push(part.wireId);
    } else if (part.type === "text") {
      messages.push({ role: "assistant", parts: [part] }, user("find my notes about refunds"));
      said.push(part.text);
    }
  };
  for (let turns = 0; turns < 4; turns++) await turn();
  expect(said[0]).toBe("offline_1");
  expect(said[1]).toMatch(/rule-based.*TENON_MODEL and TENON_BASE_URL/);
  expect(said.slice(2)).toStrictEqual(["offline_2", "0 found."]);
});

test("it is free, deterministic, and streams the same answer word by word", async () => {
  const port = toModel(offlineModel());
  expect(port).toMatchObject({ id: "offline", free: true });
  for (const message of ["hello", "find my notes about invoices"]) {
    const deltas: string[] = [];
    const request = () => requestOf([user(message)], { tools });
    const whole = await port.generate(request());
    expect(await port.stream(request(), (_, delta) => deltas.push(delta))).toStrictEqual(whole);
    expect(whole.usage).toMatchObject({ costNanoUsd: 0, costSource: "free", estimated: false });
    expect(whole.usage.inputTokens * whole.usage.outputTokens).toBeGreaterThan(0);
    expect(deltas.join("")).toBe(whole.parts[0]?.type === "text" ? whole.parts[0].text : "");
    if (message === "hello") expect(deltas.length).toBeGreaterThan(10);
  }
});

test("a stop is heard", async () => {
  const options = { prompt: [], abortSignal: AbortSignal.abort(new Error("stop")) };
  await expect(offlineModel().doGenerate(options)).rejects.toThrow("stop");
  await expect(offlineModel().doStream(options)).rejects.toThrow("stop");
});

test("with any tools and any message it never fails, and never calls with arguments that do not fit", async () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, ownProperties: true, logger: false }));
  const word = fc.constantFrom(
    "find",
    "save",
    "note",
    "issue",
    "title",
    "limit",
    "status",
    "open",
    "date",
    "user",
    "__proto__",
    "constructor",
    "größe",
  );
  const scalar = fc.oneof(
    fc.record({ type: fc.constant("string") }, { requiredKeys: ["type"] }),
    fc.record({ type: fc.constant("string"), minLength: fc.nat(5), maxLength: fc.nat(20) }),
    fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^[A-Z]{3}$", "(", "\\d") }),
    fc.record({
      type: fc.constant("string"),
      format: fc.constantFrom("date", "date-time", "email", "uri", "uuid", "odd"),
    }),
    fc.record({
      type: fc.constantFrom("integer", "number", ["integer", "null"]),
      minimum: fc.integer(),
      maximum: fc.integer(),
    }),
    fc.record({ type: fc.constantFrom("boolean", "null", "array", "object") }),
    fc.record({ enum: fc.array(fc.oneof(word, fc.integer(), fc.constant(null)), { minLength: 1 }) }),
    fc.record({ anyOf: fc.constant([{ type: "null" }, { type: "string" }]), default: fc.anything() }),
    fc.constantFrom({ $ref: "#/$defs/x" }, { not: {} }, {}),
  );
  const tool = fc.record({
    name: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join("_")),
    description: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
    access: fc.constantFrom("read", "write", undefined),
    inputSchema: fc.dictionary(word, scalar, { maxKeys: 4 }).chain((properties) =>
      fc.subarray(Object.keys(properties)).map((required) => ({
        type: "object",
        properties,
        required,
        additionalProperties: false,
        $defs: { x: { type: "integer" } },
      })),
    ),
  });
  const piece = fc.oneof(
    word,
    fc.string({ unit: "binary" }),
    fc.constantFrom('"quoted text"', "5", "-3.5", "2026-01-31", "a@b.org", ":", "ABC", "about", "top 3"),
  );
  const message = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(" "));
  let called = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(tool, { maxLength: 4 }), message, async (given, asked) => {
      const { parts } = await toModel(offlineModel()).generate(requestOf([user(asked)], { tools: given as never }));
      expect(parts).toHaveLength(1);
      const part = parts[0]!;
      if (part.type !== "tool-call") return;
      called++;
      const fitting = given.filter(({ name, inputSchema }) => {
        if (name !== part.name) return false;
        try {
          return ajv.validate(inputSchema, JSON.parse(part.arguments));
        } catch {
          return true; // A schema that Ajv cannot compile: no tool of an app has one.
        }
      });
      expect(fitting.length).toBeGreaterThan(0);
    }),
    { numRuns: 1500 },
  );
  expect(called).toBeGreaterThan(50);
}, 60_000);
