import { describe, expect, test } from "vitest";
import { defineTool } from "../../src/doors/tenon/index.js";
import { rawCall, replyWith } from "../../src/doors/testing/index.js";
import { play, resultsIn, ways, type Ran } from "./wire.js";

const done = replyWith("done");
const call = rawCall({ id: "a", name: "tell", arguments: "{}" });

/** A run whose only tool gives this. */
async function told(give: () => unknown, maxResultChars?: number): Promise<{ readonly text: string; readonly isError: boolean; readonly value: unknown }> {
  const ran: Ran[] = [];
  for (const way of ways) {
    const tool = defineTool({ name: "tell", description: "Tells.", maxResultChars, run: give });
    ran.push(await play([tool], [call, done], way));
  }
  const [first, second] = ran;
  for (const { result, stored } of ran) {
    expect(result).toMatchObject({ status: "completed", text: "done" });
    expect(stored).toHaveLength(1);
  }
  expect(resultsIn(second!.requests[1])).toEqual(resultsIn(first!.requests[1]));
  const [only] = resultsIn(first!.requests[1]);
  const { result } = first!.stored[0]!;
  expect(only!.isError).toBe(result.kind === "error");
  if (result.kind === "error") expect(typeof result.message).toBe("string");
  return { text: only!.text, isError: only!.isError, value: result.kind === "ok" ? result.value : result };
}

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
  ["everything at once", () => ({ n: 10n, d: new Date(0), m: new Map([[1, 2]]), e: new Error("x"), b: new Uint8Array(3) }), { n: "10", d: "1970-01-01T00:00:00.000Z", m: [[1, 2]], e: { name: "Error", message: "x" }, b: "[binary data, 3 bytes, not shown]" }],
  ["a BigInt", () => 12345678901234567890n, "12345678901234567890"],
  ["a Date", () => new Date(0), "1970-01-01T00:00:00.000Z"],
  ["a Map", () => new Map<unknown, unknown>([["a", new Map([[{ k: 1 }, 2n]])]]), [["a", [[{ k: 1 }, "2"]]]]],
  ["a Set", () => new Set([1, 1, new Date(0)]), [1, "1970-01-01T00:00:00.000Z"]],
  ["an Error", () => new TypeError("bad"), { name: "TypeError", message: "bad" }],
  ["a class instance", () => new Point(2), { x: 2 }],
  ["what its toJSON gives", () => [new Money()], [{ cents: "5" }]],
  ["typed arrays", () => [new Float64Array(2), new ArrayBuffer(5), new DataView(new ArrayBuffer(4)), Buffer.from("abc")], ["[binary data, 16 bytes, not shown]", "[binary data, 5 bytes, not shown]", "[binary data, 4 bytes, not shown]", "[binary data, 3 bytes, not shown]"]],
  ["a Buffer", () => Buffer.alloc(100_000), "[binary data, 100000 bytes, not shown]"],
  ["functions and symbols as members", () => ({ a: () => 1, b: Symbol("s"), [Symbol("c")]: 1, d: undefined, e: 1 }), { e: 1 }],
  ["holes, functions and undefined in a list", () => Object.assign(new Array<unknown>(2), { 1: () => 1 }).concat(undefined, 1), [null, null, null, 1]],
  ["an object without a prototype", () => Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
  ["a member called __proto__", () => JSON.parse('{"__proto__":{"x":1},"a":1}') as unknown, JSON.parse('{"__proto__":{"x":1},"a":1}')],
  ["the same object twice", () => { const shared = { a: 1 }; return [shared, shared]; }, [{ a: 1 }, { a: 1 }]],
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
const throwing = (key: string) => Object.defineProperty({}, key, { enumerable: true, get: () => { throw new Error("do not look"); } });

const untold: readonly [string, () => unknown][] = [
  ["a cycle", () => cycle],
  ["a cycle through a Map", () => { const map = new Map<string, unknown>(); map.set("self", map); return map; }],
  ["a cycle through toJSON", () => { const self = { toJSON: (): unknown => ({ self }) }; return self; }],
  ["a getter that throws", () => ({ fine: 1, inner: throwing("x") })],
  ["a toJSON that throws", () => ({ toJSON: () => { throw new Error("no"); } })],
  ["a toJSON getter that throws", () => throwing("toJSON")],
  ["a then getter that throws, inside", () => ({ inner: throwing("then") })],
  ["an invalid date", () => ({ at: new Date(NaN) })],
  ["a function", () => () => 1],
  ["a class", () => Point],
  ["a symbol", () => Symbol("s")],
  ["a promise inside", () => ({ inner: Promise.resolve(1) })],
  ["something far too deep", deep],
  ["a revoked proxy, inside", () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return [proxy]; }],
  ["a proxy that throws", () => new Proxy({}, { ownKeys: () => { throw new Error("no"); } })],
  ["an iterator that throws", () => Object.assign([1, 2], { [Symbol.iterator]: () => { throw new Error("no"); } })],
];

