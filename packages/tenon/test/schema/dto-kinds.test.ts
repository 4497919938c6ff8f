import { beforeAll, describe, expect, test } from "vitest";
import { Choice, DateTime, Int, Json, ListOf, MapOf, Nested, Num, OneOf, Text } from "../../src/doors/dto/index.js";
import { compileSchema } from "../../src/schema/compile-schema.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";
import { loadFor } from "../../src/schema/load-for.js";

beforeAll(() => loadFor([]));

const check = (schema: any, value: unknown): any => compileSchema(schema, "input").check(structuredClone(value));
const value = (schema: any, input: unknown): any => compileSchema(schema, "input").toValue(check(schema, input).input);
const told = (schema: any, input: unknown): string => check(schema, input).message;

class Cat {
  @Text({ min: 1 }) name!: string;
  @Choice(["cat", "lion"]) kind!: "cat" | "lion";
  @Int({ default: 9 }) lives!: number;
}
class Dog {
  @Choice(["dog"], { prompt: "what it is" }) kind!: "dog";
  @Num() age!: number;
  @Text({ optional: true, sensitive: true }) chip?: string;
}
class Owner {
  @OneOf([Cat, Dog], { by: "kind", prompt: "the pet" }) pet!: Cat | Dog;
  @OneOf([Cat, () => Dog], { by: "kind", nullable: true, optional: true }) second?: Cat | Dog | null;
  @ListOf(OneOf([Cat, Dog], { by: "kind" }), { default: [] }) others!: (Cat | Dog)[];
  @MapOf(OneOf([Cat, Dog], { by: "kind" }), { optional: true }) named?: Record<string, Cat | Dog>;
}

