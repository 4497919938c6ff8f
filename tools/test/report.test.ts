import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Checked } from "../checks.ts";
import { judge, type Report } from "../report.ts";
import { tempTree } from "./temp-tree.ts";

const tools = resolve(import.meta.dirname, "..");

function report(success: boolean, ...files: readonly (readonly string[])[]): Report {
  return {
    success,
    testResults: files.map((statuses) => ({
      name: "a.test.ts",
      status: statuses.length === 0 || statuses.includes("failed") ? "failed" : "passed",
      assertionResults: statuses.map((status) => ({ status })),
    })),
  };
}

describe("the verdict", () => {
  test.each([
    ["all passed", report(true, ["passed", "passed"], ["passed"]), 0, "3 passed, 0 failed", 0],
    ["some skipped", report(true, ["passed", "pending"], ["todo", "skipped"]), 0, "1 passed, 0 failed, 3 skipped", 0],
    ["one failed", report(false, ["passed", "failed"]), 1, "1 passed, 1 failed", 1],
    ["a file that could not be run", report(false, ["passed"], []), 1, "1 passed, 1 failed", 1],
    ["nothing executed", report(true), 0, "0 passed, 0 failed", 1],
    ["everything skipped", report(true, ["skipped"]), 0, "0 passed, 0 failed, 1 skipped", 1],
    ["an error outside of the tests", report(true, ["passed"]), 1, "1 passed, 0 failed", 1],
    ["a report that says no", report(false, ["passed"]), 0, "1 passed, 0 failed", 1],
  ] as const)("%s", (_what, given, vitest, line, exitCode) => {
    expect(judge(given, vitest)).toEqual({ line, exitCode });
  });
});

describe("a whole run", () => {
  /** Runs the tests of a small workspace in a process of its own. Gives the last line and the exit code. */
  async function run(
    files: Readonly<Record<string, string>>,
    checked?: Checked,
  ): Promise<{ readonly last: string | undefined; readonly out: string; readonly code: number }> {
    const root = tempTree(files, join(tools, "../.scratch"));
    const script = `import { runTests } from ${JSON.stringify(join(tools, "report.ts"))}; process.exitCode = await runTests(${JSON.stringify(root)}, [], ${checked === undefined ? "undefined" : `Promise.resolve(${JSON.stringify(checked)})`});`;
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
    const child = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
      env,
      timeout: 60_000,
    });
    const { stdout, code } = await child.then(
      (done) => ({ stdout: done.stdout, code: 0 }),
      (error: { stdout: string; code: number }) => error,
    );
    return { last: stdout.trimEnd().split("\n").at(-1), out: stdout, code };
  }
  const file = (code: string): Record<string, string> => ({ "a.test.ts": `import { test } from "vitest";\n${code}\n` });

  test.each([
    ["passes", 'test("x", () => {});', "1 passed, 0 failed", 0],
    ["fails in a test", 'test("x", () => {}); test("y", () => { throw new Error("no"); });', "1 passed, 1 failed", 1],
    [
      "fails outside of a test",
      'test("x", async () => { void Promise.reject(new Error("no")); await new Promise((go) => setTimeout(go, 50)); });',
      "1 passed, 0 failed",
      1,
    ],
    ["fails at import", 'throw new Error("no");', "0 passed, 1 failed", 1],
  ])("that %s", { timeout: 60_000 }, async (_what, code, last, exitCode) => {
    expect(await run(file(code))).toMatchObject({ last, code: exitCode });
  });

  test("whose checks fail says so before the line, and fails", { timeout: 60_000 }, async () => {
    const { last, out, code } = await run(file('test("x", () => {});'), { passed: false, output: "a.ts:1: wrong\n" });
    expect(out).toContain("\na.ts:1: wrong\n");
    expect({ last, code }).toEqual({ last: "1 passed, 0 failed", code: 1 });
  });

  test("that finds no test fails", { timeout: 60_000 }, async () => {
    expect((await run({ "readme.md": "" })).code).toBe(1);
  });
});
