import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";

const here = import.meta.dirname;

/** A folder of its own for one test, with the workspace's packages, and gone after it. */
export function emptyProject(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-cli-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  symlinkSync(resolve(here, "../../../node_modules"), join(root, "node_modules"));
  addFiles(root, files);
  return root;
}

/** A copy of the project in `fixtures/notes`, with files added or replaced. */
export function notesProject(files: Readonly<Record<string, string>> = {}): string {
  return copyOf("notes", files);
}

/** A copy of the project that the page on starting shows. */
export function startProject(): string {
  return copyOf("start", {});
}

function copyOf(fixture: string, files: Readonly<Record<string, string>>): string {
  const root = emptyProject();
  cpSync(join(here, "fixtures", fixture), root, { recursive: true });
  addFiles(root, files);
  return root;
}

function addFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