describe("@OneOf", () => {
  test("is a union of its classes for the model, without a keyword that is not JSON Schema", () => {
    const { properties } = jsonSchemaOf(Owner) as any;
    const cat = expect.objectContaining({
      type: "object",
      required: ["name", "kind"],
      additionalProperties: false,
      properties: {
        name: { type: "string", minLength: 1 },
        kind: { type: "string", enum: ["cat", "lion"] },
        lives: { type: "integer", default: 9 },
      },
    });
    const dog = expect.objectContaining({ required: ["kind", "age"] });
    expect(properties.pet).toEqual({ description: "the pet", anyOf: [cat, dog] });
    expect(properties.second).toEqual({ anyOf: [cat, dog, { type: "null" }] });
    expect(properties.others).toEqual({ type: "array", items: { anyOf: [cat, dog] }, default: [] });
    expect(properties.named).toEqual({ type: "object", additionalProperties: { anyOf: [cat, dog] } });
  });

  test("[B58] gives an instance of the class that is meant, with its defaults, at every place", () => {
    const dog = { kind: "dog", age: 3 };
    const owner = value(Owner, {
      pet: { kind: "lion", name: "x" },
      second: dog,
      others: [dog, { kind: "cat", name: "y", lives: "7" }],
      named: { rex: dog },
    });
    expect(owner.pet).toBeInstanceOf(Cat);
    expect(owner.pet).toEqual({ kind: "lion", name: "x", lives: 9 });
    expect(owner.second).toBeInstanceOf(Dog);
    expect([owner.others[0], owner.named.rex].every((one) => one instanceof Dog)).toBe(true);
    expect(owner.others[1]).toBeInstanceOf(Cat);
    expect(owner.others[1].lives).toBe(7);
    expect(value(Owner, { pet: dog, second: null }).second).toBeNull();
  });

  test("[B14] a fault is told of the class that is meant and of no other", () => {
    expect(told(Owner, { pet: { kind: "cat", name: "", age: 3 } })).toBe(
      'pet.name: expected a string of at least 1 characters, got ""\npet.age: is not allowed; known are kind, name, lives',
    );
    expect(told(Owner, { pet: { kind: "dog" } })).toBe("pet.age: is required (a number)");
    expect(told(Owner, { pet: { kind: "fish", age: 1 } })).toBe(
      'pet.kind: expected one of "cat", "lion", "dog", got "fish"',
    );
    expect(told(Owner, { pet: { age: 1 } })).toBe('pet.kind: is required (one of "cat", "lion", "dog")');
    expect(told(Owner, { pet: 5 })).toBe('pet: expected an object with kind "cat" or "lion" or "dog", got 5');
    expect(told(Owner, {})).toBe('pet: is required (an object with kind "cat" or "lion" or "dog")');
    expect(told(Owner, { pet: null })).toMatch(/^pet: expected an object/);
    expect(told(Owner, { pet: { kind: "dog", age: 1 }, others: [{ kind: "dog", age: "old" }], named: { a: 1 } })).toBe(
      'others[0].age: expected a number, got "old"\nnamed.a: expected an object with kind "cat" or "lion" or "dog", got 1',
    );
    expect(told(Owner, { pet: { kind: "dog", age: 1, chip: 77 } })).toBe(
      "pet.chip: expected a string, got a number that is not shown",
    );
  });

  test("[B04] JSON text is read as the object it holds, and repairs go on inside", () => {
    expect(check(Owner, { pet: '{"kind":"dog","age":"4"}', others: "[]" })).toEqual({
      ok: true,
      input: { pet: { kind: "dog", age: 4 }, others: [] },
      repairs: expect.arrayContaining([
        { path: "pet", kind: "json-text" },
        { path: "pet.age", kind: "number-text" },
        { path: "others", kind: "json-text" },
      ]),
    });
  });

  test("[B09] the deciding member is repaired before its siblings are looked at", () => {
    class One {
      @Num() size!: number;
      @Choice([1]) version!: 1;
    }
    class Two {
      @Choice([2]) version!: 2;
    }
    class Either {
      @OneOf([One, Two], { by: "version" }) it!: One | Two;
    }
    expect(check(Either, { it: { size: "5", version: "1" } })).toMatchObject({
      ok: true,
      input: { it: { size: 5, version: 1 } },
    });
  });

  test("a sensitive member of the meant class is masked", () => {
    const schema = compileSchema(Owner, "input");
    const input = { pet: { kind: "dog", age: 1, chip: "secret" }, others: [{ kind: "dog", age: 1, chip: "secret" }] };
    expect(JSON.stringify(schema.mask(input))).toBe(JSON.stringify(input).replaceAll("secret", "***"));
  });

  test("as an output it keeps what the meant class declares", () => {
    const output = compileSchema(Owner, "output");
    expect(output.check({ pet: { kind: "dog", age: 1, row: 5 }, more: 1 })).toEqual({
      ok: true,
      input: { pet: { kind: "dog", age: 1 }, others: [] },
      repairs: [],
    });
    expect((output.check({ pet: { kind: "fish" } }) as any).message).toMatch(/^pet\.kind: /);
    expect((output.check({ pet: 5 }) as any).ok).toBe(false);
  });

  test("a default has to fit the class that it means", () => {
    class Good {
      @OneOf([Cat, Dog], { by: "kind", default: { kind: "dog", age: 2 } }) pet!: Cat | Dog;
    }
    expect(value(Good, {}).pet).toBeInstanceOf(Dog);
    class Bad {
      @OneOf([Cat, Dog], { by: "kind", default: { kind: "dog", age: "2" } as never }) pet!: Cat | Dog;
    }
    expect(() => check(Bad, {})).toThrow(/Bad: the default of pet is not an object with kind/);
  });

  test("what cannot decide is one SchemaError that names each class", () => {
    class Free {
      @Text() kind!: string;
    }
    class Loose {
      @Choice(["loose"], { optional: true }) kind?: "loose";
    }
    class Lone {
      @Int() other!: number;
    }
    class Twin {
      @Choice(["dog", "wolf"]) kind!: "dog" | "wolf";
    }
    class Bad {
      @OneOf([Cat, Free as never, Loose as never, Lone as never], { by: "kind" }) a!: any;
      @OneOf([Dog, Twin, Twin], { by: "kind" }) b!: any;
      @((OneOf as any)([], { by: "kind" })) c!: any;
      @OneOf([Cat], {} as never) d!: any;
      @ListOf(OneOf([undefined as never, Cat], { by: "kind" })) e!: any[];
      @OneOf([Cat], { by: "kind", min: 1 } as never) f!: any;
      @OneOf([Cat], undefined as never) g!: any;
    }
    expect(() => jsonSchemaOf(Bad)).toThrow(
      expect.objectContaining({
        code: "schema_error",
        message: expect.stringMatching(
          /Bad\.c: it lists no classes.*Bad\.e: the class it refers to is undefined.*Bad\.f: it has no option `min`.*Bad\.a: Free\.kind decides, so it must be a `@Choice`.*Loose\.kind decides, so it can be neither.*Lone has no field `kind`.*Bad\.b: kind "dog" means both Dog and Twin.*"wolf" means both.*Bad\.d: `by` does not name.*Bad\.g: `by` does not name/s,
        ),
      }),
    );
  });
});

