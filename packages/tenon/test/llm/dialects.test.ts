import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { Choice, Int, ListOf, MapOf, Nested, OneOf, Text } from "../../src/doors/dto/index.js";
import { dialectOf, dialects, lowerSchema, type Dialect } from "../../src/llm/dialect.js";
import type { JsonObject } from "../../src/protocol/json.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";

function lower(schema: object, dialect: Dialect): any {
  return lowerSchema(schema as JsonObject, dialect);
}

function closed(properties: object, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { type: "object", properties, required, additionalProperties: false } as JsonObject;
}

class Node {
  @Text({ prompt: "its name" }) name!: string;
  @ListOf(() => Node, { optional: true }) children?: Node[];
}

test.each([
  ["openai.responses", "v4", "openai-strict"],
  ["openai.chat", "v3", "openai-strict"],
  ["azure.responses", "v4", "openai-strict"],
  ["openai.chat", "v2", "openai"],
  ["openai-compatible", "v4", "other"],
  ["anthropic.messages", "v4", "anthropic"],
  ["vertex.anthropic.messages", "v4", "anthropic"],
  ["google.generative-ai", "v4", "google"],
  ["google.vertex.chat", "v4", "google"],
  ["openrouter", "v4", "other"],
  ["compatible.chat", "v4", "other"],
  ["googly", "v4", "other"],
])("%s of specification %s speaks %s", (provider, specificationVersion, dialect) => {
  expect(dialectOf({ provider, specificationVersion })).toBe(dialect);
});

test("a schema is lowered once per dialect, and frozen; what needs nothing stays the same object", () => {
  const schema = closed({ a: { type: "string" } });
  for (const dialect of dialects) {
    const first = lower(schema, dialect);
    expect(lower(schema, dialect)).toBe(first);
    expect(Object.isFrozen(first.schema.properties)).toBe(true);
    expect(first.lost).toEqual([]);
  }
  for (const dialect of ["openai", "anthropic", "other"] as const) expect(lower(schema, dialect).schema).toBe(schema);
});

describe("every provider: the root is an object", () => {
  const schema = {
    type: "object",
    properties: { own: { type: "string" } },
    required: ["own"],
    oneOf: [
      { properties: { a: { type: "string" }, both: { type: "integer" } }, required: ["a", "both"] },
      { $ref: "#/$defs/b" },
    ],
    $defs: { b: { properties: { b: { type: "string" }, both: { type: "string" } }, required: ["both"] } },
  };

  test.each(dialects)("%s", (dialect) => {
    const { schema: made, lost } = lower(schema, dialect);
    for (const keyword of ["anyOf", "oneOf", "allOf"]) expect(made).not.toHaveProperty(keyword);
    expect(Object.keys(made.properties)).toEqual(["own", "a", "both", "b"]);
    expect(made.required).toEqual(["own", "both"]);
    expect(lost).toContain("oneOf at the root");
  });

  test("what all parts require stays required", () => {
    const both = { type: "object", properties: {}, allOf: [{ required: ["a"] }, { required: ["b"] }] };
    expect(lower(both, "other").schema).toEqual({ type: "object", properties: {}, required: ["a", "b"] });
  });
});

