import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes files into a new folder, which goes away with the test. Gives the folder. */
export function tempTree(files: Readonly<Record<string, string>>, parent: string = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const root = mkdtempSync(join(parent, "tree-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
