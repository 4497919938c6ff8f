import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Choice, Flag, Int, ListOf, Nested, Num, PlainText, Text } from "../../src/doors/dto/index.js";
import { SchemaError } from "../../src/errors/assembly-errors.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";

class Place {
  @Text({ prompt: "Name of the street." }) street!: string;
  @Int({ optional: true, prompt: "Number of the house." }) house?: number;
}

class Order {
  @Text({ prompt: "What to look for.", min: 1, max: 20, pattern: /^[a-z]+$/u }) query!: string;
  @Num({ min: 0.5, max: 9 }) weight!: number;
  @Int({ default: 10, prompt: "How many." }) limit!: number;
  @Flag({ optional: true }) deep?: boolean;
  @Choice(["low", "high"], { nullable: true, prompt: "How urgent." }) urgency!: "low" | "high" | null;
  @ListOf(Text({ prompt: "One tag." }), { min: 1, max: 3, unique: true }) tags!: string[];
  @Nested(Place, { prompt: "Where to." }) place!: Place;
  @Text({ format: "email", nullable: true }) mail!: string | null;
}

/** The decorators without their types, for what a JavaScript user may write. */
const loose: any = { Choice, Flag, ListOf, Nested, Text };

const faultOf = (schema: unknown): string => {
  try {
    jsonSchemaOf(schema as never);
  } catch (thrown) {
    expect(SchemaError.is(thrown)).toBe(true);
    return (thrown as Error).message;
  }
  return "no fault";
};

describe("the JSON Schema of a DTO", () => {
  test("[B56] has every field in order of declaration, bounds, required ones, prompts at every depth", () => {
    const json = jsonSchemaOf(Order);
    expect(json).toEqual({
      type: "object",
      properties: {
        query: { type: "string", description: "What to look for.", minLength: 1, maxLength: 20, pattern: "^[a-z]+$" },
        weight: { type: "number", minimum: 0.5, maximum: 9 },
        limit: { type: "integer", description: "How many.", default: 10 },
        deep: { type: "boolean" },
        urgency: { type: ["string", "null"], description: "How urgent.", enum: ["low", "high", null] },
        tags: {
          type: "array",
          items: { type: "string", description: "One tag." },
          minItems: 1,
          maxItems: 3,
          uniqueItems: true,
        },
        place: {
          type: "object",
          description: "Where to.",
          properties: {
            street: { type: "string", description: "Name of the street." },
            house: { type: "integer", description: "Number of the house." },
          },
          required: ["street"],
          additionalProperties: false,
        },
        mail: { type: ["string", "null"], format: "email" },
      },
      required: ["query", "weight", "urgency", "tags", "place", "mail"],
      additionalProperties: false,
    });
    expect(Object.keys(json["properties"] as object)).toEqual([
      "query",
      "weight",
      "limit",
      "deep",
      "urgency",
      "tags",
      "place",
      "mail",
    ]);
  });

  test("is made once and frozen all through", () => {
    const json = jsonSchemaOf(Order) as any;
    expect(jsonSchemaOf(Order)).toBe(json);
    expect(
      Object.isFrozen(json) &&
        Object.isFrozen(json.properties.place.properties.street) &&
        Object.isFrozen(json.required),
    ).toBe(true);
  });

  test("inherits fields, and a child's own declaration replaces its parent's at the same place", () => {
    class Child extends Place {
      @Text({ max: 3 }) override street: string = "";
      @Flag() fast!: boolean;
    }
    expect(jsonSchemaOf(Child)).toEqual({
      type: "object",
      properties: {
        street: { type: "string", maxLength: 3 },
        house: { type: "integer", description: "Number of the house." },
        fast: { type: "boolean" },
      },
      required: ["street", "fast"],
      additionalProperties: false,
    });
    expect(Object.keys(jsonSchemaOf(Child)["properties"] as object)).toEqual(["street", "house", "fast"]);
    expect((jsonSchemaOf(Place) as any).properties.street).toEqual({
      type: "string",
      description: "Name of the street.",
    });
  });

  test("[B56] a recursive class is in $defs and keeps the prompt beside its $ref; the root stays an object", () => {
    class Folder {
      @Text() name!: string;
      @ListOf(() => Folder, { prompt: "Inner folders." }) inner!: Folder[];
      @Nested(() => Folder, { optional: true, prompt: "Where it lies." }) parent?: Folder;
      @Nested(() => Folder, { nullable: true }) link!: Folder | null;
    }
    const { $defs, ...root } = jsonSchemaOf(Folder) as any;
    expect(root.type).toBe("object");
    expect(root.properties.inner).toEqual({
      type: "array",
      description: "Inner folders.",
      items: { $ref: "#/$defs/inner" },
    });
    expect(root.properties.parent).toEqual({ $ref: "#/$defs/inner", description: "Where it lies." });
    expect(root.properties.link).toEqual({ anyOf: [{ $ref: "#/$defs/inner" }, { type: "null" }] });
    expect($defs).toEqual({ inner: root });
  });

  test("mutual recursion, two classes of one name, and a class used twice without recursion", () => {
    const makeItem = (): any => {
      class Item {
        @Text() id!: string;
        @ListOf(() => Item) more!: Item[];
      }
      return Item;
    };
    class Left {
      @Nested(() => Right, { optional: true }) right?: Right;
    }
    class Right {
      @Nested(() => Left, { optional: true }) left?: Left;
    }
    class Both {
      @ListOf(makeItem()) more!: any[];
      @Nested(makeItem()) other!: any;
      @Nested(Left) left!: Left;
      @Nested(Place) from!: Place;
      @Nested(Place) to!: Place;
    }
    const json = jsonSchemaOf(Both) as any;
    expect(Object.keys(json.$defs).sort()).toEqual(["left", "more", "other", "right"].sort());
    expect(json.properties.more.items.$ref).not.toBe(json.properties.other.$ref);
    expect(json.properties.from.type).toBe("object");
    expect(json.$defs.left.properties.right).toEqual({ $ref: "#/$defs/right" });
  });

  test("PlainText has the one field text", () => {
    expect(jsonSchemaOf(PlainText)).toEqual({
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    });
  });

  test("[B53] no input is an object without properties, and arrays always have items", () => {
    expect(jsonSchemaOf(undefined)).toEqual({ type: "object", properties: {}, additionalProperties: false });
    class Lists {
      @ListOf("int") numbers!: number[];
      @ListOf(ListOf("text")) table!: string[][];
    }
    expect((jsonSchemaOf(Lists) as any).properties).toEqual({
      numbers: { type: "array", items: { type: "integer" } },
      table: { type: "array", items: { type: "array", items: { type: "string" } } },
    });
  });
});

