import * as byName from "tenon/units";
import { expect, test } from "vitest";
import * as bySource from "../../src/doors/units/index.js";

test("a door's name leads to the sources", () => {
  expect(Object.keys(byName)).not.toEqual([]);
  expect(byName).toBe(bySource);
});
