import { beforeAll, describe, expect, test } from "vitest";
import { createApp, defineTool, jsonSchema, toolDefinitionOf, toolOf } from "../../src/doors/tenon/index.js";
import { scriptedModel } from "../../src/doors/testing/index.js";
import { compileSchema } from "../../src/schema/compile-schema.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";
import { loadFor } from "../../src/schema/load-for.js";
import { agentOf } from "../known-failures/wire.js";

beforeAll(() => loadFor([]));

const given = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    mail: { type: "string", format: "email", description: "where to" },
    code: { type: "string", pattern: "^[a-z]+$" },
    tries: { type: "integer", default: 3, minimum: 1 },
    tree: { $ref: "#/$defs/tree" },
    pair: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false },
    rows: { type: "array" },
    free: true,
  },
  required: ["mail"],
  additionalProperties: false,
  $defs: { tree: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/tree" } } } } },
};
const check = (value: unknown): any => compileSchema(jsonSchema(given), "input").check(value);

describe("jsonSchema()", () => {
  test("is sent as it is, but for what a model need not read", () => {
    const { $schema: _, ...rest } = given;
    expect(jsonSchemaOf(jsonSchema(given))).toEqual({
      ...rest,
      properties: { ...rest.properties, rows: { type: "array", items: {} } },
    });
  });

  test("is a frozen copy: what its author changes later changes nothing", () => {
    const own = { type: "object", properties: { a: { type: "string" } } };
    const source = jsonSchema(own);
    own.properties.a.type = "number";
    expect(jsonSchemaOf(source)).toMatchObject({ properties: { a: { type: "string" } } });
    expect(Object.isFrozen((source.schema as typeof own).properties.a)).toBe(true);
    expect(() => ((source as any).schema = {})).toThrow(TypeError);
  });

  test("a default that does not fit its own member is left out, at every depth, and keeps no app from starting", async () => {
    const part = {
      type: "object",
      properties: { q: { type: "string", default: null }, n: { type: "integer", default: 2 } },
    };
    const schema = {
      type: "object",
      properties: {
        note: { type: "string", default: null },
        size: { enum: ["s", "m"], default: "l" },
        many: { type: "array", items: { type: "string" }, default: "none" },
        ref: { $ref: "#/$defs/part", default: {} },
        list: { type: "array", items: part },
        must: { type: "string", default: 5 },
        kept: { type: ["string", "null"], default: null },
      },
      required: ["must"],
      $defs: { part },
    };
    const input = jsonSchema(schema);
    const seen: unknown[] = [];
    const tool = defineTool({ name: "odd", description: "Odd.", input, run: (value) => void seen.push(value) });
    await using app = await createApp(agentOf([tool]), { models: { default: scriptedModel() }, env: {} });
    expect(await app.tool(tool).invoke({ must: "x", list: [{}] })).toMatchObject({ kind: "ok" });
    expect(seen).toEqual([{ must: "x", list: [{ n: 2 }], ref: { n: 2 }, kept: null }]);
    // A model that does what the default says means an absent member.
    expect(await app.tool(tool).invoke({ must: "x", note: null, ref: { q: null } })).toMatchObject({ kind: "ok" });
    expect(seen[1]).toEqual({ must: "x", ref: { n: 2 }, kept: null });
    expect(await app.tool(tool).invoke({})).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/must/),
    });
    expect(jsonSchemaOf(input)).toMatchObject({ properties: { note: { default: null }, size: { default: "l" } } });
    const output = compileSchema(
      jsonSchema({ type: "object", properties: { a: { type: "string", default: 1 } } }),
      "output",
    );
    expect(await output.check({})).toMatchObject({ ok: true, input: {} });
  });

  test("has the same repairs, defaults and messages as a DTO, and checks formats and patterns itself", () => {
    expect(check({ mail: "a@b.example", tries: "2", tree: '{"kids":[{"kids":[]}]}', pair: ["1", "x"] })).toEqual({
      ok: true,
      input: { mail: "a@b.example", tries: 2, tree: { kids: [{ kids: [] }] }, pair: [1, "x"] },
      repairs: expect.arrayContaining([{ path: "pair[0]", kind: "number-text" }]),
    });
    expect(check({ mail: "a@b.example" }).input).toEqual({ mail: "a@b.example", tries: 3 });
    expect(
      check({ mail: "nobody", code: "A", tree: { kids: [{ kids: 5 }] }, x: 1 })
        .message.split("\n")
        .sort(),
    ).toEqual([
      'code: expected a string that matches ^[a-z]+$, got "A"',
      'mail: expected a string in the form email, got "nobody"',
      "tree.kids[0].kids: expected a list, got 5",
      expect.stringMatching(/^x: is not allowed; known are mail, /),
    ]);
  });

  test("gives the handler plain JSON of its own", async () => {
    const seen: any[] = [];
    const tool = defineTool({
      name: "send",
      description: "Sends.",
      input: jsonSchema<{ mail: string; free?: { a: number } }>(given),
      output: jsonSchema<{ told: string }>({
        type: "object",
        properties: { told: { type: "string" } },
        required: ["told"],
      }),
      run(input) {
        seen.push(input);
        return { told: input.mail };
      },
    });
    const input = { mail: "a@b.example", free: { a: 1 } };
    expect(await toolOf(tool).invoke(input)).toEqual({ kind: "ok", value: { told: "a@b.example" } });
    expect(seen[0]).toEqual({ ...input, tries: 3 });
    const checked = check(input).input;
    (compileSchema(jsonSchema(given), "input").toValue(checked) as any).free.a = 2;
    expect(checked.free.a).toBe(1);
    const wrong = defineTool({
      name: "send",
      description: "Sends.",
      output: jsonSchema<{ told: string }>({ type: "object", required: ["told"] }),
      run: () => ({}) as { told: string },
    });
    expect(await toolOf(wrong).invoke({})).toMatchObject({
      code: "invalid_output",
      message: expect.stringContaining("told"),
    });
  });

  test("an object without properties is one with no arguments that are known", () => {
    expect(jsonSchemaOf(jsonSchema({ type: "object" }))).toEqual({ type: "object", properties: {} });
    expect(jsonSchemaOf(jsonSchema({ $ref: "#/$defs/a", $defs: { a: { type: "object" } } }))).toMatchObject({
      type: "object",
      properties: {},
    });
  });
});