describe("a DTO that cannot be used is a SchemaError that names class and field", () => {
  test("a class without any field, and what is no class", () => {
    expect(faultOf(class Empty {})).toContain("Empty");
    for (const odd of [{}, "text", 5, null, () => Place]) expect(faultOf(odd)).toMatch(/neither a DTO class/);
  });

  test("every fault at once, each with its field", () => {
    class Broken {
      @ListOf(undefined as never) jobs!: any;
      @loose.Nested(() => undefined) lazy!: any;
      @loose.Nested(() => "x") text!: any;
      @ListOf((() => class Plain {}) as never) plain!: any;
      @loose.Nested(() => {
        throw new Error("not yet");
      })
      throws!: any;
      @Text({ min: 5, max: 2 }) bounds!: string;
      @Text({ min: -1 }) negative!: string;
      @Text({ pattern: /x/i }) flags!: string;
      @Text({ pattern: "x" as never }) noPattern!: string;
      @Text({ pattern: new RegExp("\\-") }) notUnicode!: string;
      @Text({ format: "phone" as never }) format!: string;
      @Int({ min: 0.5 }) half!: number;
      @Num({ max: Number.NaN }) nan!: number;
      @loose.Choice([]) none!: any;
      @Choice(["a", "a"]) twice!: "a";
      @loose.Choice([{}]) objects!: any;
      @loose.Text({ mim: 1 }) typo!: string;
      @loose.Text({ optional: "yes" }) word!: string;
      @loose.Text({ prompt: 5 }) prompt!: string;
      @Text({ default: (() => "x") as never }) fn!: string;
      @ListOf(Text({ optional: true }) as never) item!: any;
      @loose.Flag("x") options!: boolean;
    }
    const message = faultOf(Broken);
    for (const field of Object.keys(fieldNames))
      expect(message).toContain(`Broken.${field}: ${fieldNames[field as never] as string}`);
  });
  const fieldNames: Record<string, string> = {
    jobs: "the class it refers to is undefined",
    lazy: "the class it refers to is undefined",
    text: 'it refers to "x"',
    plain: "the class it refers to, Plain, has no decorated field",
    throws: "its reference throws (not yet)",
    bounds: "`min` 5 is greater than `max` 2",
    negative: "`min` is negative",
    flags: "`pattern` has the flags `i`",
    noPattern: "`pattern` is no regular expression",
    notUnicode: "`pattern` is not valid with the flag `u`",
    format: 'there is no format "phone"',
    half: "`min` is no safe integer",
    nan: "`max` is no finite number",
    none: "it has no values",
    twice: "it lists a value twice",
    objects: "its values are not all texts",
    typo: "it has no option `mim`",
    word: "`optional` is neither true nor false",
    prompt: "`prompt` is no text",
    fn: "`default` is no JSON value",
    item: "an item is neither optional",
    options: "its options are no plain object",
  };

  test("a fault deep inside is found from the outside, again and again", () => {
    class Inner {
      @Text({ min: 2, max: 1 }) x!: string;
    }
    class Outer {
      @ListOf(Inner) list!: Inner[];
    }
    expect(faultOf(Outer)).toContain("Inner.x");
    expect(faultOf(Outer)).toContain("Inner.x");
  });

  test("a decorator on what is no field is refused where it stands", () => {
    const at = (target: unknown, key: unknown) => () => (Text() as any)(target, key);
    expect(at(class X {}, "static")).toThrow(/no public field/);
    expect(at({}, Symbol("s"))).toThrow(/no public field/);
    expect(at(undefined, { kind: "method", name: "m", metadata: {} })).toThrow(/no public field/);
    expect(at(undefined, { kind: "field", name: "m", static: true, metadata: {} })).toThrow(/no public field/);
  });

  test("a field named __proto__ is refused", () => {
    class Odd {}
    (Text() as any)(Odd.prototype, "__proto__");
    expect(faultOf(Odd)).toContain("Odd.__proto__");
  });
});

