import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { checkLimits } from "../../src/config/limits.js";
import { checkOptions, filledText, flag, list, maybe, nested, oneOf, wholeNumber } from "../../src/config/options.js";
import { isUsd, toNanoUsd, toUsd } from "../../src/config/units.js";
import { usd, type Usd } from "../../src/doors/units/index.js";

test.each([
  [0, 0],
  [0.25, 250_000_000],
  [0.1, 100_000_000],
  [1e-9, 1],
  [0.000000123, 123],
  [4321.123456789, 4_321_123_456_789],
  [9_007_199, 9_007_199_000_000_000],
  [-0, 0],
])("usd(%d) is exactly %d billionths", (amount, nano) => {
  expect(usd(amount).nanoUsd).toBe(nano);
  expect(toUsd(nano)).toBe(amount === 0 ? 0 : amount);
  expect(toNanoUsd(amount)).toBe(nano);
});

test.each<unknown>([
  -1,
  -1e-12,
  NaN,
  Infinity,
  -Infinity,
  1e-10,
  0.1 + 0.2,
  1.0000000001,
  9_007_200,
  1e300,
  "1",
  null,
  undefined,
  {},
  1n,
])("usd refuses %s", (amount) => {
  expect(() => usd(amount as number)).toThrowError(expect.objectContaining({ code: "bad_input" }));
});

test("an amount is no number and no number is an amount", () => {
  expect(isUsd(usd(1))).toBe(true);
  expect(Object.isFrozen(usd(1))).toBe(true);
  expect(isUsd({ [Symbol.for("tenon.usd")]: true, nanoUsd: 1 })).toBe(true);
  for (const other of [1, null, undefined, { nanoUsd: 1 }]) expect(isUsd(other)).toBe(false);
  // @ts-expect-error a bare number is never money
  const bare: Usd = 1;
  void bare;
});

test.each<[unknown, string[]]>([
  [undefined, []],
  [{}, []],
  [{ perRun: undefined }, []],
  [{ perRun: { cost: undefined } }, []],
  [{ perRun: { cost: usd(0) } }, []],
  [1, ["limits: the options must be a plain object, not 1"]],
  [null, ["limits: the options must be a plain object, not null"]],
  [{ perRum: {} }, ["limits: unknown option `perRum`; did you mean `perRun`?"]],
  [{ perRun: 5 }, ["limits: perRun: the options must be a plain object, not 5"]],
  [{ perRun: { cost: 5 } }, ["limits: perRun: cost must be an amount of money, not 5; write `cost: usd(5)`"]],
  [
    { perRun: { costs: usd(1) }, perWeek: {} },
    ["limits: unknown option `perWeek`", "limits: perRun: unknown option `costs`; did you mean `cost`?"],
  ],
])("limits %j", (limits, faults) => {
  const found = checkLimits(limits);
  expect(found.map((fault) => fault.replace(/`perWeek`.*/, "`perWeek`"))).toEqual(faults);
});

test("options: every fault at once, unknown ones with the near name", () => {
  const rules = {
    name: filledText("name"),
    tries: maybe(wholeNumber("tries", 1, 9)),
    loud: maybe(flag("loud")),
    access: maybe(oneOf("access", ["read", "write"])),
    tags: maybe(list("tags")),
    sub: maybe(nested("sub", { deep: flag("deep") })),
  };
  expect(
    checkOptions({ name: "a", tries: 9, loud: false, access: "read", tags: [], sub: { deep: true } }, rules),
  ).toEqual([]);
  expect(checkOptions({ name: "a", tries: undefined }, rules)).toEqual([]);
  expect(
    checkOptions(
      { Name: "a", zzzzzzzz: 1, tries: 1.5, loud: "yes", access: "all", tags: {}, sub: { deep: 1, dep: 2 } },
      rules,
    ),
  ).toEqual([
    "unknown option `Name`; did you mean `name`?",
    "unknown option `zzzzzzzz`",
    "name must be a text that is not empty, not undefined",
    "tries must be a whole number from 1 to 9, not 1.5",
    'loud must be true or false, not "yes"',
    'access must be "read" or "write", not "all"',
    "tags must be a list, not an object",
    "sub: unknown option `dep`; did you mean `deep`?; sub: deep must be true or false, not 1",
  ]);
});

const throwing = (): never => {
  throw new Error("a trap");
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();
class Settings {
  limit = 1;
}

test.each<readonly [shown: string, options: unknown]>([
  ["undefined", undefined],
  ["null", null],
  ["1", 1],
  ['"x"', "x"],
  ["a list", []],
  ["a function", () => 1],
  ["a Map", new Map([["limit", 1]])],
  ["a Date", new Date()],
  ["an Error", new Error("x")],
  ["a Settings", new Settings()],
  ["an object of a class", new (class {})()],
  ["an Object", Object.create({ limit: 1 })],
  ["an object that cannot be read", new Proxy({}, { getPrototypeOf: throwing, get: throwing })],
  ["an object that cannot be read", revoked.proxy],
])("options that are no plain object are one fault: %s", (shown, options) => {
  expect(checkOptions(options, { limit: () => undefined })).toEqual([
    `the options must be a plain object, not ${shown}`,
  ]);
});

test("a plain object is one without a prototype too, of another realm, or frozen", () => {
  const bare = Object.assign(Object.create(null) as object, { limit: 1 });
  for (const options of [bare, runInNewContext("({ limit: 1 })"), Object.freeze({ limit: 1 })])
    expect(checkOptions(options, { limit: () => undefined })).toEqual([]);
});

test("options whose members cannot be read are a fault, not a throw", () => {
  expect(checkOptions(new Proxy({}, { ownKeys: throwing }), {})).toEqual(["the options cannot be read"]);
  expect(checkOptions(new Proxy({}, { get: throwing }), { limit: () => undefined })).toEqual(["limit cannot be read"]);
});

test("what has the brand of an amount of money and no amount is none", () => {
  const brand = Symbol.for("tenon.usd");
  const bad = [NaN, -1, 0.5, Infinity, 2 ** 60, "1", undefined].map((nanoUsd) => ({ [brand]: true, nanoUsd }));
  const unread = new Proxy(usd(1), { get: throwing });
  for (const cost of [...bad, { [brand]: true }, { [brand]: false, nanoUsd: 1 }, unread])
    expect(checkLimits({ perRun: { cost } })[0]).toMatch(/^limits: perRun: cost must be an amount of money, not an? /);
  expect(checkLimits({ perRun: { cost: { [brand]: true, nanoUsd: 5 } } })).toEqual([]);
});

test.each<unknown>([NaN, Infinity, -1, 0, 10, "5", null, {}, 2 ** 53])("a bad number is a fault: %s", (value) => {
  expect(checkOptions({ n: value }, { n: wholeNumber("n", 1, 9, "milliseconds") })).toHaveLength(1);
});

test("an option that throws when read, and inherited names, are faults and nothing is thrown", () => {
  const options = {
    get name(): string {
      throw new Error("no");
    },
    toString: 1,
  };
  expect(checkOptions(options, { name: filledText("name") })).toEqual([
    "unknown option `toString`",
    "name cannot be read",
  ]);
});
