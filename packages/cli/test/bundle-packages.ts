import { build } from "esbuild";
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A `node_modules` with all packages of the workspace, `tenon` and `tenon-cli` in a few files each. */
    packages: string;
    /** The folder for temporary files of the commands, which keep there what they compiled. */
    temporary: string;
  }
}

const workspace = resolve(import.meta.dirname, "../../..");

/**
 * Once for all files of these tests, which start hundreds of commands: `tenon` and `tenon-cli` are bundled as they were built,
 * because a process spends most of its time on the loading of some 300 small files. `start.test.ts` takes them as they are.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const scratch = join(workspace, ".scratch");
  mkdirSync(scratch, { recursive: true });
  const root = mkdtempSync(join(realpathSync(scratch), "cli-packages-"));
  const packages = join(root, "node_modules");
  const temporary = join(root, "tmp");
  for (const folder of [packages, temporary]) mkdirSync(folder);
  for (const name of readdirSync(join(workspace, "node_modules")))
    if (name !== "tenon" && name !== "tenon-cli")
      symlinkSync(join(workspace, "node_modules", name), join(packages, name));
  const doors = globSync("dist/doors/**/index.js", { cwd: resolve(workspace, "packages/tenon") });
  await bundle("tenon", doors, join(packages, "tenon"));
  await bundle("cli", ["dist/main.js"], join(packages, "tenon-cli"));
  project.provide("packages", packages);
  project.provide("temporary", temporary);
  return () => rmSync(root, { recursive: true, force: true });
}

async function bundle(folder: string, entryPoints: string[], to: string): Promise<void> {
  const from = resolve(workspace, "packages", folder);
  await build({
    absWorkingDir: from,
    entryPoints,
    outbase: "dist",
    outdir: join(to, "dist"),
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "error",
  });
  cpSync(join(from, "package.json"), join(to, "package.json"));
}
