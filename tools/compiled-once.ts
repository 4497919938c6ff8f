import { rmSync } from "node:fs";
import { resolve } from "node:path";

const folder = resolve(import.meta.dirname, `../.scratch/compiled-${process.pid}`);

/** Tells the processes that a run of the tests starts where to keep what Node compiled: most of them load the same. */
export const compiledOnce: Readonly<Record<string, string>> = { NODE_COMPILE_CACHE: folder };

/** The folder goes with the run's own process: a process of tests still writes there when it is told to end. */
export function setup(): void {
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