describe("recursion", () => {
  class Not {
    @OneOf([() => Not, () => And, () => Is], { by: "op" }) of!: Not | And | Is;
    @Choice(["not"]) op!: "not";
  }
  class And {
    @ListOf(OneOf([() => Not, () => And, () => Is], { by: "op" }), { min: 1 }) all!: (Not | And | Is)[];
    @Choice(["and"]) op!: "and";
  }
  class Is {
    @Choice(["is"]) op!: "is";
    @Json() value!: unknown;
    @MapOf(() => Query, { optional: true }) parts?: Record<string, Query>;
  }
  class Query {
    @OneOf([Not, And, Is], { by: "op", prompt: "the filter" }) filter!: Not | And | Is;
    @Nested(() => Query, { optional: true, nullable: true }) next?: Query | null;
  }

  test("goes through lists, maps and unions by `$defs`, with prompts beside references", () => {
    const json = jsonSchemaOf(Query) as any;
    expect(json.properties.filter).toEqual({
      description: "the filter",
      anyOf: [{ $ref: "#/$defs/filter" }, { $ref: expect.any(String) }, { $ref: expect.any(String) }],
    });
    for (const { $ref } of json.properties.filter.anyOf) expect(json.$defs).toHaveProperty([$ref.slice(8)]);
    expect(JSON.stringify(json)).not.toMatch(/any\.json|sensitive|"by"/);
  });

  test("is checked to the bottom, with the path", () => {
    const is = { op: "is", value: { deep: [1, null] }, parts: { a: { filter: { op: "is", value: 2 } } } };
    const made = value(Query, { filter: { op: "not", of: { op: "and", all: [is] } }, next: { filter: is } });
    expect(made.filter).toBeInstanceOf(Not);
    expect(made.filter.of.all[0]).toBeInstanceOf(Is);
    expect(made.next.filter.parts.a).toBeInstanceOf(Query);
    expect(told(Query, { filter: { op: "not", of: { op: "and", all: [{ op: "is" }, { op: "or" }] } } })).toBe(
      'filter.of.all[0].value: is required (any JSON)\nfilter.of.all[1].op: expected one of "not", "and", "is", got "or"',
    );
  });

  test("no alternative is tried that is not meant: a deep value with the deciding member last is checked once", () => {
    let filter: any = { op: "is", value: 1 };
    for (let depth = 0; depth < 60; depth++)
      filter = depth % 2 === 0 ? { of: filter, op: "not" } : { all: [filter], op: "and" };
    expect(check(Query, { filter })).toMatchObject({ ok: true });
    let bad: any = { op: "is" };
    for (let depth = 0; depth < 60; depth++) bad = { of: bad, op: "not" };
    expect(told(Query, { filter: bad })).toMatch(/value: is required/);
  });
});

