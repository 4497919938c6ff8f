import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serveMcp } from "../../../src/doors/mcp/index.js";
import { conformanceApp } from "./server-app.js";

const root = resolve(import.meta.dirname, "../../../../..");
const suite = resolve(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const baseline = resolve(import.meta.dirname, "expected-failures.yml");

test("the official suite: every scenario for servers passes, but those that have a reason not to", async () => {
  await using app = await conformanceApp();
  await using serving = await serveMcp(app);
  const words = [suite, "server", "--url", serving.url!, "--suite", "all", "--expected-failures", baseline];
  const ended = await promisify(execFile)(process.execPath, words, { timeout: 50_000 }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: unknown; stdout: string; stderr: string }) => ({
      code: error.code,
      stdout: error.stdout + error.stderr,
    }),
  );
  expect(ended, ended.stdout).toMatchObject({ code: 0 });
});
