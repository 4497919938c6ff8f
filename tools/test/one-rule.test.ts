import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const packages = resolve(import.meta.dirname, "../../packages");

/** A file without the comment at its head, which names the other one. */
function ruleOf(path: string): string {
  return readFileSync(join(packages, path), "utf8").replace(/^(\/\/ .*\n)+\n/, "");
}

test("the command escapes what the library escapes, and nothing else", () => {
  const rule = ruleOf("tenon/src/util/escape-unseen.ts");
  expect(rule).toMatch(/^\/\*\*[^]*export function escapeUnseen\(/);
  expect(ruleOf("cli/src/escape-unseen.ts")).toBe(rule);
});
