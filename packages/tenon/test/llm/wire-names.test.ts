import { assert, constantFrom, oneof, property, string, uniqueArray } from "fast-check";
import { describe, expect, test } from "vitest";
import { toModel } from "../../src/llm/v4-model.js";
import { createWireNames, wireNamesOf } from "../../src/llm/wire-names.js";
import type { Message } from "../../src/protocol/message.js";
import { ending, fakeModel, requestOf, streamOf, user } from "./request.js";

const VALID = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const odd = [
  "files/read.text",
  "files_read_text",
  "größe",
  "搜索",
  "1st",
  "-x",
  "",
  " ",
  "x".repeat(65),
  "a.b",
  "a/b",
  "😀",
];

test("names that are fine need no mapping", () => {
  expect(createWireNames(["search", "a-b_c", "_x"])).toBeUndefined();
  expect(createWireNames([])).toBeUndefined();
  expect(wireNamesOf([])).toBeUndefined();
});

test("refused names become ones that every provider takes, each its own, and come back", () => {
  const names = createWireNames(odd)!;
  const wire = odd.map((name) => names.toWire(name)!);
  for (const name of wire) expect(name).toMatch(VALID);
  expect(new Set(wire).size).toBe(odd.length);
  expect(wire.map((name) => names.fromWire(name))).toStrictEqual(odd);
  expect(names.toWire("files_read_text")).toBe("files_read_text");
  expect(names.toWire("files/read.text")).toMatch(/^files_read_text_[A-Za-z0-9]{9}$/);
  expect(names.toWire("unheard")).toBeUndefined();
  expect(names.fromWire("unheard")).toBe("unheard");
});

test("a name is the same on the wire in every set, unless it is taken there", () => {
  const alone = createWireNames(["a.b"])!.toWire("a.b")!;
  expect(createWireNames(["x/y", "a.b", "z"])!.toWire("a.b")).toBe(alone);
  const taken = createWireNames([alone, "a.b"])!;
  expect(taken.toWire(alone)).toBe(alone);
  expect(taken.toWire("a.b")).not.toBe(alone);
  expect(taken.fromWire(taken.toWire("a.b")!)).toBe("a.b");
});

test("any set of names: valid, different, and back", () => {
  assert(
    property(uniqueArray(oneof(string(), string({ unit: "binary" }), constantFrom(...odd))), (list) => {
      const names = createWireNames(list);
      if (names === undefined) return list.every((name) => VALID.test(name));
      const wire = list.map((name) => names.toWire(name)!);
      return (
        wire.every((name) => VALID.test(name)) &&
        new Set(wire).size === list.length &&
        wire.every((name, i) => names.fromWire(name) === list[i])
      );
    }),
  );
});

describe("on the wire", () => {
  const tools = ["files/read", "files_read", "search"].map((name) => ({
    name,
    description: name,
    inputSchema: { type: "object", properties: {} },
  }));
  const wire = wireNamesOf(tools)!.toWire("files/read")!;

  test("declarations and history have the wire's names, answers the tools' own", async () => {
    const call = { type: "tool-call", toolCallId: "c1", toolName: wire, input: "{}" };
    const model = fakeModel({
      generate: () => Promise.resolve({ content: [call, { ...call, toolName: "files_read" }], ...ending() }),
      stream: () => Promise.resolve({ stream: streamOf([call, { type: "finish", ...ending() }]) }),
    });
    const port = toModel(model);
    const messages: Message[] = [
      user("hi"),
      {
        role: "assistant",
        parts: [{ type: "tool-call", callId: "call_1", wireId: "w", name: "files/read", arguments: "{}" }],
      },
      { role: "tool", parts: [{ type: "tool-result", callId: "call_1", name: "files/read", ok: true, content: "x" }] },
    ];
    const { parts } = await port.generate(requestOf(messages, { tools }));
    expect(parts).toMatchObject([{ name: "files/read" }, { name: "files_read" }]);
    expect((await port.stream(requestOf(messages, { tools }), () => {})).parts).toMatchObject([{ name: "files/read" }]);
    for (const { tools: declared, prompt } of model.asked) {
      expect(declared.map(({ name }: { name: string }) => name)).toStrictEqual([wire, "files_read", "search"]);
      expect(prompt[1].content[0].toolName).toBe(wire);
      expect(prompt[2].content[0].toolName).toBe(wire);
    }
  });
});