describe("what a tool gives", () => {
  test.each(plain)("[B73] %s is a text that is not empty", async (_kind, give, text) => {
    expect(await told(give)).toMatchObject({ text, isError: false });
  });

  test("[B73] the model can tell null from an empty text, and a number from its text", async () => {
    const texts = await Promise.all([() => null, () => "", () => [], () => ({})].map(async (give) => (await told(give)).text));
    expect(new Set(texts).size).toBe(4);
  });

  test.each(rich)("[B74] %s has one stable form, for the model and in the store", async (_kind, give, value) => {
    const { text, isError, value: stored } = await told(give);
    expect(isError).toBe(false);
    expect(text).toBe(typeof value === "string" ? value : JSON.stringify(value));
    expect(stored).toEqual(value);
  });

  test.each(untold)("[B73] [B74] %s is an error result with the tool's name", async (_kind, give) => {
    const { text, isError } = await told(give);
    expect(isError).toBe(true);
    expect(text).toContain("tell");
    expect(text.length).toBeLessThan(2_000);
  });

  const thenables: readonly [string, () => unknown, Partial<Awaited<ReturnType<typeof told>>>][] = [
    ["one that calls back at once", () => ({ then: (give: (value: unknown) => void) => give("now") }), { text: "now", isError: false }],
    ["one that calls back twice", () => ({ then: (give: (value: unknown) => void, fail: (error: Error) => void) => { give("first"); fail(new Error("second")); } }), { text: "first", isError: false }],
    ["one that gives another", () => ({ then: (give: (value: unknown) => void) => give(Promise.resolve("inner")) }), { text: "inner", isError: false }],
    ["one that fails", () => ({ then: (_give: unknown, fail: (error: Error) => void) => fail(new Error("no")) }), { text: "Tool error: no", isError: true }],
    ["one whose then throws", () => ({ then: () => { throw new Error("no"); } }), { text: "Tool error: no", isError: true }],
    ["one whose then cannot be read", () => throwing("then"), { text: "Tool error: do not look", isError: true }],
    ["one whose then cannot be read, later", async () => throwing("then"), { text: "Tool error: do not look", isError: true }],
    ["a promise of a class that breaks then", () => { class Odd<T> extends Promise<T> { override then(): never { throw new Error("no"); } } return Odd.resolve(1); }, { text: "Tool error: no", isError: true }],
    ["a revoked proxy", () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; }, { isError: true }],
  ];

  test.each(thenables)("[B74] what has a then, %s: awaited like a promise, and never more than an error result", async (_kind, give, expected) => {
    expect(await told(give)).toMatchObject(expected);
  });

  const thrown: readonly [string, unknown, RegExp][] = [
    ["an error", new Error("no such row"), /no such row/],
    ["an error without a text", new Error(""), /Error/],
    ["a text", "plain text", /plain text/],
    ["an empty text", "", /tell failed/],
    ["nothing", undefined, /undefined/],
    ["null", null, /null/],
    ["a BigInt", 5n, /./],
    ["a symbol", Symbol("s"), /./],
    ["a cycle", cycle, /./],
    ["an object", { reason: "why" }, /why/],
    ["an error with a text that is none", Object.assign(new Error("x"), { message: 5 }), /./],
    ["an error with a text that is an object", Object.assign(new Error("x"), { message: { a: cycle } }), /./],
    ["an error whose text throws", Object.defineProperty(new Error("x"), "message", { get: () => { throw new Error("no"); } }), /cannot be shown/],
    ["an error with half a character", new Error("\ud83c half"), /half/],
    ["an error with a text of 5 MB", new Error("x".repeat(5_000_000)), /^Tool error: x{5000}/],
    ["an aggregate", new AggregateError([new Error("a")], "both failed"), /both failed/],
    ["a function", () => 1, /./],
  ];

  test.each(thrown)("[B74] a handler that throws %s: an error result, never more", async (_kind, value, text) => {
    for (const give of [() => { throw value; }, () => Promise.reject(value)]) {
      const result = await told(give);
      expect(result.isError).toBe(true);
      expect(result.text).toMatch(text);
      expect(result.text.length).toBeLessThan(20_001);
    }
  });
});

