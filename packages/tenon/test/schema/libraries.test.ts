import { scope, type } from "arktype";
import * as v from "valibot";
import { beforeAll, describe, expect, test } from "vitest";
import { compileSchema } from "../../src/schema/compile-schema.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";
import { loadFor } from "../../src/schema/load-for.js";

beforeAll(() => loadFor([v.object({})]));

const compiled = (schema: any) => compileSchema(schema, "input");
const told = async (schema: any, value: unknown): Promise<string> =>
  ((await compiled(schema).check(value)) as any).message;

describe("ArkType", () => {
  const Event = type({
    at: type("string.date.iso.parse").describe("when"),
    name: type("string")
      .pipe((text) => text.trim())
      .to("string >= 2"),
    length: type("string").pipe((text) => text.length),
    count: "number.integer = 3",
    "mail?": "string.email",
    "tags?": "string[]",
  });
  const good = { at: "2026-01-02T03:04:05Z", length: "four", name: "  Ann " };

  test("[B58] the model sees the input side, the handler gets the output side, the record keeps the input", async () => {
    expect(jsonSchemaOf(Event)).toMatchObject({
      type: "object",
      properties: {
        at: { type: "string", description: "when" },
        length: { type: "string" },
        name: { type: "string" },
        count: { type: "integer" },
        mail: { type: "string" },
      },
      required: ["at", "length", "name"],
    });
    const checked = (await compiled(Event).check({ ...good, count: "7", tags: null })) as any;
    expect(checked).toMatchObject({ ok: true, input: { ...good, count: 7 } });
    expect(await compiled(Event).toValue(checked.input)).toEqual({
      at: new Date("2026-01-02T03:04:05Z"),
      length: 4,
      name: "Ann",
      count: 7,
    });
    expect(await compiled(Event).toValue(good)).toMatchObject({ count: 3 });
    expect(compiled(Event).check({ ...good })).not.toBeInstanceOf(Promise);
    expect(good.name).toBe("  Ann ");
  });

  test("what only the library knows is refused with its path", async () => {
    expect(await told(Event, { ...good, name: " x " })).toMatch(/^name: /);
    expect(await told(Event, { ...good, mail: "nobody" })).toMatch(/^mail: /);
    expect(await told(Event, { ...good, at: "tomorrow" })).toMatch(/^at: /);
    expect(await told(type({ rows: type({ n: "number > 0" }).array() }), { rows: [{ n: 1 }, { n: -1 }] })).toMatch(
      /^rows\[1\]\.n: expected a number above 0, got -1/,
    );
  });

  test("a branch that JSON cannot hold is left out; what only takes such a value is refused", () => {
    expect(
      jsonSchemaOf(type({ "a?": "number | undefined", b: "string | Date", c: "string | number | bigint" })),
    ).toMatchObject({
      properties: {
        a: { type: "number" },
        b: { type: "string" },
        c: { anyOf: [{ type: "number" }, { type: "string" }] },
      },
    });
    for (const odd of ["Date", "bigint", "symbol", "undefined", "Map", "never", "Date[]"] as const)
      expect(() => jsonSchemaOf(type({ a: odd as "Date" })), odd).toThrow(
        /arktype: it wants a value that JSON cannot hold/,
      );
    expect(jsonSchemaOf(type({ a: "string", "b?": "never", "c?": "Date" }))).toMatchObject({
      properties: { a: { type: "string" } },
    });
    expect(jsonSchemaOf(type({ a: "string", "b?": "never" })).properties).not.toHaveProperty("b");
    expect(() => jsonSchemaOf(type("string") as never)).toThrow(/The root of a schema is no object: arktype: string/);
    expect(() => jsonSchemaOf(type({ a: "string" }).or({ b: "string" }) as never)).toThrow(/arktype: a union/);
  });

  test("recursion has names that are the same in every process", async () => {
    const { tree } = scope({ tree: { name: "string", "kids?": "tree[]" } }).export();
    expect(jsonSchemaOf(tree)).toEqual({
      type: "object",
      properties: { name: { type: "string" }, kids: { $ref: expect.stringMatching(/^#\/\$defs\/part\d$/) } },
      required: ["name"],
      $defs: { part1: expect.any(Object), part2: expect.any(Object) },
    });
    expect(JSON.stringify(jsonSchemaOf(tree))).not.toContain("intersection");
    expect(await told(tree, { name: "a", kids: [{ name: "b", kids: [{ name: 5 }] }] })).toBe(
      "kids[0].kids[0].name: expected a string, got 5",
    );
  });

  test("an unknown key is what the schema says of it", async () => {
    expect(await told(type({ "+": "reject", a: "string" }), { a: "x", b: 1 })).toMatch(/^b: is not allowed/);
    expect(await compiled(type({ a: "string" })).check({ a: "x", b: 1 })).toMatchObject({ ok: true });
  });
});

describe("Valibot", () => {
  const Event = v.object({
    at: v.pipe(
      v.string(),
      v.isoTimestamp(),
      v.transform((text) => new Date(text)),
      v.description("when"),
    ),
    name: v.pipe(v.string(), v.trim(), v.minLength(2), v.maxLength(4)),
    length: v.pipe(
      v.string(),
      v.transform((text) => text.length),
      v.number(),
      v.maxValue(5),
    ),
    count: v.optional(v.pipe(v.number(), v.integer()), 3),
    mail: v.optional(
      v.pipe(
        v.string(),
        v.email(),
        v.check((text) => text !== "a@b.example", "is taken"),
      ),
    ),
    tags: v.optional(v.array(v.pipe(v.string(), v.brand("tag"), v.readonly(), v.nonEmpty()))),
  });
  const good = { at: "2026-01-02T03:04:05Z", length: "four", name: "   Ann " };

  test("[B58] the model sees the input side, the handler gets the output side, the record keeps the input", async () => {
    expect(jsonSchemaOf(Event)).toEqual({
      type: "object",
      properties: {
        at: { type: "string", format: "date-time", description: "when" },
        name: { type: "string" },
        length: { type: "string" },
        count: { type: "integer", default: 3 },
        mail: { type: "string", format: "email" },
        tags: { type: "array", items: { type: "string", minLength: 1 } },
      },
      required: ["at", "name", "length"],
    });
    const checked = (await compiled(Event).check({ ...good, tags: null })) as any;
    expect(checked).toMatchObject({ ok: true, input: { ...good, count: 3 } });
    expect(await compiled(Event).toValue(checked.input)).toEqual({
      at: new Date("2026-01-02T03:04:05Z"),
      length: 4,
      name: "Ann",
      count: 3,
    });
    expect(compiled(Event).check({ ...good })).not.toBeInstanceOf(Promise);
  });

  test("what only the library knows is refused with its path", async () => {
    expect(await told(Event, { ...good, name: " x " })).toMatch(/^name: /);
    expect(await told(Event, { ...good, length: "too long" })).toMatch(/^length: /);
    expect(await told(Event, { ...good, mail: "a@b.example" })).toBe("mail: is taken");
    expect(await told(Event, { ...good, count: 1.5 })).toBe("count: expected an integer, got 1.5");
  });

  test("checks and transforms may be asynchronous", async () => {
    const Late = v.objectAsync({
      mail: v.pipeAsync(
        v.pipe(v.string(), v.description("whose")),
        v.checkAsync(async (text) => text.includes("@"), "is no mail address"),
        v.transformAsync(async (text) => text.length),
      ),
    });
    expect(jsonSchemaOf(Late)).toMatchObject({ properties: { mail: { type: "string", description: "whose" } } });
    expect(compiled(Late).check({ mail: "a@b" })).toBeInstanceOf(Promise);
    expect(await told(Late, { mail: "ab" })).toBe("mail: is no mail address");
    expect(await compiled(Late).toValue({ mail: "a@b" })).toEqual({ mail: 3 });
  });

  test("transforms and descriptions are found in every kind of schema", () => {
    const text = (name: string) =>
      v.pipe(
        v.string(),
        v.transform((given) => given.length),
        v.description(name),
      );
    const json = jsonSchemaOf(
      v.pipe(
        v.strictObject({
          list: v.array(text("item")),
          pair: v.tuple([text("first"), text("second")]),
          rest: v.tupleWithRest([v.number()], text("rest")),
          map: v.record(v.string(), text("value")),
          union: v.union([text("left"), v.number()]),
          kind: v.variant("t", [v.object({ t: v.literal("a"), x: text("variant") }), v.object({ t: v.literal("b") })]),
          both: v.intersect([v.object({ a: text("a") }), v.looseObject({ b: text("b") })]),
          nullable: v.nullable(text("nullable")),
          nullish: v.nullish(text("nullish")),
          open: v.objectWithRest({ a: text("known") }, text("others")),
          nested: v.pipe(
            v.pipe(v.object({ a: v.pipe(text("old"), v.description("new")) }), v.title("T")),
            v.description("outer"),
          ),
          choice: v.pipe(v.picklist(["a", "b"]), v.description("choice")),
        }),
        v.transform((value) => value.list),
      ) as never,
    );
    const names = [
      "item",
      "first",
      "second",
      "rest",
      "value",
      "left",
      "variant",
      "a",
      "b",
      "nullable",
      "nullish",
      "known",
      "others",
      "new",
      "outer",
      "choice",
    ];
    for (const name of names) expect(JSON.stringify(json), name).toContain(`"description":"${name}"`);
    expect(JSON.stringify(json)).not.toContain('"old"');
    expect(json).toMatchObject({ additionalProperties: false, properties: { nested: { title: "T" } } });
  });

  test("recursion is followed", async () => {
    interface Tree {
      name: string;
      kids?: Tree[] | undefined;
    }
    const tree: v.GenericSchema<Tree> = v.object({
      name: v.pipe(v.string(), v.trim()),
      kids: v.optional(v.array(v.lazy(() => tree))),
    });
    const json = jsonSchemaOf(tree) as any;
    expect(json).toMatchObject({ type: "object", properties: { kids: { items: { $ref: expect.any(String) } } } });
    expect(await told(tree, { name: "a", kids: [{ name: "b", kids: [{ name: 5 }] }] })).toBe(
      "kids[0].kids[0].name: expected a string, got 5",
    );
  });

  test("what JSON cannot hold is refused", () => {
    for (const odd of [
      v.date(),
      v.bigint(),
      v.map(v.string(), v.string()),
      v.instance(Error),
      v.undefined(),
      v.custom(() => true),
    ])
      expect(() => jsonSchemaOf(v.object({ a: odd }) as never)).toThrow(/valibot: The ".*" schema cannot be converted/);
    expect(() => jsonSchemaOf(v.string() as never)).toThrow(/The root of a schema is no object: valibot: string/);
  });

  test("a schema that brings JSON Schema itself is asked for it", async () => {
    const { toStandardJsonSchema } = await import("@valibot/to-json-schema");
    expect(jsonSchemaOf(toStandardJsonSchema(v.object({ a: v.number() })))).toMatchObject({
      properties: { a: { type: "number" } },
    });
  });
});
