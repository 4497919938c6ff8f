import { resolve } from "node:path";
import { expect, test } from "vitest";
import { checkOptional } from "../check-optional.ts";
import { tempTree } from "./temp-tree.ts";

function namesIn(text: string): string[] {
  return checkOptional(tempTree({ "packages/tenon/src/util/a.ts": text })).map(
    (line) => /`(\w+)\?`/.exec(line)?.[1] ?? line,
  );
}

test.each([
  ["an interface", "export interface A { readonly bad?: string; good?: string | undefined }", ["bad"]],
  ["a type", "export type A = { bad?: string } & { good?: undefined | number }", ["bad"]],
  ["a nested type", "export interface A { of: readonly { bad?: 1; good?: unknown }[] }", ["bad"]],
  ["an optional method", "export interface A { bad?(): void; good?: (() => void) | undefined }", ["bad"]],
  ["no type at all", "export interface A { bad? }", ["bad"]],
  [
    "a parameter's type",
    "export function f(options: { bad?: string }): void { interface In { fine?: string } }",
    ["bad"],
  ],
  [
    "a class",
    "export class A { bad?: string; private fine?: string; #own?: string; protected worse?: string }",
    ["bad", "worse"],
  ],
  ["an abstract class", "export abstract class A { abstract bad?: string }", ["bad"]],
  ["a default export", "export default interface A { bad?: string }", ["bad"]],
  ["a list of exports", "interface A { bad?: string } interface B { fine?: string }\nexport type { A };", ["bad"]],
  ["what is not exported", "interface A { fine?: string }\nexport const a = 1;", []],
  [
    "optional parameters and refused members",
    "export interface A { f(x?: string): void; never?: never; any?: any }",
    [],
  ],
])("optional members: %s", (_what, text, names) => {
  expect(namesIn(text)).toEqual(names);
});

test("it says where", () => {
  const root = tempTree({ "packages/cli/src/a.ts": "\nexport interface A {\n  bad?: string;\n}\n" });
  expect(checkOptional(root)).toEqual(["packages/cli/src/a.ts:3: `bad?` must be typed `bad?: T | undefined`."]);
});

test("this workspace keeps the rule", () => {
  expect(checkOptional(resolve(import.meta.dirname, "../.."))).toEqual([]);
});
