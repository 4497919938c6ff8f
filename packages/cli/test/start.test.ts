import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tenon } from "./run-cli.js";
import { startProject } from "./temp-project.js";

const run = promisify(execFile);
const modules = resolve(import.meta.dirname, "../../../node_modules");

test("the project of the page on starting compiles, is described, talks, and runs as a script", async () => {
  const cwd = startProject();
  await run(process.execPath, [join(modules, "typescript/bin/tsc"), "-p", cwd], { cwd });

  const described = await tenon(["describe"], { cwd });
  expect(described.out).toMatch(/^keeper {2}offline [^]*· stock_count \(read, local\) ← SHELF/);
  const said = await tenon(["chat", 'count the stock of "flour"'], { cwd });
  expect(said.out).toMatch(/stock_count ok[^]*count: 3/);
  expect(said).toMatchObject({ code: 0, err: "" });
  const { stdout } = await run(process.execPath, [join(modules, "tsx/dist/cli.mjs"), "src/ask.ts"], { cwd });
  expect(stdout).toContain("count: 3");
});

test("its configuration takes the model of TENON_MODEL", async () => {
  const env = { TENON_MODEL: "some/model", TENON_BASE_URL: "http://127.0.0.1:1/v1" };
  const { out } = await tenon(["describe"], { cwd: startProject(), env });
  expect(out).toMatch(/^keeper {2}some\/model /);
});
