import { beforeAll, describe, expect, test } from "vitest";
import { Choice, Flag, Int, ListOf, Nested, Num, Text } from "../../src/doors/dto/index.js";
import { SchemaError } from "../../src/errors/assembly-errors.js";
import { compileSchema, loadValidator } from "../../src/schema/compile-schema.js";
import type { Checked } from "../../src/schema/compiled-schema.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";
import { parseArguments } from "../../src/schema/parse-arguments.js";

beforeAll(() => loadValidator());

/** The decorators without their types, for what a JavaScript user may write. */
const loose: any = { Choice };

const check = (schema: any, value: unknown): Checked =>
  compileSchema(schema, "input").check(
    typeof value === "string" ? (parseArguments(value) as { value: unknown }).value : value,
  ) as Checked;
const messageOf = (schema: any, value: unknown): string => {
  const checked = check(schema, value);
  expect(checked.ok, JSON.stringify(checked)).toBe(false);
  return (checked as { message: string }).message;
};
const inputOf = (schema: any, value: unknown): any => {
  const checked = check(schema, value);
  expect(checked.ok, JSON.stringify(checked)).toBe(true);
  return (checked as { input: unknown }).input;
};

class Job {
  @Text({ format: "url" }) url!: string;
  @Int({ optional: true, min: 1, max: 5 }) tries?: number;
}
class Batch {
  @ListOf(Job) jobs!: Job[];
  @Nested(Job, { optional: true }) last?: Job;
}
class Search {
  @Text() query!: string;
  @Int({ max: 5 }) n!: number;
}

describe("compiling", () => {
  test("is done once per schema and use, and tells the exported schema", () => {
    expect(compileSchema(Search, "input")).toBe(compileSchema(Search, "input"));
    expect(compileSchema(Search, "output")).not.toBe(compileSchema(Search, "input"));
    expect(compileSchema(Search, "input").json).toBe(jsonSchemaOf(Search));
    expect(compileSchema(undefined, "input")).toBe(compileSchema(undefined, "input"));
    expect(loadValidator()).toBeUndefined();
  });

  test("a default that does not fit its field is a SchemaError that names it", () => {
    const faultOf = (decorator: any): string => {
      class Odd {}
      decorator(Odd.prototype, "field");
      try {
        compileSchema(Odd as never, "input");
      } catch (thrown) {
        expect(SchemaError.is(thrown)).toBe(true);
        return (thrown as Error).message;
      }
      return "no fault";
    };
    for (const decorator of [
      Int({ max: 5, default: 6 }),
      Int({ default: 2 ** 53 }),
      Text({ default: null }),
      Text({ format: "email", default: "x" }),
      Text({ pattern: /^a/, default: "b" }),
      Choice(["a"], { default: "b" as never }),
      ListOf("int", { max: 1, default: [1, 2] }),
      Nested(Job, { default: { url: "x" } }),
    ]) {
      expect(faultOf(decorator)).toMatch(/Odd: the default of field is not /);
    }
    for (const decorator of [
      Int({ max: 5, default: 5 }),
      Text({ nullable: true, default: null }),
      ListOf("int", { default: [] }),
      Nested(Job, { default: { url: "https://a.example" } }),
    ])
      expect(faultOf(decorator)).toBe("no fault");
  });
});

