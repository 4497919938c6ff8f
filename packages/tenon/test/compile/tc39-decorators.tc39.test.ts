import { expect, test } from "vitest";
import { Noted, seen } from "./noted-class.tc39.js";

const kinds: string[] = [];

function note(_target: unknown, context: DecoratorContext): void {
  kinds.push(`${context.kind} ${String(context.name)}`);
}

@note
class Sample {
  @note field = 1;
}

test("decorators of a .tc39.test.ts file are TC39 ones: a context is the second argument", () => {
  expect(new Sample().field).toBe(1);
  expect(kinds).toEqual(["field field", "class Sample"]);
});

test("so are those of a .tc39.ts file that it imports", () => {
  expect(new Noted().text).toBe("in an imported file");
  expect(seen).toEqual([{ value: undefined, kind: "field", name: "text" }]);
});