describe("the JSON Schema of a Standard Schema", () => {
  test("[B56] keeps descriptions everywhere and has no $schema", () => {
    const schema = z.object({
      a: z.string().describe("text a"),
      b: z.string().optional().describe("text b"),
      c: z.string().nullable().describe("text c"),
      d: z.number().default(3).describe("text d"),
      e: z.object({ f: z.string().describe("text f") }).describe("text e"),
      g: z.array(z.string().describe("text item")).describe("text g"),
      h: z.enum(["x", "y"]).describe("text h"),
    });
    const text = JSON.stringify(jsonSchemaOf(schema));
    for (const name of ["a", "b", "c", "d", "e", "f", "g", "h", "item"]) expect(text).toContain(`"text ${name}"`);
    expect(text).not.toContain("$schema");
  });

  test("[B53] always has properties at the root and items in arrays", () => {
    expect(jsonSchemaOf(z.record(z.string(), z.number()))).toMatchObject({ type: "object", properties: {} });
    const given = {
      "~standard": {
        version: 1,
        vendor: "own",
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => ({ properties: { list: { type: "array" }, more: { type: ["array", "null"] } } }),
          output: () => ({}),
        },
      },
    } as never;
    expect(jsonSchemaOf(given)).toEqual({
      type: "object",
      properties: { list: { type: "array", items: {} }, more: { type: ["array", "null"], items: {} } },
    });
  });

  test("a recursive root stays an object", () => {
    const Tree = z.object({
      v: z.string(),
      get kids() {
        return z.array(Tree);
      },
    });
    expect(jsonSchemaOf(Tree)).toMatchObject({ type: "object", properties: { kids: { items: { $ref: "#" } } } });
    const inner = { type: "object", properties: { a: { type: "string" } } };
    expect(jsonSchemaOf(standard({ $ref: "#/$defs/x", $defs: { x: inner } }))).toEqual({
      ...inner,
      $defs: { x: inner },
    });
  });

  test("what is no object, has no JSON Schema, or refers to nothing is a SchemaError", () => {
    expect(faultOf(z.string())).toContain("zod: string");
    expect(faultOf(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]))).toContain("zod: a union");
    expect(faultOf(z.object({ d: z.date() }))).toMatch(/Date cannot be represented/);
    expect(faultOf({ "~standard": { version: 1, vendor: "old", validate: () => ({ value: 1 }) } })).toContain("old");
    expect(faultOf(standard({ type: "object", properties: { a: { $ref: "#/$defs/gone" } } }))).toContain(
      "#/$defs/gone",
    );
    expect(faultOf(standard({ type: "object", properties: { a: { $ref: "https://example.com/x" } } }))).toContain(
      "https://example.com/x",
    );
    expect(
      faultOf(
        standard({ type: "object", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, properties: {} }),
      ),
    ).toContain("#/$defs/");
    expect(faultOf(standard(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')))).toContain(
      "__proto__",
    );
    expect(faultOf(standard({ type: "object", properties: { a: { $dynamicRef: "#x" } } }))).toContain(
      "references that depend",
    );
    expect(faultOf(standard(undefined))).toContain("own");
  });
});

function standard(json: unknown): never {
  return {
    "~standard": {
      version: 1,
      vendor: "own",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  } as never;
}