describe("a good value", () => {
  test("passes as it is, with the shared empty list of repairs", () => {
    const value = { query: "x", n: 5 };
    const checked = check(Search, value);
    expect(checked).toEqual({ ok: true, input: { query: "x", n: 5 }, repairs: [] });
    expect((checked as { input: unknown }).input).toBe(value);
    expect((checked as { repairs: unknown }).repairs).toBe(
      (check(Search, { query: "y", n: 1 }) as { repairs: unknown }).repairs,
    );
  });

  test("gets defaults at every depth, fresh each time", () => {
    class Row {
      @Text({ default: "none" }) note!: string;
    }
    class Table {
      @ListOf(Row) rows!: Row[];
      @Nested(Row, { optional: true }) head?: Row;
      @ListOf("text", { default: ["a"] }) tags!: string[];
      @Int({ nullable: true, default: 3 }) size!: number | null;
      @Nested(Row, { default: { note: "dflt" } }) foot!: Row;
    }
    const first = inputOf(Table, { rows: [{}, { note: "x" }], head: {}, size: null });
    expect(first).toEqual({
      rows: [{ note: "none" }, { note: "x" }],
      head: { note: "none" },
      size: null,
      tags: ["a"],
      foot: { note: "dflt" },
    });
    first.tags.push("b");
    first.foot.note = "changed";
    expect(inputOf(Table, { rows: [] })).toEqual({ rows: [], size: 3, tags: ["a"], foot: { note: "dflt" } });
  });

  test("without a declared input only no arguments fit", () => {
    expect(check(undefined, {})).toMatchObject({ ok: true, input: {} });
    expect(messageOf(undefined, { x: 1 })).toBe("x: is not allowed");
    expect(compileSchema(undefined, "input").toValue({})).toEqual({});
  });
});

