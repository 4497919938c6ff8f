import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundledChild } from "../../recovery/bundled-child.js";

const root = resolve(import.meta.dirname, "../../../../..");
const suite = resolve(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const baseline = resolve(import.meta.dirname, "expected-failures.yml");
const command = `"${process.execPath}" "${bundledChild("../mcp/conformance/client.mjs", [])}"`;

async function run(scenario: string, ...more: readonly string[]): Promise<{ code: unknown; output: string }> {
  const words = [suite, "client", "--command", command, "--scenario", scenario, ...more];
  return promisify(execFile)(process.execPath, words, { timeout: 50_000 }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: unknown; stdout: string; stderr: string }) => ({
      code,
      output: stdout + stderr,
    }),
  );
}

// With the one below, all scenarios for clients that have no OAuth in them.
// The suite measures how late a stream is opened again, which a busy machine decides: hence the retries.
test.each(["initialize", "tools_call", "sse-retry"])(
  "the official suite for clients: %s",
  { retry: 3 },
  async (scenario) => {
    const { code, output } = await run(scenario);
    expect(code, output).toBe(0);
  },
);

test("the official suite for clients: what does not pass has a reason", async () => {
  const { code, output } = await run("elicitation-sep1034-client-defaults", "--expected-failures", baseline);
  expect(code, output).toBe(0);
  expect(output).toContain("~ elicitation-sep1034-client-defaults");
});
