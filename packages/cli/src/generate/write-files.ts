import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { CommandError } from "../command-error.js";
import { exitCodes } from "../exit-codes.js";
import type { GeneratedFile } from "./generated-file.js";

/** How the files of a generator are written. */
export interface WriteOptions {
  /** Files that are there and say something else are replaced; without it nothing at all is written then. */
  readonly force: boolean;
  /** Nothing is written, only told. */
  readonly dryRun: boolean;
}

/** One file and what became of it; `same` was left alone. */
export interface WrittenFile {
  /** From the current folder. */
  readonly path: string;
  readonly outcome: "new" | "same" | "replaced";
}

/** Files of a generator that would replace what somebody wrote. Nothing was written. */
class FilesExistError extends Error {
  readonly code: string = "files_exist";
  readonly data: { readonly files: readonly string[] };
  constructor(files: readonly string[]) {
    const told = files.length > 10 ? [...files.slice(0, 10), `and ${files.length - 10} more`] : files;
    super(
      `These files are there and say something else: ${told.join(", ")}. Nothing was written. Move them, choose another folder with --out, or replace them with --force.`,
    );
    this.name = "FilesExistError";
    this.data = { files };
  }
}

/** Writes the files of a generator into a folder: all of them, or, where one would replace another's text, none. */
export function writeFiles(
  out: string,
  files: readonly GeneratedFile[],
  { force, dryRun }: WriteOptions,
): readonly WrittenFile[] {
  const written = files.map(({ path, text }): WrittenFile & { readonly full: string; readonly text: string } => {
    const full = join(out, path);
    const outcome = !existsSync(full) ? "new" : readFileSync(full, "utf8") === text ? "same" : "replaced";
    return { full, text, path: relative(process.cwd(), full), outcome };
  });
  const taken = written.filter(({ outcome }) => outcome === "replaced").map(({ path }) => path);
  if (taken.length > 0 && !force) throw new CommandError(exitCodes.failed, new FilesExistError(taken));
  for (const { full, text, outcome } of dryRun ? [] : written) {
    if (outcome === "same") continue;
    mkdirSync(dirname(full), { recursive: true });
    // A file that came meanwhile is not replaced either.
    writeFileSync(full, text, { flag: outcome === "new" ? "wx" : "w" });
  }
  return written.map(({ path, outcome }) => ({ path, outcome }));
}