describe("faithful repairs", () => {
  class Loose {
    @ListOf("text", { optional: true }) tags?: string[];
    @Nested(Job, { optional: true }) job?: Job;
    @Num({ optional: true }) num?: number;
    @Int({ optional: true }) n?: number;
    @Flag({ optional: true }) on?: boolean;
    @Text({ optional: true }) text?: string;
    @Choice([1, 2], { optional: true }) pick?: 1 | 2;
  }

  test("[B04] JSON text for a list or an object, of exactly that type", () => {
    expect(check(Loose, { tags: '["a","b"]' })).toEqual({
      ok: true,
      input: { tags: ["a", "b"] },
      repairs: [{ path: "tags", kind: "json-text" }],
    });
    expect(check(Loose, { job: '{"url":"https://a.example","tries":"2"}' })).toEqual({
      ok: true,
      input: { job: { url: "https://a.example", tries: 2 } },
      repairs: [
        { path: "job", kind: "json-text" },
        { path: "job.tries", kind: "number-text" },
      ],
    });
    for (const tags of ['{"x":1}', "a,b", "[1", "", '["a"] x', '"[]"', "null"])
      expect(messageOf(Loose, { tags })).toMatch(/^tags: expected a list, got a string of \d+ characters$/);
    expect(messageOf(Loose, { job: "[]" })).toMatch(/^job: expected an object/);
  });

  test("[B04] the whole arguments as text", () => {
    expect(check(Search, '"{\\"query\\":\\"x\\",\\"n\\":1}"')).toMatchObject({ ok: true, input: { query: "x", n: 1 } });
    expect(compileSchema(Search, "input").check('{"query":"x","n":1}')).toEqual({
      ok: true,
      input: { query: "x", n: 1 },
      repairs: [{ path: "", kind: "json-text" }],
    });
  });

  test("[B09] decimal text for a number, true and false for a boolean", () => {
    expect(check(Loose, { n: "12", on: "false", num: "-1.5e2", pick: "2" })).toEqual({
      ok: true,
      input: { n: 12, on: false, num: -150, pick: 2 },
      repairs: [
        { path: "num", kind: "number-text" },
        { path: "n", kind: "number-text" },
        { path: "on", kind: "boolean-text" },
        { path: "pick", kind: "number-text" },
      ].sort(byOrderOf(["n", "on", "num", "pick"])),
    });
    expect(inputOf(Loose, { n: "9007199254740991", num: "0.1" })).toEqual({ n: Number.MAX_SAFE_INTEGER, num: 0.1 });
    expect(inputOf(Loose, { n: "12.0", num: "-0" })).toEqual({ n: 12, num: -0 });
  });
  const byOrderOf = (order: string[]) => (a: { path: string }, b: { path: string }) =>
    order.indexOf(a.path) - order.indexOf(b.path);

  test("[B09] nothing lossy is ever read", () => {
    for (const n of [
      "12abc",
      "",
      " ",
      " 12",
      "12 ",
      "0x10",
      "1e999",
      "NaN",
      "Infinity",
      "-",
      "+1",
      "01",
      ".5",
      "5.",
      "1_000",
      "1,5",
      "9007199254740992",
      "1.5",
      "1e-400",
      "true",
      "٣",
      "1n",
      [],
      ["1"],
      {},
      true,
      null,
    ]) {
      if (n !== null) expect(messageOf(Loose, { n }), JSON.stringify(n)).toMatch(/^n: expected an integer/);
    }
    for (const num of ["9007199254740993", "1e400", "1e-400", "0.1234567890123456789", "1e300", "--1", "1e", true])
      expect(messageOf(Loose, { num })).toMatch(/^num: expected a number/);
    for (const on of ["False", "yes", "0", "1", "", 0, 1, "true "])
      expect(messageOf(Loose, { on })).toMatch(/^on: expected true or false/);
    for (const text of [5, true, ["a"], { a: 1 }])
      expect(messageOf(Loose, { text })).toMatch(/^text: expected a string/);
    for (const pick of ["3", "1.5", "one"]) expect(messageOf(Loose, { pick })).toMatch(/^pick: expected one of 1, 2/);
  });

  test("an integer beyond the safe range is refused as a number too", () => {
    expect(inputOf(Loose, { n: 2 ** 53 - 1 })).toEqual({ n: 2 ** 53 - 1 });
    for (const n of ["9007199254740992", "1e20", "-9007199254740992", "9007199254740993"])
      expect(messageOf(Loose, `{"n":${n}}`)).toMatch(
        /^n: expected an integer, got -?\d+(e\+\d+)?, beyond the safe range$/,
      );
    expect(messageOf(Loose, { num: Infinity })).toMatch(/^num: expected a number, got Infinity/);
  });

  test("[B07] null for an optional field is absent, for a required one refused, for a nullable one kept", () => {
    class Q {
      @Text() q!: string;
      @Int({ optional: true }) limit?: number;
      @Int({ default: 7 }) size!: number;
      @Text({ nullable: true }) tag!: string | null;
      @Text({ nullable: true, optional: true }) more?: string | null;
    }
    expect(check(Q, { q: "x", limit: null, size: null, tag: null, more: null })).toEqual({
      ok: true,
      input: { q: "x", size: 7, tag: null, more: null },
      repairs: [
        { path: "limit", kind: "null-as-absent" },
        { path: "size", kind: "null-as-absent" },
      ],
    });
    expect(messageOf(Q, { q: null, tag: "x" })).toBe("q: expected a string, got null");
    const value = compileSchema(Q, "input").toValue(inputOf(Q, { q: "x", limit: null, tag: null })) as Q;
    expect(Object.keys(value)).toEqual(["q", "size", "tag"]);
  });

  test("reach nested objects, list items and recursive parts", () => {
    class Node {
      @Int() v!: number;
      @ListOf(() => Node, { optional: true }) kids?: Node[];
      @Nested(() => Node, { nullable: true, optional: true }) next?: Node | null;
    }
    expect(check(Node, { v: "1", kids: [{ v: "2", kids: null }, '{"v":3}'], next: { v: "4", next: null } })).toEqual({
      ok: true,
      input: { v: 1, kids: [{ v: 2 }, { v: 3 }], next: { v: 4, next: null } },
      repairs: expect.arrayContaining([
        { path: "kids[0].v", kind: "number-text" },
        { path: "kids[0].kids", kind: "null-as-absent" },
        { path: "kids[1]", kind: "json-text" },
        { path: "next.v", kind: "number-text" },
      ]),
    });
    expect(
      messageOf(Node, { v: 1, kids: [{ v: 1 }, { v: 1, kids: [{}] }], next: { v: "x" } })
        .split("\n")
        .sort(),
    ).toEqual(["kids[1].kids[0].v: is required (an integer)", 'next.v: expected an integer, got "x"']);
  });
});