describe("@MapOf", () => {
  class Item {
    @Int({ min: 1, default: 1 }) count!: number;
  }
  class Cart {
    @MapOf(Item, { prompt: "by article", min: 1, max: 3 }) items!: Record<string, Item>;
    @MapOf("num", { optional: true }) prices?: Record<string, number>;
    @MapOf(MapOf(ListOf("datetime")), { default: { a: { b: [] } } }) times!: Record<string, Record<string, string[]>>;
    @MapOf(Text({ nullable: true, sensitive: true }), { nullable: true, optional: true }) notes?: Record<
      string,
      string | null
    > | null;
  }

  test("is an object of one kind of value", () => {
    expect(jsonSchemaOf(Cart)).toMatchObject({
      properties: {
        items: {
          type: "object",
          description: "by article",
          minProperties: 1,
          maxProperties: 3,
          additionalProperties: { type: "object", properties: { count: { type: "integer", minimum: 1, default: 1 } } },
        },
        prices: { type: "object", additionalProperties: { type: "number" } },
        notes: { type: ["object", "null"], additionalProperties: { type: ["string", "null"] } },
      },
      required: ["items"],
    });
  });

  test("its values are repaired, filled, checked and made like any other", () => {
    const given = { items: { pen: {}, constructor: { count: "2" } }, prices: '{"pen":"1.5"}', notes: { a: null } };
    expect(check(Cart, given)).toMatchObject({
      ok: true,
      input: { items: { pen: { count: 1 }, constructor: { count: 2 } }, prices: { pen: 1.5 }, times: { a: { b: [] } } },
    });
    const cart = value(Cart, given);
    expect(cart.items.pen).toBeInstanceOf(Item);
    expect(Object.keys(cart.items)).toEqual(["pen", "constructor"]);
    expect(cart.items.constructor).toBeInstanceOf(Item);
    expect(compileSchema(Cart, "input").mask({ items: {}, notes: { a: "x" } })).toEqual({
      items: {},
      notes: { a: "***" },
    });
  });

  test("faults have the key in their path", () => {
    expect(told(Cart, { items: {} })).toBe("items: expected an object with 1 to 3 members, got an object");
    expect(told(Cart, { items: { "a b": { count: 0 } }, prices: { x: null }, times: { a: { b: ["today"] } } })).toBe(
      'items["a b"].count: expected an integer at least 1, got 0\nprices.x: expected a number, got null\ntimes.a.b[0]: expected a string in the form date-time, got "today"',
    );
    expect(told(Cart, { items: [] })).toMatch(/^items: expected an object/);
  });

  test("the key __proto__ is refused, in what a model sends and in what a handler returns", () => {
    const odd = '{"items":{"a":{},"__proto__":{"count":2}}}';
    for (const use of ["input", "output"] as const)
      expect(compileSchema(Cart, use).check(JSON.parse(odd)), use).toMatchObject({
        ok: false,
        message: expect.stringContaining("__proto__"),
      });
    expect(({} as any).count).toBeUndefined();
  });

  test("what a handler gets is its own", () => {
    const input = { items: { pen: { count: 1 } }, prices: { pen: 1 }, times: {} };
    const made = value(Cart, input);
    const again = compileSchema(Cart, "input").toValue(check(Cart, input).input) as any;
    made.items.pen.count = 5;
    made.prices.pen = 5;
    expect(again).toMatchObject(input);
  });
});

