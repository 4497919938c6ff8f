import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { errorCodes } from "../../packages/tenon/src/errors/codes.ts";
import { proseOf } from "../markdown.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const [, errors = "", results = ""] = proseOf(read("docs/reference/errors.md")).split(/^## .*$/m);

/** The codes that a part of the page has a heading for, in order. */
function headings(part: string): string[] {
  return [...part.matchAll(/^### (\S+)$/gm)].map(([, code = ""]) => code);
}

/** The members of the union, read from its source: a type leaves nothing behind to ask. */
function toolErrorCodes(): string[] {
  const source = read("packages/tenon/src/protocol/tool-result.ts");
  const union = /export type ToolErrorCode =([^;]+);/.exec(source)?.[1] ?? "";
  return [...union.matchAll(/"(\w+)"/g)].map(([, code = ""]) => code);
}

test("every error code has a heading, in the order of the table, and no other has", () => {
  expect(errorCodes.length).toBeGreaterThan(10);
  expect(headings(errors)).toEqual([...errorCodes]);
});

test("every error code says what to do", () => {
  for (const section of errors.split(/^### /m).slice(1))
    expect(section).toMatch(/^(\w+)\n\n[\s\S]+\*\*What to do:\*\* \S/);
});

test("every code of a tool result has a heading, and no other has", () => {
  expect(toolErrorCodes().length).toBeGreaterThan(5);
  expect(headings(results)).toEqual(toolErrorCodes());
});