describe("a message", () => {
  test("[B14] names every failing path, what was expected and what was got", () => {
    expect(messageOf(Search, {}).split("\n")).toEqual([
      "query: is required (a string)",
      "n: is required (an integer at most 5)",
    ]);
    expect(messageOf(Search, { query: 1, n: 9 }).split("\n")).toEqual([
      "query: expected a string, got 1",
      "n: expected an integer at most 5, got 9",
    ]);
    expect(
      messageOf(Batch, {
        jobs: [{ url: "https://a.example" }, { url: "https://b.example", tries: 9 }, { url: "nope", "odd key": 1 }],
        extra: 1,
      })
        .split("\n")
        .sort(),
    ).toEqual(
      [
        "jobs[1].tries: expected an integer from 1 to 5, got 9",
        'jobs[2].url: expected a string in the form url, got "nope"',
        'jobs[2]["odd key"]: is not allowed; known are url, tries',
        "extra: is not allowed; known are jobs, last",
      ].sort(),
    );
    expect(messageOf(Search, [])).toBe("input: expected an object, got a list of 0");
  });

  test("says each kind of bound", () => {
    class Bounds {
      @Text({ min: 2, max: 3 }) a!: string;
      @Text({ pattern: /^x/ }) b!: string;
      @Num({ min: 1, max: 2 }) c!: number;
      @ListOf("int", { min: 2 }) d!: number[];
      @ListOf("text", { unique: true, max: 5 }) e!: string[];
      @Choice(["p", "q"]) f!: "p" | "q";
      @Text({ nullable: true, max: 1 }) g!: string | null;
    }
    expect(messageOf(Bounds, { a: "😀", b: "y", c: 3, d: [1], e: ["a", "a"], f: "r", g: "long" }).split("\n")).toEqual([
      'a: expected a string of 2 to 3 characters, got "😀"',
      'b: expected a string that matches ^x, got "y"',
      "c: expected a number from 1 to 2, got 3",
      "d: expected a list of at least 2 items, got a list of 1",
      "e: expected a list of at most 5 items without duplicates, got a list of 2",
      'f: expected one of "p", "q", got "r"',
      'g: expected a string of at most 1 characters or null, got "long"',
    ]);
    expect(inputOf(Bounds, { a: "😀😀", b: "x", c: 1, d: [1, 2], e: ["a", "b"], f: "p", g: null })).toBeDefined();
  });

  test("[B14] stays under 2,000 characters whatever comes, and says how much is left out", () => {
    const jobs = Array.from({ length: 5_000 }, () => ({ url: "x".repeat(5_000), ["k".repeat(3_000)]: 1 }));
    const message = messageOf(Batch, { jobs });
    expect(message.length).toBeLessThan(2_000);
    expect(message).toMatch(/… and \d+ more$/);
    expect(messageOf(Batch, { jobs: "x".repeat(100_000) }).length).toBeLessThan(200);
    class Many {
      @loose.Choice(Array.from({ length: 5_000 }, (_, i) => `value-${i}`)) pick!: any;
    }
    expect(messageOf(Many, { pick: "none" }).length).toBeLessThan(600);
  });

  test("[B14] never shows the value of a sensitive field, nor of what holds one", () => {
    class Login {
      @Text({ sensitive: true, max: 3 }) password!: string;
      @Int({ sensitive: true }) pin!: number;
      @ListOf(Text({ sensitive: true, max: 1 }), { optional: true }) codes?: string[];
    }
    class Request {
      @Nested(Login) login!: Login;
      @Nested(Search, { sensitive: true, optional: true }) hidden?: Search;
    }
    const secret = "hunter2-hunter2";
    for (const value of [
      { login: { password: secret, pin: secret, codes: [secret] } },
      { login: `{"password":"${secret}` },
      { login: [secret] },
      { login: { password: [secret], pin: { secret } } },
      { hidden: { query: "q", n: secret } },
    ]) {
      expect(messageOf(Request, value)).not.toContain("hunter2");
    }
    expect(messageOf(Request, { login: { password: secret, pin: 1 } })).toBe(
      "login.password: expected a string of at most 3 characters, got a string that is not shown",
    );
  });
});