describe("OpenAI, strict", () => {
  test("[B51] every object closed, all members required, optional ones nullable, at every depth", () => {
    const inner = closed({ x: { type: "number" }, y: { enum: ["p", "q"] } }, ["x"]);
    const { schema, strict } = lower(
      closed({ a: { type: "string" }, b: { type: "integer" }, c: { type: "array", items: inner } }, ["a"]),
      "openai-strict",
    );
    expect(strict).toBe(true);
    expect(schema).toEqual({
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: ["integer", "null"] },
        c: {
          type: ["array", "null"],
          items: {
            type: "object",
            properties: { x: { type: "number" }, y: { type: ["string", "null"], enum: ["p", "q", null] } },
            required: ["x", "y"],
            additionalProperties: false,
          },
        },
      },
      required: ["a", "b", "c"],
      additionalProperties: false,
    });
  });

  test.each<[string, object, RegExp]>([
    ["an open object", { type: "object", properties: { a: { type: "string" } }, additionalProperties: true }, /open/],
    ["one that says nothing of more members", { type: "object", properties: {} }, /open/],
    ["an open object inside", closed({ a: { type: "object", properties: {} } }), /^a is an open object/],
    ["a map", closed({ a: { type: "object", additionalProperties: { type: "string" } } }), /open/],
    ["anything", closed({ a: {} }), /a may be anything/],
    ["true", closed({ a: true }), /a may be anything/],
    ["a list of anything", closed({ a: { type: "array", items: {} } }), /a\[\] may be anything/],
    ["optional and nullable", closed({ a: { type: ["string", "null"] } }, []), /a may be absent or null/],
    ["allOf", closed({ a: { allOf: [{ type: "string" }] } }), /a has `allOf`/],
    ["not", closed({ a: { type: "string", not: { const: "x" } } }), /`not`/],
    ["a pair", closed({ a: { type: "array", prefixItems: [{ type: "string" }], items: {} } }), /`prefixItems`/],
    ["names by pattern", closed({ a: { ...closed({}), patternProperties: {} } }), /`patternProperties`/],
    ["a required member that is not described", closed({ a: { type: "string" } }, ["a", "b"]), /b is required/],
    ["too many values", closed({ a: { enum: Array.from({ length: 1_001 }, (_, i) => i) } }), /1000 enum values/],
    ["too deep", Array.from({ length: 12 }).reduce<JsonObject>((a) => closed({ a }), closed({})), /10 levels/],
    ["a keyword nobody knows", closed({ a: { type: "string", "x-thing": 1 } }), /`x-thing`/],
  ])("[B51] %s is sent plain, and says why", (_what, schema, why) => {
    const lowered = lower(schema, "openai-strict");
    expect(lowered.strict).toBe(false);
    expect(lowered.schema).toBe(schema);
    expect(lowered.whyNotStrict).toMatch(why);
    expect(lowered.lost).toEqual([]);
  });

  test("what only narrows is said in words, and told as lost", () => {
    const { schema, strict, lost } = lower(
      closed(
        {
          a: { type: "string", description: "A name.", minLength: 2, pattern: "^(?!x)", format: "uri" },
          b: {
            type: "array",
            items: { type: "string", pattern: "^x", format: "date" },
            uniqueItems: true,
            maxItems: 3,
          },
          c: { type: "integer", default: 5, minimum: 1 },
        },
        ["a", "b"],
      ),
      "openai-strict",
    );
    expect(strict).toBe(true);
    expect(schema.properties).toEqual({
      a: { type: "string", description: "A name. (minLength 2; pattern ^(?!x); format uri)" },
      b: {
        type: "array",
        items: { type: "string", pattern: "^x", format: "date" },
        maxItems: 3,
        description: "(uniqueItems true)",
      },
      c: { type: ["integer", "null"], minimum: 1, description: "(default 5)" },
    });
    expect(lost).toEqual(["a: minLength", "a: pattern", "a: format", "b: uniqueItems", "c: default"]);
  });

  test("[B49] a recursive type keeps its references, with descriptions beside them", () => {
    const { schema, strict } = lower(jsonSchemaOf(Node), "openai-strict");
    expect(strict).toBe(true);
    expect(JSON.stringify(schema)).toContain('"$ref"');
    const { schema: beside } = lower(
      {
        ...closed({ a: { $ref: "#/$defs/a", description: "The first." }, b: { $ref: "#/$defs/a" } }, ["a"]),
        $defs: { a: closed({ x: { type: "string" } }) },
      },
      "openai-strict",
    );
    expect(beside.properties).toEqual({
      a: { anyOf: [{ $ref: "#/$defs/a" }], description: "The first." },
      b: { anyOf: [{ $ref: "#/$defs/a" }, { type: "null" }] },
    });
    expect(beside.$defs.a.required).toEqual(["x"]);
  });

  class Cat {
    @Choice(["cat"]) kind!: "cat";
    @Int({ optional: true }) lives?: number;
  }
  class Dog {
    @Choice(["dog"]) kind!: "dog";
  }
  class Pets {
    @OneOf([Cat, Dog], { by: "kind", prompt: "a pet" }) pet!: Cat | Dog;
    @Nested(Dog, { optional: true, prompt: "a friend" }) friend?: Dog;
  }

  test("a DTO with unions and optional parts is strict; one with a map is not", () => {
    const { schema, strict, lost } = lower(jsonSchemaOf(Pets), "openai-strict");
    expect({ strict, lost }).toEqual({ strict: true, lost: [] });
    expect(schema.properties.pet.description).toBe("a pet");
    expect(schema.properties.pet.anyOf[0].required).toEqual(["kind", "lives"]);
    expect(schema.properties.friend).toMatchObject({ type: ["object", "null"], description: "a friend" });
    class Counts {
      @MapOf("int") counts!: Record<string, number>;
    }
    expect(lower(jsonSchemaOf(Counts), "openai-strict").strict).toBe(false);
  });
});

