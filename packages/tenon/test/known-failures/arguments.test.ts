import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, Tool, type RunEvent } from "../../src/doors/tenon/index.js";
import { Flag, Int, ListOf, Nested, Text } from "../../src/doors/dto/index.js";
import { callAll, rawCall, replyWith, scriptedModel, type RawCall } from "../../src/doors/testing/index.js";
import { appOf, callsIn, play, resultsIn, ways, type Ran } from "./wire.js";

class Named {
  @Text() q!: string;
}

/** A tool that keeps what its handler was given. */
function spy<S extends Parameters<typeof defineTool>[0]["input"]>(name: string, input?: S) {
  const seen: unknown[] = [];
  const tool = defineTool({
    name,
    description: `Does ${name}.`,
    input,
    run(given: unknown) {
      seen.push(given);
      return "done";
    },
  } as never) as ReturnType<typeof defineTool>;
  return { tool, seen };
}

const done = replyWith("done");

/** The result of the only call of a run that ended well. */
function onlyResult({ result, requests, stored }: Ran): { readonly text: string; readonly isError: boolean } {
  expect(result).toMatchObject({ status: "completed", text: "done" });
  expect(stored).toHaveLength(1);
  const results = resultsIn(requests[1]);
  expect(results).toHaveLength(1);
  expect(results[0]!.isError).toBe(stored[0]!.result.kind === "error");
  return results[0]!;
}