describe("hostile values", () => {
  class Tree {
    @Text({ optional: true }) v?: string;
    @ListOf(() => Tree, { optional: true }) kids?: Tree[];
  }

  test("__proto__, constructor and toString are refused and harmless", () => {
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const message = messageOf(Search, `{"query":"x","n":1,"${key}":{"admin":true}}`);
      expect(message).toContain(`${key}: is not allowed`);
    }
    expect(({} as any).admin).toBeUndefined();
  });

  test("a field that every object inherits must be there itself", () => {
    class Odd {
      @Text() toString!: any;
      @Text({ optional: true }) constructor_!: any;
      @Text({ default: "d" }) valueOf!: any;
    }
    expect(messageOf(Odd, {})).toBe("toString: is required (a string)");
    const value = compileSchema(Odd, "input").toValue(inputOf(Odd, { toString: "x" })) as any;
    expect(Object.entries(value)).toEqual([
      ["toString", "x"],
      ["valueOf", "d"],
    ]);
  });

  test("a value as deep as the stack is a failed check, not a crash", () => {
    let deep: any = { v: 1 };
    for (let level = 0; level < 100_000; level++) deep = { kids: [deep] };
    expect(check(Tree, deep)).toEqual({ ok: false, message: expect.stringContaining("too deep") });
    const cycle: any = { kids: [] };
    cycle.kids.push(cycle);
    expect(check(Tree, cycle).ok).toBe(false);
  });

  test("many bad items of a recursive class are named or counted, not multiplied", () => {
    const message = messageOf(Tree, { kids: Array.from({ length: 60_000 }, () => 0) });
    expect(message.split("\n")[0]).toBe("kids[0]: expected an object, got 0");
    expect(message.length).toBeLessThan(2_000);
    expect(messageOf(Tree, { kids: Array.from({ length: 100_000 }, () => 0) }).length).toBeLessThan(2_000);
  });

  test("what is no JSON at all is a failed check", () => {
    for (const value of [
      undefined,
      null,
      5,
      10n,
      Symbol("x"),
      () => 1,
      { query: 10n, n: 1 },
      { query: undefined, n: Symbol("x") },
      { query: "x", n: Number.NaN },
    ])
      expect(check(Search, value).ok).toBe(false);
  });
});

describe("the handler's value", () => {
  test("is an instance with exactly the checked fields; no constructor or initialiser runs", () => {
    let runs = 0;
    class Inner {
      @Text() a: string = (runs++, "initial");
      hello(): string {
        return `hello ${this.a}`;
      }
    }
    class Outer {
      @Nested(Inner) inner!: Inner;
      @ListOf(Inner) list!: Inner[];
      @ListOf("text") tags!: string[];
      @ListOf(ListOf(Inner)) table!: Inner[][];
      @Text({ optional: true }) note?: string = "initial";
      @Nested(() => Outer, { nullable: true }) next!: Outer | null;
      constructor() {
        runs++;
      }
    }
    const input = inputOf(Outer, {
      inner: { a: "1" },
      list: [{ a: "2" }],
      tags: ["t"],
      table: [[{ a: "3" }]],
      next: { inner: { a: "4" }, list: [], tags: [], table: [], next: null },
    });
    const copy = structuredClone(input);
    const value = compileSchema(Outer, "input").toValue(input) as Outer;
    expect(value).toBeInstanceOf(Outer);
    expect([
      value.inner.hello(),
      value.list[0]!.hello(),
      value.table[0]![0]!.hello(),
      value.next!.inner.hello(),
    ]).toEqual(["hello 1", "hello 2", "hello 3", "hello 4"]);
    expect(value.next).toBeInstanceOf(Outer);
    expect(Object.keys(value)).toEqual(["inner", "list", "tags", "table", "next"]);
    expect(runs).toBe(0);
    value.tags.push("changed");
    value.inner.a = "changed";
    value.list.pop();
    expect(input).toEqual(copy);
    expect(compileSchema(Outer, "input").toValue(input)).not.toBe(value);
  });

  test("an accessor of the class does not swallow a field", () => {
    class Base {
      get kind(): any {
        return "base";
      }
    }
    class Odd extends Base {}
    (Text() as any)(Odd.prototype, "kind");
    expect((compileSchema(Odd as never, "input").toValue({ kind: "own" }) as any).kind).toBe("own");
  });
});

