import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { runChecks, type Checked } from "./checks.ts";

/** What is read of Vitest's JSON report. */
export interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly status: string;
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** What goes to the screen, and to whoever started the process. */
export interface Verdict {
  /** `412 passed, 0 failed`, with `, 3 skipped` where tests were skipped. */
  readonly line: string;
  readonly exitCode: 0 | 1;
}

/**
 * Counts a report. Fails where a test failed, where a file could not be run (it counts as one failed test), where nothing
 * was executed, and where Vitest itself says that it failed: an error outside of every test has no other trace.
 */
export function judge(report: Report, vitestExitCode: number): Verdict {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report.testResults) {
    const statuses = file.assertionResults.map((test) => test.status);
    if (file.status === "failed" && !statuses.includes("failed")) count.failed++;
    for (const status of statuses) count[status === "passed" || status === "failed" ? status : "skipped"]++;
  }
  const good = count.failed === 0 && count.passed > 0 && report.success && vitestExitCode === 0;
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
  return { line: `${count.passed} passed, ${count.failed} failed${skipped}`, exitCode: good ? 0 : 1 };
}

/**
 * Runs the tests of a workspace, prints the line last, and gives the exit code. `checking`: what is checked meanwhile; what
 * it said is printed before the line.
 */
export async function runTests(
  root: string,
  filters: readonly string[],
  checking: Promise<Checked> = nothingChecked,
): Promise<number> {
  const path = join(root, ".test-report.json");
  rmSync(path, { force: true });
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const args = [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${path}`, ...filters];
  const exitCode = await new Promise<number>((settle) => {
    spawn(process.execPath, args, { cwd: root, stdio: "inherit" })
      .once("error", () => settle(1))
      .once("exit", (code) => settle(code ?? 1));
  });
  const checked = await checking;
  process.stdout.write(checked.output);
  if (!checked.passed) console.error("The checks did not pass.");
  if (!existsSync(path)) {
    console.error("Vitest left no report.");
    return 1;
  }
  const verdict = judge(JSON.parse(readFileSync(path, "utf8")) as Report, exitCode);
  if (verdict.exitCode !== 0) console.error(`The tests did not pass (Vitest's exit code is ${exitCode}).`);
  console.log(verdict.line);
  return checked.passed ? verdict.exitCode : 1;
}

const nothingChecked: Promise<Checked> = Promise.resolve({ passed: true, output: "" });

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const [first, ...rest] = process.argv.slice(2);
  // Tests wait for processes again and again: that is when the checks go on.
  process.exitCode =
    first === "--checked"
      ? await runTests(root, rest, runChecks(root, true))
      : await runTests(root, process.argv.slice(2));
}
