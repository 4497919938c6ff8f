import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const bench = resolve(import.meta.dirname, "../../bench/run.ts");

function run(...args: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [bench, ...args], { encoding: "utf8" });
}

test("bench --help says what there is, and measures nothing", () => {
  const { status, stdout, stderr } = run("--help");
  for (const word of ["--only", "--quick", "--json", "one-call, ten-turns"]) expect(stdout).toContain(word);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test.each([
  [["--fast"], /--fast/],
  [["one-call"], /one-call/],
  [["--only"], /--only/],
  [["--only", "toString"], /no workload toString/],
])("bench %j is refused with the usage", (args, why) => {
  const { status, stdout, stderr } = run(...args);
  expect(stderr.split("\n")[0]).toMatch(why);
  expect(stderr).toContain("npm run bench -- [--only <workload>]");
  expect(stderr).not.toMatch(/^ +at /m);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
});
