import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { compileSchema, loadValidator } from "../../src/schema/compile-schema.js";
import type { Checked } from "../../src/schema/compiled-schema.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";

beforeAll(() => loadValidator());

const compiled = (schema: any) => compileSchema(schema, "input");
const own = (json: object, validate: (value: any) => unknown): any => ({
  "~standard": { version: 1, vendor: "own", validate, jsonSchema: { input: () => json, output: () => json } },
});
const open = { type: "object", properties: {} };

describe("Zod", () => {
  const Event = z.object({
    at: z.iso.datetime().pipe(z.coerce.date()),
    until: z
      .codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
      .optional(),
    length: z.string().transform((text) => text.length),
    name: z.string().trim().min(2),
    count: z.int().default(3),
    mail: z.email().optional(),
    tags: z.array(z.string()).optional(),
  });
  const good = { at: "2026-01-02T03:04:05Z", length: "four", name: "  Ann " };

  test("[B58] the model sees the input side, the handler gets the output side, the record keeps the input", async () => {
    expect(jsonSchemaOf(Event)).toMatchObject({
      properties: {
        at: { type: "string", format: "date-time" },
        until: { type: "string", format: "date-time" },
        length: { type: "string" },
        name: { type: "string" },
        count: { type: "integer", default: 3 },
      },
      required: ["at", "length", "name"],
    });
    const checked = (await compiled(Event).check({ ...good, tags: null })) as any;
    expect(checked).toEqual({
      ok: true,
      input: { ...good, count: 3 },
      repairs: [{ path: "tags", kind: "null-as-absent" }],
    });
    const value = (await compiled(Event).toValue(checked.input)) as any;
    expect(value).toEqual({ at: new Date("2026-01-02T03:04:05Z"), length: 4, name: "Ann", count: 3 });
    expect(compiled(Event).toValue(checked.input)).not.toBe(value);
  });

  test("its checks are synchronous where the library's are", () => {
    expect(compiled(Event).check({ ...good })).not.toBeInstanceOf(Promise);
    expect(compiled(Event).toValue(good)).not.toBeInstanceOf(Promise);
  });

  test("[B09] text for numbers and JSON text are repaired by its JSON Schema", () => {
    expect(compiled(Event).check({ ...good, count: "7", tags: '["a"]' })).toMatchObject({
      ok: true,
      input: { count: 7, tags: ["a"] },
    });
    expect(compiled(Event).check({ ...good, count: 2 ** 53 })).toMatchObject({
      ok: false,
      message: "count: expected an integer, got 9007199254740992, beyond the safe range",
    });
  });

  test("what only the library knows is refused with its path", () => {
    expect(compiled(Event).check({ ...good, name: " x " })).toEqual({
      ok: false,
      message: expect.stringMatching(/^name: /),
    });
    expect(compiled(Event).check({ ...good, mail: "nobody" })).toEqual({
      ok: false,
      message: expect.stringMatching(/^mail: /),
    });
    const Sum = z.object({ rows: z.array(z.object({ n: z.number() })) }).superRefine((value, ctx) => {
      for (const [index, row] of value.rows.entries())
        if (row.n < 0) ctx.addIssue({ code: "custom", path: ["rows", index, "n"], message: "below zero" });
    });
    expect(compiled(Sum).check({ rows: [{ n: 1 }, { n: -1 }, { n: -2 }] })).toEqual({
      ok: false,
      message: "rows[1].n: below zero\nrows[2].n: below zero",
    });
  });

  test("a discriminated union names the fault of the branch that was meant", () => {
    const Shape = z.object({
      shape: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("circle"), r: z.number() }),
        z.object({ kind: z.literal("box"), w: z.number(), h: z.number().default(1) }),
      ]),
      or: z.union([z.number(), z.boolean()]).optional(),
    });
    expect(compiled(Shape).check({ shape: { kind: "box", w: "x" } })).toEqual({
      ok: false,
      message: 'shape.w: expected a number, got "x"',
    });
    expect(compiled(Shape).check({ shape: { kind: "box", w: "2" } })).toEqual({
      ok: true,
      input: { shape: { kind: "box", w: 2, h: 1 } },
      repairs: [{ path: "shape.w", kind: "number-text" }],
    });
    expect(compiled(Shape).check({ shape: { kind: "cone" } })).toEqual({
      ok: false,
      message: 'shape: expected an object with kind "circle" or an object with kind "box", got an object',
    });
    expect(compiled(Shape).check({ shape: { kind: "circle", r: 1 }, or: "true" })).toMatchObject({
      ok: true,
      input: { or: true },
    });
  });

  test("a pattern is the library's own, with the flags that JSON Schema cannot say", () => {
    const Code = z.object({ code: z.string().regex(new RegExp("^ab\\@c$", "i")) });
    expect(jsonSchemaOf(Code)).toMatchObject({ properties: { code: { pattern: expect.stringContaining("ab") } } });
    expect(compiled(Code).check({ code: "AB@c" })).toMatchObject({ ok: true });
    expect(compiled(Code).check({ code: "x" })).toEqual({ ok: false, message: expect.stringMatching(/^code: /) });
  });

  test("a default of the output side is left to the library", () => {
    const Late = z.object({ n: z.string().transform(Number).default(5) });
    const checked = compiled(Late).check({}) as any;
    expect(checked).toMatchObject({ ok: true, input: {} });
    expect(compiled(Late).toValue(checked.input)).toEqual({ n: 5 });
  });

  test("__proto__ is refused where other keys are open", () => {
    const Open = z.looseObject({ a: z.string() });
    expect(compiled(Open).check(JSON.parse('{"a":"x","__proto__":{"b":1}}'))).toMatchObject({
      ok: false,
      message: expect.stringContaining("__proto__"),
    });
    expect(compiled(Open).check({ a: "x", constructor: 1 })).toMatchObject({ ok: true });
    expect(compiled(z.record(z.string(), z.number())).check({ a: "1", "b c": 2 })).toEqual({
      ok: true,
      input: { a: 1, "b c": 2 },
      repairs: [{ path: "a", kind: "number-text" }],
    });
  });
});