describe("masking", () => {
  class Secret {
    @Text({ sensitive: true }) key!: string;
    @Text() open!: string;
  }
  class Vault {
    @Nested(Secret) one!: Secret;
    @ListOf(Secret) many!: Secret[];
    @ListOf("text", { sensitive: true, optional: true }) all?: string[];
    @ListOf(Text({ sensitive: true }), { optional: true }) each?: string[];
    @Nested(() => Vault, { nullable: true, sensitive: true }) inner!: Vault | null;
  }

  test("covers sensitive fields at every depth and leaves the input alone", () => {
    const input = {
      one: { key: "k", open: "o" },
      many: [{ key: "k", open: "o" }],
      all: ["k"],
      each: ["k", "k"],
      inner: null,
    };
    const copy = structuredClone(input);
    expect(compileSchema(Vault, "input").mask(input)).toEqual({
      one: { key: "***", open: "o" },
      many: [{ key: "***", open: "o" }],
      all: "***",
      each: ["***", "***"],
      inner: "***",
    });
    expect(input).toEqual(copy);
    expect(JSON.stringify(compileSchema(Vault, "input").json)).not.toContain("sensitive");
  });

  test("gives the same object back where there is nothing to mask", () => {
    const plain = { query: "x", n: 1 };
    expect(compileSchema(Search, "input").mask(plain)).toBe(plain);
    const absent = { many: [] };
    expect(compileSchema(Vault, "input").mask(absent)).toBe(absent);
  });
});

describe("an output", () => {
  class Found {
    @Text() title!: string;
    @Int({ optional: true }) count?: number;
    @Int({ default: 2 }) rank!: number;
    @ListOf(Job, { optional: true }) jobs?: Job[];
  }
  const out = (value: unknown): Checked => compileSchema(Found, "output").check(value) as Checked;

  test("keeps what the DTO declares, at every depth, and changes nothing of what was given", () => {
    const given = { title: "x", secret: 1, count: null, jobs: [{ url: "https://a.example", secret: 2 }] };
    expect(out(given)).toEqual({
      ok: true,
      input: { title: "x", rank: 2, jobs: [{ url: "https://a.example" }] },
      repairs: [{ path: "count", kind: "null-as-absent" }],
    });
    expect(given).toEqual({ title: "x", secret: 1, count: null, jobs: [{ url: "https://a.example", secret: 2 }] });
    expect(out({ title: "x", count: undefined })).toMatchObject({ ok: true, input: { title: "x" } });
  });

  test("takes no text for anything else", () => {
    expect(out({ title: "x", count: "1" })).toEqual({
      ok: false,
      message: 'count: expected an integer, got "1"',
    });
    expect(out({ title: "x", jobs: "[]" }).ok).toBe(false);
    expect(out('{"title":"x"}')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^output: expected an object/),
    });
    expect(out(null).ok).toBe(false);
    expect(out({})).toEqual({ ok: false, message: "title: is required (a string)" });
  });

  test("that is not declared is anything", () => {
    expect(compileSchema(undefined, "output").check([1])).toEqual({ ok: true, input: [1], repairs: [] });
  });
});
