import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { TestProject } from "vitest/node";

/** The variable that names the folder where Node keeps what it compiled. */
const VARIABLE = "NODE_COMPILE_CACHE";

/** Where the processes that a run of the tests starts keep what Node compiled: most of them load the same. */
export const compiledOnce: Readonly<Record<string, string>> = {
  [VARIABLE]: resolve(import.meta.dirname, `../.scratch/compiled-${process.pid}`),
};

/** The folder goes with the run. */
export function setup(project: TestProject): () => void {
  const folder = project.config.env[VARIABLE]!;
  return () => rmSync(folder, { recursive: true, force: true });
}
