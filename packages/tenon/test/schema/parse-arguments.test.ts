import { expect, test } from "vitest";
import { parseArguments } from "../../src/schema/parse-arguments.js";

test("[B01] empty text, white space, null and nothing are an empty object, fresh each time", () => {
  for (const text of ["", "  \n", "null", " null ", null, undefined])
    expect(parseArguments(text)).toEqual({ ok: true, value: {} });
  const first = parseArguments("");
  expect(first.ok && first.value).not.toBe((parseArguments("") as { value: unknown }).value);
});

test("[B02] text that is not JSON is refused in under 1 kB, saying why and quoting nothing", () => {
  const secret = "hunter2".repeat(500);
  for (const text of [
    '{"q" 5}',
    '{"q": 5',
    '{"q": "a',
    "{q: 1}",
    '{"a":1}}',
    '{"a":1,}',
    "undefined",
    "NaN",
    '{"n":012}',
    '{"p":"\n"}',
    `{"p": "${secret}" x}`,
    `x${secret}`,
    "\u0000",
    "{'a': 1}",
    '{"a": "\\x"}',
    `{"p": ${secret}}`,
  ]) {
    const parsed = parseArguments(text);
    expect(parsed.ok, text.slice(0, 20)).toBe(false);
    const message = (parsed as { message: string }).message;
    expect(message.length).toBeLessThan(300);
    expect(message).not.toContain("hunter2");
    expect(message).not.toMatch(/\n\s+at /);
  }
  expect(parseArguments('{"q": 5')).toMatchObject({ message: expect.stringContaining("position 7") });
  expect(parseArguments('{"q":')).toMatchObject({
    message: expect.stringContaining("ends before the JSON is complete"),
  });
  expect(parseArguments('{"q" 5}')).toMatchObject({ message: expect.stringContaining("at position 5") });
});

test("[B11] JSON that is no object is refused", () => {
  for (const text of ["[]", '"x"', "5", "true", "[{}]", '"[]"', '"5"', '""', '"null"'])
    expect(parseArguments(text)).toEqual({ ok: false, message: expect.stringMatching(/no JSON object/) });
  for (const odd of [5, true, Symbol("x"), 10n, [], [{}]]) expect(parseArguments(odd).ok).toBe(false);
});

test("[B04] the whole arguments as a JSON string are accepted and reported, one level deep", () => {
  expect(parseArguments(JSON.stringify('{"a":1}'))).toEqual({
    ok: true,
    value: { a: 1 },
    repaired: { path: "", kind: "json-text" },
  });
  expect(parseArguments(JSON.stringify(JSON.stringify('{"a":1}'))).ok).toBe(false);
  expect(parseArguments('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
});

test("an object is copied, and one that JSON cannot hold is refused", () => {
  const given = { a: { b: [1] }, skipped: undefined };
  const parsed = parseArguments(given) as { value: any };
  expect(parsed.value).toEqual({ a: { b: [1] } });
  expect(parsed.value.a).not.toBe(given.a);
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  for (const odd of [
    cycle,
    { big: 10n },
    { toJSON: () => undefined },
    {
      toJSON: () => {
        throw new Error("no");
      },
    },
    new Date(),
  ])
    expect(parseArguments(odd).ok).toBe(false);
});

test("__proto__ is an own key of the result and pollutes nothing", () => {
  const parsed = parseArguments('{"__proto__":{"admin":true},"constructor":1}') as { value: any };
  expect(Object.keys(parsed.value)).toEqual(["__proto__", "constructor"]);
  expect(parsed.value.admin).toBeUndefined();
  expect(({} as any).admin).toBeUndefined();
});

test("very deep text is refused, very long text is not", () => {
  expect(parseArguments(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).toMatchObject({
    ok: false,
    message: expect.stringContaining("500 levels"),
  });
  expect(parseArguments(`{"a":${'{"a":'.repeat(600)}1${"}".repeat(600)}}`).ok).toBe(false);
  expect(parseArguments(`{"a":${JSON.stringify('[{"\\'.repeat(10_000))}}`).ok).toBe(true);
  expect(parseArguments(`{"a":[${"[],".repeat(5_000)}1]}`).ok).toBe(true);
});

test.each(["1e999", "-1e+400", '[{"b":5E400}]', "9".repeat(400), `${"9".repeat(300)}e99`])(
  "a number that would be read as infinite is refused, wherever it stands: %.20s",
  (number) => {
    expect(parseArguments(`{"a":${number}}`)).toEqual({
      ok: false,
      message: expect.stringContaining("a number in it is too large"),
    });
  },
);

test.each(["1e308", "-1.5E+300", "1e-999", "0.".padEnd(400, "1"), '"1e999"', '"' + "9".repeat(400) + '"'])(
  "other numbers, and texts of digits, are not: %.20s",
  (value) => {
    expect(parseArguments(`{"a":${value}}`)).toMatchObject({ ok: true, value: { a: JSON.parse(value) } });
  },
);