describe("what the model reads of it", () => {
  test("[B77] 5 MB of text are cut at the limit, and it says so; the store has all", async () => {
    const { text, value } = await told(() => "line of text\n".repeat(400_000));
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text).toMatch(/\[cut: the result has 5200000 characters.*ask for a smaller part.*\]$/s);
    expect(value).toHaveLength(5_200_000);
  });

  test("[B77] large JSON is cut the same way, and a tool may have its own limit", async () => {
    const { text } = await told(() => Array.from({ length: 100_000 }, (_, i) => ({ i })), 500);
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/^\[\{"i":0\},.*\[cut: .*\]$/s);
  });

  test("[B77] a cut never falls inside a character, wherever it falls", async () => {
    for (let shift = 0; shift < 4; shift++) {
      const { text } = await told(() => "x".repeat(shift) + "🌍".repeat(20_000), 301);
      expect(text.isWellFormed()).toBe(true);
      expect(text).toContain("🌍\n[cut:");
      expect(text.length).toBeLessThanOrEqual(301);
    }
  });

  test("[B77] half a character that the tool itself gave is mended", async () => {
    const { text } = await told(() => "a\ud83cb");
    expect(text).toBe("a\ufffdb");
  });

  const base64 = Buffer.alloc(225_000, 7).toString("base64");
  const dataUrls: readonly [string, () => unknown][] = [
    ["alone", () => `data:image/png;base64,${base64}`],
    ["in a text", () => `Here: data:image/png;base64,${base64} and more`],
    ["in JSON", () => ({ image: `data:image/png;base64,${base64}`, note: "n" })],
    ["twice, far behind", () => `${"x".repeat(19_000)}data:image/png;base64,${base64} data:image/png;base64,${base64}`],
    ["with parameters", () => `data:image/svg+xml;charset=utf-8;base64,${base64}`],
    ["in upper case", () => `DATA:image/png;BASE64,${base64}`],
    ["without a type", () => `data:;base64,${base64}`],
    ["in an error", () => { throw new Error(`cannot read data:image/png;base64,${base64}`); }],
    ["with quoted parameters", () => `data:text/plain;name="a b.png";base64,${base64}`],
    ["percent-encoded", () => `data:image/png;base64,${base64.replaceAll("=", "%3D").replaceAll("/", "%2F")}`],
  ];

  test.each(dataUrls)("[B77] a data URL %s is a note with its size, never a piece of it", async (_kind, give) => {
    const { text } = await told(give);
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text.replaceAll("x", "").length, text.slice(0, 300)).toBeLessThan(200);
    expect(text).toMatch(/bytes, not shown\]/);
  });

  test("[B77] a Buffer, also deep inside, is a note with its size", async () => {
    const { text } = await told(() => ({ file: { name: "a.png", data: Buffer.alloc(300_000, 7) } }));
    expect(text).toBe('{"file":{"name":"a.png","data":"[binary data, 300000 bytes, not shown]"}}');
  });
});
