import { expect, test } from "vitest";
import { plainSource, toolsSource, typeCost } from "../type-cost.ts";

test("a tool costs the compiler under 2,000 instantiations, and as much among many as among few", () => {
  const [few, some, many] = [10, 60, 200].map((count) => typeCost(`test-${count}`, toolsSource(count)).instantiations);
  const perTool = (some! - few!) / 50;
  expect(perTool).toBeGreaterThan(100);
  expect(perTool).toBeLessThan(2_000);
  expect((many! - some!) / 140).toBeLessThan(perTool * 1.1);
  expect(many!).toBeLessThan(400_000);
}, 60_000);

test("what is measured beside it compiles and does the same work without decorators", () => {
  expect(plainSource(3)).not.toContain("@");
  expect(typeCost("test-plain", plainSource(10)).instantiations).toBeLessThan(10_000);
}, 60_000);

test("a source that does not compile is no measure", () => {
  expect(() => typeCost("test-wrong", `const a: number = "1";`)).toThrow();
});
