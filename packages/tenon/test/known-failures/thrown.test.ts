import { expect, test } from "vitest";
import { thenable } from "./models.js";
import { told, type Told } from "./told.js";

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