describe("@Json", () => {
  class Event {
    @Json({ prompt: "anything" }) body!: unknown;
    @Json({ optional: true, sensitive: true }) secret?: unknown;
    @Json({ default: { a: [1] } }) extra!: any;
    @ListOf(Json(), { optional: true }) list?: unknown[];
    @MapOf(Json(), { optional: true }) map?: Record<string, unknown>;
  }

  test("says nothing of its type to the model", () => {
    expect(jsonSchemaOf(Event)).toMatchObject({
      properties: {
        body: { description: "anything" },
        extra: { default: { a: [1] } },
        list: { type: "array", items: {} },
        map: { type: "object", additionalProperties: {} },
      },
      required: ["body"],
    });
    expect((jsonSchemaOf(Event) as any).properties.body).not.toHaveProperty("type");
    expect((jsonSchemaOf(Event) as any).properties.body).not.toHaveProperty("$ref");
  });

  test.each([[null], ["12"], ['{"a":1}'], ["true"], [0], [false], [[]], [{ a: { b: [null, "x"] } }]])(
    "takes %j as it is",
    (body) => {
      expect(check(Event, { body, list: [body], map: { a: body } })).toEqual({
        ok: true,
        input: { body, list: [body], map: { a: body }, extra: { a: [1] } },
        repairs: [],
      });
      expect(value(Event, { body }).body).toEqual(body);
    },
  );

  test("is required unless it says otherwise, and refuses what JSON cannot hold again", () => {
    expect(told(Event, {})).toBe("body: is required (any JSON)");
    expect(told(Event, JSON.parse('{"body":{"a":[1e999]}}'))).toBe("body.a[0]: expected any JSON, got Infinity");
    expect(told(Event, JSON.parse('{"body":{"a":{"__proto__":1}}}'))).toMatch(/^body\.a/);
  });

  test("is masked and copied as a whole", () => {
    const schema = compileSchema(Event, "input");
    expect(schema.mask({ body: 1, secret: { a: 1 } })).toEqual({ body: 1, secret: "***" });
    const input = { body: { a: [{ b: 1 }] }, extra: 1 };
    const made = schema.toValue(input) as any;
    made.body.a[0].b = 2;
    expect(input.body.a[0]!.b).toBe(1);
  });

  test("a default is its own each time", () => {
    const first = check(Event, { body: 1 }).input;
    first.extra.a.push(2);
    expect(check(Event, { body: 1 }).input.extra).toEqual({ a: [1] });
  });
});

describe("@DateTime", () => {
  class Slot {
    @DateTime({ prompt: "when" }) at!: string;
    @DateTime({ optional: true, nullable: true }) until?: string | null;
    @ListOf("datetime", { optional: true }) also?: string[];
    @MapOf(DateTime(), { optional: true }) named?: Record<string, string>;
  }
  test("is text with date, time and offset", () => {
    expect(jsonSchemaOf(Slot)).toMatchObject({
      properties: {
        at: { type: "string", description: "when", format: "date-time" },
        until: { type: ["string", "null"], format: "date-time" },
        also: { items: { type: "string", format: "date-time" } },
      },
    });
    for (const at of ["2026-02-28T10:00:00Z", "2026-02-28T10:00:00.123+02:00", "2024-02-29t23:59:60z"])
      expect(value(Slot, { at, until: null, also: [at], named: { a: at } })).toMatchObject({ at, also: [at] });
  });
  test.each([
    ["2026-02-28"],
    ["2026-02-30T10:00:00Z"],
    ["2026-02-28T10:00:00"],
    ["2026-02-28T25:00:00Z"],
    ["soon"],
    [""],
    [5],
    [null],
  ])("%j is refused", (at) => {
    expect(told(Slot, { at })).toMatch(/^at: expected a string in the form date-time, got /);
    expect(told(Slot, { at: "2026-02-28T10:00:00Z", also: [at], named: { a: at } })).toMatch(
      /^also\[0\]: .*\nnamed\.a: /,
    );
  });
});

test("bounds and options that are not there are named, with class and field", () => {
  class Bad {
    @MapOf("date" as never) a!: any;
    @MapOf(Text({ optional: true })) b!: Record<string, string | undefined>;
    @MapOf("text", { min: 2, max: 1 }) c!: any;
    @MapOf("text", { unique: true } as never) d!: any;
    @((DateTime as any)({ format: "date" })) e!: string;
    @Json({ min: 1 } as never) f!: any;
    @MapOf(undefined as never) g!: any;
    @MapOf("text", { min: -1 }) h!: any;
  }
  expect(() => jsonSchemaOf(Bad)).toThrow(
    /Bad\.a: it refers to "date".*Bad\.b: an item is neither optional.*Bad\.c: `min` 2 is greater.*Bad\.d: it has no option `unique`.*Bad\.e: it has no option `format`.*Bad\.f: it has no option `min`.*Bad\.g: the class it refers to is undefined.*Bad\.h: `min` is negative/s,
  );
});
