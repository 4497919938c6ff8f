import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder for temporary files of the commands, which keep there what they compiled. */
    temporary: string;
  }
}

/** Once for all files of these tests, which start hundreds of commands. */
export function setup(project: TestProject): () => void {
  const scratch = resolve(import.meta.dirname, "../../../.scratch");
  mkdirSync(scratch, { recursive: true });
  const temporary = mkdtempSync(join(realpathSync(scratch), "commands-"));
  project.provide("temporary", temporary);
  return () => rmSync(temporary, { recursive: true, force: true });
}
