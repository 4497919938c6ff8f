import { expect, test } from "vitest";
import { BadInputError, createApp, TenonError } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { thenable, writtenModel } from "./models.js";
import { told, type Told } from "./told.js";
import { agentOf, start, ways } from "./wire.js";

const cycle: Record<string, unknown> = { name: "a" };
cycle["inner"] = [cycle];
const throwing = (key: string) =>
  Object.defineProperty({}, key, {
    enumerable: true,
    get: () => {
      throw new Error("do not look");
    },
  });

const thenables: readonly [string, () => unknown, Partial<Told>][] = [
  ["one that calls back at once", () => thenable((give) => give("now")), { text: "now", isError: false }],
  [
    "one that calls back twice",
    () =>
      thenable((give, fail) => {
        give("first");
        fail(new Error("second"));
      }),
    { text: "first", isError: false },
  ],
  [
    "one that gives another",
    () => thenable((give) => give(Promise.resolve("inner"))),
    { text: "inner", isError: false },
  ],
  ["one that fails", () => thenable((_give, fail) => fail(new Error("no"))), { text: "Tool error: no", isError: true }],
  [
    "one whose then throws",
    () =>
      thenable(() => {
        throw new Error("no");
      }),
    { text: "Tool error: no", isError: true },
  ],
  ["one whose then cannot be read", () => throwing("then"), { text: "Tool error: do not look", isError: true }],
  [
    "one whose then cannot be read, later",
    async () => throwing("then"),
    { text: "Tool error: do not look", isError: true },
  ],
  [
    "a promise of a class that breaks then",
    () => {
      class Odd extends Promise<unknown> {}
      const odd = Odd.resolve(1);
      Reflect.set(odd, "then", () => {
        throw new Error("no");
      });
      return odd;
    },
    { text: "Tool error: no", isError: true },
  ],
  [
    "a revoked proxy",
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
    { isError: true },
  ],
];

test.each(thenables)(
  "[B74] what has a then, %s: awaited like a promise, and never more than an error result",
  async (_kind, give, expected) => {
    expect(await told(give)).toMatchObject(expected);
  },
);

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
  [
    "an error whose text throws",
    Object.defineProperty(new Error("x"), "message", {
      get: () => {
        throw new Error("no");
      },
    }),
    /cannot be shown/,
  ],
  ["an error with half a character", new Error("\ud83c half"), /half/],
  ["an error with a text of 5 MB", new Error("x".repeat(5_000_000)), /^Tool error: x{5000}/],
  ["an aggregate", new AggregateError([new Error("a")], "both failed"), /both failed/],
  ["a function", () => 1, /./],
];

test.each(thrown)("[B74] a handler that throws %s: an error result, never more", async (_kind, value, text) => {
  for (const give of [
    () => {
      throw value;
    },
    () => Promise.reject(value),
  ]) {
    const result = await told(give);
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(text);
    expect(result.text.length).toBeLessThan(20_001);
  }
});

const no = (): never => {
  throw new Error("do not look");
};
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const brand = Symbol.for("tenon.error");
const exotic: readonly [string, unknown][] = [
  ["a revoked proxy", revoked],
  ["a proxy that shows nothing", new Proxy({}, { get: no, has: no, getPrototypeOf: no, ownKeys: no })],
  ["an error that hides its class", new Proxy(new Error("x"), { getPrototypeOf: no })],
  ["an error of ours that hides its members", new Proxy(new BadInputError("a", "b", "c"), { get: no })],
  ["one that only looks like an error of ours", { code: "bad_input", message: 5n, data: 1n, [brand]: true }],
  ["one whose data is no JSON", { code: "bad_input", message: "m", data: { big: 1n, cycle }, [brand]: true }],
  ["one whose data cannot be read", { code: "bad_input", message: "m", data: throwing("x"), [brand]: true }],
  ["one whose code cannot be read", throwing("code")],
  ["one whose text cannot be read", Object.defineProperty(new BadInputError("a", "b", "c"), "message", { get: no })],
  ["one that cannot be written as JSON", Object.assign(new BadInputError("a", "b", "c"), { toJSON: no })],
];

test.each(exotic)("[B74] a model, and a handler, that throws %s: the run ends, and is stored", async (_kind, value) => {
  for (const way of ways) {
    const model = writtenModel(() => Promise.reject(value));
    await using app = await createApp(agentOf([]), {
      models: { default: model },
      store: sqliteStore(":memory:"),
      env: {},
    });
    const result = await start(app, way, "go");
    expect(result).toMatchObject({ status: "failed", stopReason: "error", error: { code: "model_error" } });
    expect((await app.resume(result.runId)).error).toEqual(result.error);
  }
  expect((await told(() => Promise.reject(value))).isError).toBe(true);
  for (const { is } of [TenonError, BadInputError])
    expect(typeof Reflect.apply(is, BadInputError, [value])).toBe("boolean");
});

test("[B74] an error of another copy is known by its brand, and its stored form by its code", () => {
  const foreign = { code: "bad_input", message: "m", data: {}, [brand]: true };
  expect(TenonError.is(foreign)).toBe(true);
  expect(BadInputError.is({ code: "bad_input", message: "m", data: {} })).toBe(true);
  expect(TenonError.is({ code: "bad_input", message: "m", data: {} })).toBe(false);
  for (const [, value] of exotic.slice(0, 4)) expect(BadInputError.is(value)).toBe(false);
});
