import { array, assert, constantFrom, letrec, nat, option, property, type Arbitrary } from "fast-check";
import { describe, expect, test } from "vitest";
import { resultPart } from "../../src/agents/transcript.js";
import type { CallRecord } from "../../src/agents/turn-record.js";
import type { JsonValue } from "../../src/protocol/json.js";
import type { ToolResultPart } from "../../src/protocol/message.js";
import { readResult, resultText } from "../../src/tools/result-text.js";

const png = { $media: "image/png", data: "QUJD" };
const note = "[image/png, 3 bytes]";
const sent = { type: "file", mediaType: "image/png", data: "QUJD" };

function partOf(value: JsonValue, more: Partial<CallRecord> = {}): ToolResultPart {
  const call = { type: "tool-call", callId: "call-1", wireId: "call-1", name: "look", arguments: "{}" } as const;
  return resultPart(call, { result: { kind: "ok", value }, ...more });
}

describe("files go along where the model reads of them", () => {
  test.each<[what: string, value: JsonValue, content: string, files: readonly object[] | undefined]>([
    ["a file alone", png, note, [sent]],
    ["files in a value", { a: [png, 1], b: { c: png } }, `{"a":["${note}",1],"b":{"c":"${note}"}}`, [sent, sent]],
    ["a file of no bytes", { a: { ...png, data: "" } }, '{"a":"[image/png, 0 bytes]"}', [{ ...sent, data: "" }]],
    ["a value without one", { a: [1, null] }, '{"a":[1,null]}', undefined],
    ["a text that reads like a note", note, note, undefined],
    ["a value with such a text", { a: note }, `{"a":"${note}"}`, undefined],
    ["such a text beside the name of the member", { $media: note }, `{"$media":"${note}"}`, undefined],
    ["one member too many", { ...png, alt: "" }, '{"$media":"image/png","data":"QUJD","alt":""}', undefined],
    ["a text of such JSON", JSON.stringify(png), JSON.stringify(png), undefined],
    ["a data URL", "data:image/png;base64,QUJD", "[image/png, 3 bytes, not shown]", undefined],
    ["a data URL in a value", ["data:;base64,QUJD"], '["[binary data, 3 bytes, not shown]"]', undefined],
  ])("%s", (_what, value, content, files) => {
    expect(partOf(value)).toEqual({ type: "tool-result", callId: "call-1", name: "look", ok: true, content, files });
  });

  test("a note that was cut off takes its file along", () => {
    const long = { text: "x".repeat(500), file: png };
    expect(partOf(long).files).toEqual([sent]);
    const part = partOf(long, { maxChars: 300 });
    expect(part.content).toMatch(/^\{"text":"x+\n\[cut: /);
    expect(part.files).toBeUndefined();
  });

  test("an error has none", () => {
    expect(readResult({ kind: "error", code: "tool_error", message: `$media ${note}` })).toEqual({
      text: `Tool error: $media ${note}`,
      ofFiles: false,
    });
  });
});

test("half characters are mended, and a cut makes none", () => {
  for (const value of [
    "\ud83dx",
    ["\ud83dx"],
    { $media: "\ud83d/x", data: "" },
    { a: { $media: "\ud83d/x", data: "" } },
  ])
    expect(resultText({ kind: "ok", value })).toSatisfy((text: string) => text.isWellFormed());
  for (const value of ["😀".repeat(300), ["😀".repeat(300)], { $media: "😀".repeat(300), data: "" }])
    for (const maxChars of [300, 301]) {
      const text = resultText({ kind: "ok", value }, maxChars);
      expect(text).toMatch(/😀\n\[cut: /u);
      expect(text.length).toBeGreaterThan(maxChars - 2);
    }
});

/** Texts with half characters, notes, and what is cut out. */
const anyText = array(
  constantFrom("a", "😀", "\ud83d", "\ude00", note, " data:a/b;base64,QUJD ", ";base64,", " bytes]", "x".repeat(150)),
  { maxLength: 6 },
).map((some) => some.join(""));
const { anyValue } = letrec<{ anyValue: JsonValue }>((tie) => ({
  anyValue: constantFrom(0, 1, 2, 3).chain((depth): Arbitrary<JsonValue> => {
    if (depth === 0) return anyText;
    if (depth === 1) return constantFrom<JsonValue>(png, { $media: 1 }, { $media: "a/b", data: "\ud83d" }, null, "");
    return array(tie("anyValue"), { maxLength: 2 }).map((list) => (depth === 2 ? list : { list, $media: list.length }));
  }),
}));

test("whatever a tool gives, the model reads well-formed text of at most that length, and never base64 of a file", () => {
  assert(
    property(anyValue, option(nat(300), { nil: undefined }), (value, over) => {
      const maxChars = over === undefined ? undefined : 200 + over;
      const text = resultText({ kind: "ok", value }, maxChars);
      expect(text).not.toBe("");
      expect(text.isWellFormed()).toBe(true);
      expect(text.length).toBeLessThanOrEqual(maxChars ?? Infinity);
      expect(text).not.toMatch(/;base64,QUJD|"data":"QUJD"/);
      if (maxChars === undefined)
        expect(partOf(value).files?.length).toBe(JSON.stringify(value).match(/"data":/g)?.length);
    }),
    { numRuns: 1_000 },
  );
});