describe("Gemini", () => {
  test("what it cannot be told is said in words or left out, and listed", () => {
    const { schema, lost } = lower(
      closed({
        a: { type: "string", pattern: "^x", minLength: 1, format: "email", description: "An address." },
        b: { const: "only" },
        c: { oneOf: [{ type: "string" }, { type: "integer", exclusiveMinimum: 0 }] },
        d: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: {}, minItems: 2 },
        e: { enum: [true, false] },
        f: { type: ["string", "null"], enum: ["x", null] },
        g: { type: "object", additionalProperties: { type: "integer", multipleOf: 2 } },
        h: true,
        i: { type: "number", exclusiveMaximum: 1 },
      }),
      "google",
    );
    expect(schema.properties).toEqual({
      a: { type: "string", description: "An address. (pattern ^x; minLength 1; format email)" },
      b: { type: "string", enum: ["only"] },
      c: { anyOf: [{ type: "string" }, { type: "integer", minimum: 1 }] },
      d: { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }, {}] }, minItems: 2 },
      e: { type: "boolean" },
      f: { type: ["string", "null"], enum: ["x"] },
      g: { type: "object", additionalProperties: { type: "integer", description: "(multipleOf 2)" } },
      h: {},
      i: { type: "number", maximum: 1, description: "(exclusiveMaximum 1)" },
    });
    expect(lost).toEqual([
      "a: pattern",
      "a: minLength",
      "a: format",
      "c: oneOf, sent as anyOf",
      "d: prefixItems, sent as items of any of them",
      "g{}: multipleOf",
      "i: exclusiveMaximum",
    ]);
  });

  test("[B49] a recursive type is written out three levels deep; descriptions stay", () => {
    const { schema, lost } = lower(jsonSchemaOf(Node), "google");
    const text = JSON.stringify(schema);
    expect(text).not.toMatch(/\$ref|\$defs/);
    expect(text.match(/its name/g)!.length).toBeGreaterThanOrEqual(3);
    expect(lost).toEqual([expect.stringMatching(/^children.*: what it holds at this depth$/)]);
    const tree = { name: "a", children: [{ name: "b", children: [{ name: "c", children: [{ name: "d" }] }] }] };
    expect(new Ajv2020({ strict: false }).compile(schema)(tree)).toBe(true);
  });

  test("[B49] many types that hold each other are written out as far as that is not too large", () => {
    const names = ["a", "b", "c", "d", "e"];
    const members = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const $defs = Object.fromEntries(names.map((name) => [name, { type: "object", properties: members }]));
    const { schema, lost } = lower({ type: "object", properties: members, $defs }, "google");
    expect(JSON.stringify(schema).length).toBeLessThan(200_000);
    expect(Object.keys(schema.properties)).toEqual(names);
    expect(lost.length).toBeGreaterThan(0);
  });
});

test("[B49] a schema that cannot be lowered becomes one of any object, in any dialect", () => {
  const bad = { type: "object", properties: { a: { $ref: "#/$defs/gone" } }, additionalProperties: false };
  for (const dialect of ["google", "openai-strict"] as const) {
    const { schema, strict, lost } = lower(bad, dialect);
    expect(schema).toEqual({ type: "object", properties: {}, additionalProperties: true });
    expect(strict).toBe(false);
    expect(lost).toEqual([expect.stringMatching(/^the whole schema: .*gone/)]);
  }
  const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`m${i}`, { type: "string" }]));
  expect(lower({ type: "object", properties: wide }, "google").lost[0]).toMatch(/more than 2000 parts/);
  const odd = { type: "object", properties: null, anyOf: 5 };
  for (const dialect of dialects) expect(lower(odd, dialect).lost[0]).toMatch(/^the whole schema/);
});
