import { describe, expect, test } from "vitest";
import { told } from "./told.js";

class Point {
  readonly x: number;
  #secret = 1;
  constructor(x: number) {
    this.x = x;
  }
  get double(): number {
    return this.x * 2 * this.#secret;
  }
}

class Money {
  toJSON(): unknown {
    return { cents: 5n };
  }
}

const plain: readonly [string, () => unknown, string][] = [
  ["undefined", () => undefined, "null"],
  ["nothing", () => {}, "null"],
  ["nothing, later", async () => {}, "null"],
  ["null", () => null, "null"],
  ["an empty text", () => "", '""'],
  ["zero", () => 0, "0"],
  ["minus zero", () => -0, "0"],
  ["false", () => false, "false"],
  ["NaN", () => NaN, "NaN"],
  ["Infinity", () => -Infinity, "-Infinity"],
  ["an empty list", () => [], "[]"],
  ["an empty object", () => ({}), "{}"],
  ["white space", () => " \n", " \n"],
  ["a text that looks like null", () => "null", "null"],
  ["a boxed text", () => Object("x"), "x"],
  ["a promise of a promise", async () => Promise.resolve(Promise.resolve(1)), "1"],
];

const rich: readonly [string, () => unknown, unknown][] = [
  [
    "everything at once",
    () => ({ n: 10n, d: new Date(0), m: new Map([[1, 2]]), e: new Error("x"), b: new Uint8Array(3) }),
    {
      n: "10",
      d: "1970-01-01T00:00:00.000Z",
      m: [[1, 2]],
      e: { name: "Error", message: "x" },
      b: "[binary data, 3 bytes, not shown]",
    },
  ],
  ["a BigInt", () => 12345678901234567890n, "12345678901234567890"],
  ["a Date", () => new Date(0), "1970-01-01T00:00:00.000Z"],
  ["a Map", () => new Map<unknown, unknown>([["a", new Map([[{ k: 1 }, 2n]])]]), [["a", [[{ k: 1 }, "2"]]]]],
  ["a Set", () => new Set([1, 1, new Date(0)]), [1, "1970-01-01T00:00:00.000Z"]],
  ["an Error", () => new TypeError("bad"), { name: "TypeError", message: "bad" }],
  ["a class instance", () => new Point(2), { x: 2 }],
  ["what its toJSON gives", () => [new Money()], [{ cents: "5" }]],
  [
    "typed arrays",
    () => [new Float64Array(2), new ArrayBuffer(5), new DataView(new ArrayBuffer(4)), Buffer.from("abc")],
    [
      "[binary data, 16 bytes, not shown]",
      "[binary data, 5 bytes, not shown]",
      "[binary data, 4 bytes, not shown]",
      "[binary data, 3 bytes, not shown]",
    ],
  ],
  ["a Buffer", () => Buffer.alloc(100_000), "[binary data, 100000 bytes, not shown]"],
  [
    "functions and symbols as members",
    () => ({ a: () => 1, b: Symbol("s"), [Symbol("c")]: 1, d: undefined, e: 1 }),
    { e: 1 },
  ],
  [
    "holes, functions and undefined in a list",
    () => Object.assign(new Array<unknown>(2), { 1: () => 1 }).concat(undefined, 1),
    [null, null, null, 1],
  ],
  ["an object without a prototype", () => Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
  [
    "a member called __proto__",
    () => JSON.parse('{"__proto__":{"x":1},"a":1}') as unknown,
    JSON.parse('{"__proto__":{"x":1},"a":1}'),
  ],
  [
    "the same object twice",
    () => {
      const shared = { a: 1 };
      return [shared, shared];
    },
    [{ a: 1 }, { a: 1 }],
  ],
  ["a Proxy", () => new Proxy({ a: 1 }, {}), { a: 1 }],
  ["a URL", () => new URL("https://example.test/a"), "https://example.test/a"],
  ["a RegExp", () => /a+/g, "/a+/g"],
  ["an object that grows while it is awaited", async () => ({ later: await Promise.resolve(1) }), { later: 1 }],
];

const cycle: Record<string, unknown> = { name: "a" };
cycle["inner"] = [cycle];
const deep = (): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < 100_000; i++) value = [value];
  return value;
};
const throwing = (key: string) =>
  Object.defineProperty({}, key, {
    enumerable: true,
    get: () => {
      throw new Error("do not look");
    },
  });

const untold: readonly [string, () => unknown][] = [
  ["a cycle", () => cycle],
  [
    "a cycle through a Map",
    () => {
      const map = new Map<string, unknown>();
      map.set("self", map);
      return map;
    },
  ],
  [
    "a cycle through toJSON",
    () => {
      const self = { toJSON: (): unknown => ({ self }) };
      return self;
    },
  ],
  ["a getter that throws", () => ({ fine: 1, inner: throwing("x") })],
  [
    "a toJSON that throws",
    () => ({
      toJSON: () => {
        throw new Error("no");
      },
    }),
  ],
  ["a toJSON getter that throws", () => throwing("toJSON")],
  ["a then getter that throws, inside", () => ({ inner: throwing("then") })],
  ["an invalid date", () => ({ at: new Date(NaN) })],
  ["a function", () => () => 1],
  ["a class", () => Point],
  ["a symbol", () => Symbol("s")],
  ["a promise inside", () => ({ inner: Promise.resolve(1) })],
  ["something far too deep", deep],
  [
    "a revoked proxy, inside",
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return [proxy];
    },
  ],
  [
    "a proxy that throws",
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
  ],
  [
    "an iterator that throws",
    () =>
      Object.assign([1, 2], {
        [Symbol.iterator]: () => {
          throw new Error("no");
        },
      }),
  ],
];

describe("what a tool gives", () => {
  test.each(plain)("[B73] %s is a text that is not empty", async (_kind, give, text) => {
    expect(await told(give)).toMatchObject({ text, isError: false });
  });

  test("[B73] the model can tell null from an empty text, and a number from its text", async () => {
    const texts = await Promise.all(
      [() => null, () => "", () => [], () => ({})].map(async (give) => (await told(give)).text),
    );
    expect(new Set(texts).size).toBe(4);
  });

  test.each(rich)("[B74] %s has one stable form, for the model and in the store", async (_kind, give, value) => {
    const { text, isError, value: stored } = await told(give);
    expect(isError).toBe(false);
    expect(text).toBe(typeof value === "string" ? value : JSON.stringify(value));
    expect(stored).toEqual(value);
  });

  test("[B74] a cycle is called one", async () => {
    expect((await told(() => cycle)).text).toContain("contains itself");
  });

  test.each(untold)("[B73] [B74] %s is an error result with the tool's name", async (_kind, give) => {
    const { text, isError } = await told(give);
    expect(isError).toBe(true);
    expect(text).toContain("tell");
    expect(text.length).toBeLessThan(2_000);
  });
});
