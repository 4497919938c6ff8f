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
  [1, ["limits: the options must be an object"]],
  [null, ["limits: the options must be an object"]],
  [{ perRum: {} }, ["limits: unknown option `perRum`; did you mean `perRun`?"]],
  [{ perRun: 5 }, ["limits: perRun: the options must be an object"]],
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

test.each<unknown>([undefined, null, 1, "x", [], () => 1])(
  "options that are no object are one fault: %s",
  (options) => {
    expect(checkOptions(options, {})).toEqual(["the options must be an object"]);
  },
);

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
