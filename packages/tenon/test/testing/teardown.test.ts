import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The tests of the fixture file, run by a Vitest of their own: title to what made them fail. */
function runFixture(): Promise<Map<string, readonly string[]>> {
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "tenon-teardown-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "report.json");
  const args = [
    `${root}node_modules/vitest/vitest.mjs`,
    "run",
    "--reporter=json",
    "--outputFile",
    file,
    "--dir",
    "packages/tenon/test/testing/teardown",
    "--config",
    "packages/tenon/test/testing/teardown/vitest.config.ts",
  ];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { cwd: root, env: { ...process.env, VITEST: undefined } },
      (_failed, stdout, stderr) => {
        try {
          const { testResults } = JSON.parse(readFileSync(file, "utf8")) as Report;
          resolve(
            new Map(
              testResults.flatMap(({ assertionResults }) =>
                assertionResults.map(({ title, status, failureMessages }) => [
                  title,
                  [status, ...failureMessages.map((text) => text.split("\n")[0]!)],
                ]),
              ),
            ),
          );
        } catch {
          reject(new Error(`${stdout}\n${stderr}`));
        }
      },
    );
  });
}

test("a test fails on steps left over, and on an app that does not close", async () => {
  expect(Object.fromEntries(await runFixture())).toEqual({
    "left over in two scripts": [
      "failed",
      expect.stringMatching(/First: callTool\(use_service\), replyWith; Second: replyWith/),
    ],
    "left over, app never used": [
      "failed",
      expect.stringMatching(/The test ended with steps that no request used: First: replyWith/),
    ],
    "used up": ["passed"],
    "fails by itself, with steps left over": ["failed", expect.stringMatching(/expected 1 to be 2/)],
    "does not close": ["failed", expect.stringMatching(/did not close/)],
    "was closed by the test, which saw that it does not": ["passed"],
    "runs on, and its run ends before the app is closed": ["passed"],
  });
});
