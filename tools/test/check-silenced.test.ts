import { resolve } from "node:path";
import { expect, test } from "vitest";
import { checkSilenced } from "../check-silenced.ts";
import { tempTree } from "./temp-tree.ts";

// Put together here, so that this file itself passes.
const off = ["ox", "lint-disable-next-line"].join("");
const ignore = ["@ts", "ignore"].join("-");
const skip = ["test", "skip"].join(".");

test.each([
  ["a rule without a reason", `// ${off} no-new\nnew A();`, [1]],
  ["a rule without a reason in a block", `/* ${off} no-new */\nnew A();`, [1]],
  ["a rule with a reason", `// ${off} no-new -- It starts a timer.\nnew A();`, []],
  ["a rule with an empty reason", `// ${off} no-new --\nnew A();`, [1]],
  ["an ignored complaint of the compiler", `\n// ${ignore} because\na;`, [2]],
  ["a skipped test", `${skip}("x");`, [1]],
  ["a skipped test with a reason", `// Needs a second machine.\n${skip}("x");`, []],
])("%s", (_what, text, lines) => {
  const found = checkSilenced(tempTree({ "packages/tenon/test/a.test.ts": text }));
  expect(found.map((line) => Number(line.split(":")[1]))).toEqual(lines);
});

test("a lint rule may be off under a comment, also for a group of rules", () => {
  const settings = '{ "rules": {\n  // Why.\n  "a": "off",\n  "b": "off",\n  "c": "error",\n  "d": "off"\n} }\n';
  expect(checkSilenced(tempTree({ ".oxlintrc.json": settings }))).toEqual([
    '.oxlintrc.json:6: "d" is off without a comment above that says why.',
  ]);
});

test("this workspace silences nothing without a reason", () => {
  expect(checkSilenced(resolve(import.meta.dirname, "../.."))).toEqual([]);
});