describe("a library whose validate", () => {
  test("is asynchronous gives promises", async () => {
    const schema = own(open, async (value) =>
      value.bad ? { issues: [{ message: "no" }] } : { value: { made: true } },
    );
    const pending = compiled(schema).check({});
    expect(pending).toBeInstanceOf(Promise);
    expect(await pending).toMatchObject({ ok: true });
    expect(await compiled(schema).check({ bad: 1 })).toEqual({ ok: false, message: "input: no" });
    expect(await compiled(schema).toValue({})).toEqual({ made: true });
  });

  test("throws or rejects is a failed check", async () => {
    const boom = (): never => {
      throw new Error("boom");
    };
    expect(compiled(own(open, boom)).check({})).toEqual({ ok: false, message: "input: could not be checked (boom)" });
    expect(await compiled(own(open, async () => boom())).check({})).toEqual({
      ok: false,
      message: "input: could not be checked (boom)",
    });
    expect(() => compiled(own(open, boom)).toValue({})).toThrow("boom");
  });

  test("answers with rubbish is a failed check", async () => {
    for (const rubbish of [undefined, null, { issues: 5 }, { issues: [null] }]) {
      expect((compiled(own(open, () => rubbish)).check({}) as Checked).ok).toBe(false);
      expect((await compiled(own(open, async () => rubbish)).check({})).ok).toBe(false);
    }
    expect(compiled(own(open, () => ({ issues: [] }))).check({})).toEqual({
      ok: false,
      message: "input: does not fit its schema",
    });
    const many = own(open, () => ({
      issues: Array.from({ length: 500 }, (_, i) => ({
        message: "x".repeat(5_000),
        path: ["list", { key: i }, "odd key"],
      })),
    }));
    const { message } = compiled(many).check({}) as { message: string };
    expect(message.length).toBeLessThan(2_000);
    expect(message).toMatch(/^list\[0\]\["odd key"\]: xxx/);
  });

  test("changes its mind makes the handler's value a SchemaError", () => {
    let asked = 0;
    const schema = own(open, (value) => (asked++ === 0 ? { value } : { issues: [{ message: "not any more" }] }));
    expect(compiled(schema).check({})).toMatchObject({ ok: true });
    expect(() => compiled(schema).toValue({})).toThrow(/not any more/);
  });

  test("is not asked where the JSON Schema already refuses", () => {
    let asked = 0;
    const schema = own(
      { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      (value) => (asked++, { value }),
    );
    expect(compiled(schema).check({})).toMatchObject({ ok: false });
    expect(asked).toBe(0);
  });
});

test("a library's schema with keywords that a validator would read in its own way", () => {
  const schema = own(
    {
      $async: true,
      $id: "x",
      type: "object",
      properties: { a: { type: "string", nullable: true, format: "email" }, b: { $ref: "#/$defs/list" } },
      required: ["a"],
      $defs: { list: { type: "array", items: { type: "integer" } } },
    },
    (value) => ({ value }),
  );
  expect(compiled(schema).check({ a: "no mail", b: ["1"] })).toMatchObject({
    ok: true,
    input: { a: "no mail", b: [1] },
  });
  expect(compiled(schema).check({ a: null })).toEqual({ ok: false, message: "a: expected a string, got null" });
  expect(compiled({ ...own({ $id: "x", ...open }, (value) => ({ value })) }).check({})).toMatchObject({ ok: true });
});

test("a schema that is no valid JSON Schema is a SchemaError", () => {
  expect(() => compiled(own({ type: "object", properties: { a: { type: "strin" } } }, (value) => ({ value })))).toThrow(
    /cannot be compiled/,
  );
});

test("an output is checked by the side that a handler returns, without text repairs", () => {
  const Out = z.object({ at: z.string().transform((text) => new Date(text)), n: z.number() });
  const check = (value: unknown): unknown => compileSchema(Out, "output").check(value);
  expect(check({ at: "2026-01-01", n: 1 })).toEqual({ ok: true, input: { at: "2026-01-01", n: 1 }, repairs: [] });
  expect(check({ at: "2026-01-01", n: "1" })).toEqual({ ok: false, message: 'n: expected a number, got "1"' });
});