describe.each(ways)("arguments, %s", (way) => {
  const nothing: readonly RawCall[] = [
    { name: "note", id: "a", arguments: "" },
    { name: "note", id: "a", arguments: "  \n" },
    { name: "note", id: "a", arguments: null },
    { name: "note", id: "a" },
    { name: "note", id: "a", arguments: "null" },
    { name: "note", id: "a", arguments: " null\t" },
    { name: "note", id: "a", arguments: "{}" },
  ];

  test.each(nothing)("[B01] no arguments at all are an empty object: $arguments", async (call) => {
    const { tool, seen } = spy("note");
    expect(onlyResult(await play([tool], [rawCall(call), done], way))).toMatchObject({ text: "done", isError: false });
    expect(seen).toEqual([{}]);
  });

  test.each(nothing)("[B01] a field that is required is named: $arguments", async (call) => {
    const { tool, seen } = spy("note", Named);
    const { text, isError } = onlyResult(await play([tool], [rawCall(call), done], way));
    expect(isError).toBe(true);
    expect(text).toMatch(/note.*\bq: is required/s);
    expect(seen).toEqual([]);
  });

  const malformed = [
    '{"q" 5}',
    '{"q":"x"',
    '{"q":"x"}}',
    "q=x",
    '```json\n{"q":"x"}\n```',
    "{'q':'x'}",
    '{"q":NaN}',
    '{"q":"x",}',
    '{"q":"x"} {"q":"y"}',
    "<q>x</q>",
    `{"q":"${"x".repeat(100_000)}`,
    '{"q":"\u0001"}',
    "\ufeff{",
    '{"q":"\\ud800',
  ];

  test.each(malformed)("[B02] text that is no JSON is the call's result, and its sibling runs: %s", async (text) => {
    const first = spy("first", Named);
    const second = spy("second", Named);
    const turn = callAll(
      rawCall({ id: "a", name: "first", arguments: '{"q":"fine"}' }),
      rawCall({ id: "b", name: "second", arguments: text }),
    );
    const ran = await play([first.tool, second.tool], [turn, done], way);
    expect(ran.result).toMatchObject({ status: "completed", text: "done" });
    expect(first.seen).toEqual([{ q: "fine" }]);
    expect(second.seen).toEqual([]);
    const results = resultsIn(ran.requests[1]);
    expect(results).toMatchObject([
      { id: "a", text: "done", isError: false },
      { id: "b", isError: true },
    ]);
    expect(results[1]!.text).toContain("second");
    expect(results[1]!.text.length).toBeLessThan(1_000);
    expect(ran.stored.map(({ result }) => result.kind)).toEqual(expect.arrayContaining(["ok", "error"]));
  });

  class Tagged {
    @ListOf("text") tags!: string[];
  }
  class Nesting {
    @Nested(Tagged) inside!: Tagged;
  }

  test.each([
    ['{"tags":"[\\"a\\",\\"b\\"]"}', ["a", "b"]],
    ['{"tags":"[]"}', []],
    ['{"tags":["a"]}', ["a"]],
    [JSON.stringify(JSON.stringify({ tags: ["a"] })), ["a"]],
  ])("[B04] a list that came as JSON text is read as that list: %s", async (text, tags) => {
    const { tool, seen } = spy("tag", Tagged);
    expect(
      onlyResult(await play([tool], [rawCall({ id: "a", name: "tag", arguments: text }), done], way)).isError,
    ).toBe(false);
    expect(seen).toEqual([{ tags }]);
  });

  test.each([
    '{"tags":"{\\"x\\":1}"}',
    '{"tags":"a,b"}',
    '{"tags":"a"}',
    '{"tags":""}',
    '{"tags":"[1]"}',
    '{"tags":"[\\"a\\""}',
    '{"tags":"\\"[]\\""}',
    '{"tags":{"0":"a"}}',
    '{"tags":5}',
  ])("[B04] text of another type is refused, and never becomes a list of one: %s", async (text) => {
    const { tool, seen } = spy("tag", Tagged);
    const { isError, text: message } = onlyResult(
      await play([tool], [rawCall({ id: "a", name: "tag", arguments: text }), done], way),
    );
    expect(isError).toBe(true);
    expect(message).toContain("tags");
    expect(seen).toEqual([]);
  });

  test("[B04] an object inside an object as JSON text", async () => {
    const { tool, seen } = spy("nest", Nesting);
    await play(
      [tool],
      [
        rawCall({ id: "a", name: "nest", arguments: JSON.stringify({ inside: JSON.stringify({ tags: '["a"]' }) }) }),
        done,
      ],
      way,
    );
    expect(seen).toEqual([{ inside: { tags: ["a"] } }]);
    const other = spy("nest", Nesting);
    const ran = await play([other.tool], [rawCall({ id: "a", name: "nest", arguments: '{"inside":"[]"}' }), done], way);
    expect(onlyResult(ran)).toMatchObject({ isError: true, text: expect.stringContaining("inside") });
    expect(other.seen).toEqual([]);
  });

  class Optional {
    @Text() q!: string;
    @Int({ optional: true }) limit?: number;
    @Text({ optional: true, nullable: true }) tag?: string | null;
  }
  const zodOptional = z.object({ q: z.string(), limit: z.int().optional(), tag: z.string().nullable().optional() });

  test.each([
    ["DTO", Optional],
    ["Zod", zodOptional],
  ])("[B07] null: absent where optional, refused where required, itself where nullable (%s)", async (_kind, input) => {
    const { tool, seen } = spy("find", input);
    await play([tool], [rawCall({ id: "a", name: "find", arguments: '{"q":"x","limit":null,"tag":null}' }), done], way);
    expect(seen).toEqual([{ q: "x", tag: null }]);
    expect(Object.keys(seen[0] as object)).toEqual(["q", "tag"]);
    const { text, isError } = onlyResult(
      await play([tool], [rawCall({ id: "a", name: "find", arguments: '{"q":null}' }), done], way),
    );
    expect(isError).toBe(true);
    expect(text).toMatch(/\bq: expected/);
    expect(seen).toHaveLength(1);
  });

  class Loose {
    @Int() n!: number;
    @Flag() on!: boolean;
  }
  const zodLoose = z.object({ n: z.int(), on: z.boolean() });

  describe.each([
    ["DTO", Loose],
    ["Zod", zodLoose],
  ])("%s", (_kind, input) => {
    test.each([
      ['{"n":"12","on":"false"}', { n: 12, on: false }],
      ['{"n":"-3","on":"true"}', { n: -3, on: true }],
      ['{"n":1e3,"on":true}', { n: 1000, on: true }],
    ])("[B09] a finite decimal and a plain boolean as text are read: %s", async (text, expected) => {
      const { tool, seen } = spy("set", input);
      await play([tool], [rawCall({ id: "a", name: "set", arguments: text }), done], way);
      expect(seen).toEqual([expected]);
    });

    test.each([
      "12abc",
      "",
      "0x10",
      "1e999",
      " ",
      "NaN",
      "Infinity",
      "-Infinity",
      "1_000",
      "1,5",
      "twelve",
      "9007199254740993",
      "1.5",
      "٣",
      "+1",
      "01",
      "1e-400",
    ])("[B09] any other text is refused with the path: %j", async (n) => {
      const { tool, seen } = spy("set", input);
      const { text, isError } = onlyResult(
        await play([tool], [rawCall({ id: "a", name: "set", arguments: JSON.stringify({ n, on: true }) }), done], way),
      );
      expect(isError).toBe(true);
      expect(text).toMatch(/\bn: expected an integer/);
      expect(seen).toEqual([]);
    });

    test.each([2 ** 53, 1.5, true, null, [], {}])("[B09] a value that is no safe integer is refused: %j", async (n) => {
      const { tool, seen } = spy("set", input);
      const { text } = onlyResult(
        await play([tool], [rawCall({ id: "a", name: "set", arguments: JSON.stringify({ n, on: true }) }), done], way),
      );
      expect(text).toMatch(/\bn: /);
      expect(seen).toEqual([]);
    });

    test.each(["yes", "no", "1", "0", "False", "", "off", 0, 1, null])(
      "[B09] what is no plain boolean is refused: %j",
      async (on) => {
        const { tool, seen } = spy("set", input);
        const { text } = onlyResult(
          await play([tool], [rawCall({ id: "a", name: "set", arguments: JSON.stringify({ n: 1, on }) }), done], way),
        );
        expect(text).toMatch(/\bon: /);
        expect(seen).toEqual([]);
      },
    );
  });

  test.each(["[]", '"x"', "5", "true", "false", '[{"q":"x"}]', '""', "1e999", '"[]"', '"null"', '"{"'])(
    "[B11] JSON that is no object is refused: %s",
    async (text) => {
      const { tool, seen } = spy("find", Named);
      const { text: message, isError } = onlyResult(
        await play([tool], [rawCall({ id: "a", name: "find", arguments: text }), done], way),
      );
      expect(isError).toBe(true);
      expect(message).toContain("find");
      expect(seen).toEqual([]);
    },
  );

  class Query {
    @Text() query!: string;
    @Int({ max: 5 }) n!: number;
    @Text({ optional: true, sensitive: true, max: 3 }) password?: string;
  }

  test("[B14] each failing path is named, and the model mends them one after the other", async () => {
    const { tool, seen } = spy("search", Query);
    const steps = ["{}", '{"query":1,"n":9}', '{"query":"x","n":5,"password":"hunter2"}', '{"query":"x","n":5}'].map(
      (text, i) => rawCall({ id: `c${i}`, name: "search", arguments: text }),
    );
    const { result, requests } = await play([tool], [...steps, done], way);
    expect(result).toMatchObject({ status: "completed", text: "done" });
    const [first, second, third, fourth] = resultsIn(requests[4]);
    expect(first).toMatchObject({ isError: true, text: expect.stringMatching(/query: is required.*n: is required/s) });
    expect(second).toMatchObject({ isError: true, text: expect.stringMatching(/query: expected.*n: expected.*5.*9/s) });
    expect(third).toMatchObject({ isError: true, text: expect.stringContaining("password") });
    expect(fourth).toMatchObject({ isError: false, text: "done" });
    expect(seen).toEqual([{ query: "x", n: 5 }]);
    const sent = JSON.stringify(resultsIn(requests[4]));
    expect(sent).not.toContain("hunter2");
    expect(sent).not.toMatch(/\bat .*\.[jt]s/);
  });

  test("[B14] the message is bounded, however much is wrong", async () => {
    class Many {
      @ListOf(Query) items!: Query[];
    }
    const { tool, seen } = spy("many", Many);
    const items = Array.from({ length: 5_000 }, () => ({
      query: "y".repeat(50),
      n: "z".repeat(50),
      ["x".repeat(300)]: 1,
    }));
    const { text } = onlyResult(
      await play([tool], [rawCall({ id: "a", name: "many", arguments: JSON.stringify({ items }) }), done], way),
    );
    expect(text.length).toBeLessThan(2_000);
    expect(text).toMatch(/items\[0\]\.n: expected.*and \d+ more/s);
    expect(seen).toEqual([]);
  });
});

test("[B14] repairs are told as events, and the stored input is the repaired one", async () => {
  class Loose {
    @Int() n!: number;
    @Int({ optional: true }) limit?: number;
  }
  @Tool({ name: "set", description: "Sets.", input: Loose })
  class Set {
    run(input: Loose): number {
      return input.n;
    }
  }
  const events: RunEvent[] = [];
  const model = scriptedModel(rawCall({ id: "a", name: "set", arguments: '{"n":"12","limit":null}' }), done);
  await using app = await appOf([Set], model);
  await app.run({ prompt: "go" }, { onEvent: (event) => void events.push(event) });
  expect(events.find(({ type }) => type === "tool-start")).toMatchObject({
    input: { n: 12 },
    repairs: [
      { path: "n", kind: "number-text" },
      { path: "limit", kind: "null-as-absent" },
    ],
  });
  // The model is shown its own words again, not ours.
  expect(callsIn(model.requests[1])).toEqual([{ id: "a", name: "set", input: { n: "12", limit: null } }]);
});
