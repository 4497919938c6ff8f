import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");

test("`tenon/testing` says which package to install where there is no Vitest", () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "tenon-peer-")));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const packages = join(project, "node_modules");
  mkdirSync(join(packages, "tenon"), { recursive: true });
  for (const part of ["package.json", "dist"])
    cpSync(join(root, "packages/tenon", part), join(packages, "tenon", part), { recursive: true });
  for (const name of ["ajv", "ajv-formats"]) symlinkSync(join(root, "node_modules", name), join(packages, name));
  const code =
    'import("tenon/testing").then(() => console.log("loaded"), ({ code, message }) => console.log(`${code} ${message}`))';
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: project,
    encoding: "utf8",
  });
  expect(stdout + stderr).toBe(
    "missing_peer `tenon/testing` needs a package that is not installed: vitest. Run `npm install vitest@^5`.\n",
  );
});