const cyclic: Record<string, unknown> = { type: "object" };
cyclic["properties"] = { a: cyclic };

describe("a bad one is a SchemaError at assembly, not where it is written", () => {
  test.each<[string, unknown, RegExp]>([
    ["no object", 5, /the root is no schema but number/],
    ["nothing", undefined, /it is no JSON/],
    ["a list", [], /the root is no schema but array/],
    ["true", true, /the root is no schema but boolean/],
    ["a cycle", cyclic, /it is no JSON/],
    ["a big integer", { type: "object", maximum: 1n }, /it is no JSON/],
    ["another root", { type: "string" }, /The root of a schema is no object: jsonSchema\(\): string/],
    ["no type at the root", {}, /The root of a schema is no object: jsonSchema\(\): any value/],
    ["a union", { anyOf: [{ type: "object" }] }, /a union/],
    [
      "an unknown type",
      { type: "object", properties: { a: { type: "strin" } } },
      /#\/properties\/a\/type is none of string/,
    ],
    ["no type in a list", { type: [] }, /#\/type is none of/],
    ["properties that are a list", { type: "object", properties: [] }, /#\/properties is no object of schemas/],
    [
      "a property that is text",
      { type: "object", properties: { a: "string" } },
      /#\/properties\/a is no schema but string/,
    ],
    [
      "a bad length",
      { type: "object", properties: { a: { minLength: -1, maxLength: "2" } } },
      /minLength is no whole.*maxLength is no whole/,
    ],
    [
      "a bad pattern",
      { type: "object", properties: { a: { pattern: "(" } } },
      /#\/properties\/a\/pattern is no regular expression/,
    ],
    [
      "a bad name of a pattern",
      { type: "object", patternProperties: { "[": {} } },
      /#\/patternProperties\/\[ is no regular/,
    ],
    [
      "a list of schemas of an older draft",
      { type: "object", properties: { a: { items: [{}] } } },
      /items is no schema but array/,
    ],
    [
      "keywords of older drafts",
      { type: "object", dependencies: {}, properties: { a: { exclusiveMinimum: true } } },
      /dependencies is of an older draft; write `dependentRequired`.*exclusiveMinimum is no number/,
    ],
    [
      "no names",
      { type: "object", required: ["a", "a"], uniqueItems: 1 },
      /required is no list of texts.*uniqueItems is no boolean/,
    ],
    ["an empty union", { type: "object", properties: { a: { anyOf: [] } } }, /anyOf is no list of schemas/],
    [
      "an empty enum",
      { type: "object", properties: { a: { enum: [], multipleOf: 0 } } },
      /enum is no list.*multipleOf is no number above 0/,
    ],
    [
      "a reference to nothing",
      { type: "object", properties: { a: { $ref: "#/$defs/b" } } },
      /the reference #\/\$defs\/b leads to no part/,
    ],
    [
      "a reference to elsewhere",
      { type: "object", properties: { a: { $ref: "https://x.example/a" } } },
      /leads to no part/,
    ],
    [
      "a dynamic reference",
      { type: "object", properties: { a: { $dynamicRef: "#a" } } },
      /depend on where they are read from/,
    ],
    [
      "a property named __proto__",
      JSON.parse('{"type":"object","properties":{"__proto__":{}}}'),
      /cannot be named __proto__/,
    ],
  ])("%s", async (_name, schema, message) => {
    const input = jsonSchema(schema as object);
    const tool = defineTool({ name: "odd", description: "Odd.", input, run: () => 1 });
    await expect(createApp(agentOf([tool]), { models: { default: scriptedModel() }, env: {} })).rejects.toMatchObject({
      code: "assembly_error",
      message: expect.stringMatching(message),
    });
    expect(() => compileSchema(input, "input")).toThrow(expect.objectContaining({ code: "schema_error" }));
    await expect((async () => toolOf(tool).invoke({}))()).rejects.toThrow(message);
  });

  test("an odd value of the same kind is none", () => {
    expect(() => jsonSchemaOf({ kind: "json-schema" } as never)).toThrow(/not valid: it is no JSON/);
    const tool = defineTool({ name: "odd", description: "Odd.", input: { type: "object" } as never, run: () => 1 });
    expect(() => toolDefinitionOf(tool as never)).toThrow(/neither a DTO class nor a Standard Schema/);
  });
});
