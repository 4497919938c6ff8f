import { expect, test } from "vitest";

const seen: unknown[][] = [];

function note(...args: unknown[]): void {
  seen.push(args);
}

class Sample {
  @note field = 1;
  constructor(@note readonly value: string) {}
}

test("decorators of a test file are legacy ones: a field's key is the second argument", () => {
  expect(new Sample("x").value).toBe("x");
  expect(seen).toEqual([
    [Sample.prototype, "field", undefined],
    [Sample, undefined, 0],
  ]);
});
