import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The tests of a folder beside this file, run by a Vitest of their own: title to what made them fail. */
export function runFixture(name: string): Promise<Map<string, readonly string[]>> {
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), `tenon-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "report.json");
  const args = [
    `${root}node_modules/vitest/vitest.mjs`,
    "run",
    "--reporter=json",
    "--outputFile",
    file,
    "--dir",
    `packages/tenon/test/testing/${name}`,
    "--config",
    `packages/tenon/test/testing/${name}/vitest.config.ts`,
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
