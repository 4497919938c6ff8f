import { McpLockError } from "../../errors/mcp-lock-error.js";
import { textOf } from "../../errors/tenon-error.js";
import type { LockFile } from "./lock-file.js";
import { parseLock } from "./parse-lock.js";

/**
 * Reads a lock file, at once: declarations need it too. `undefined` where there is none; `McpLockError` for one that cannot be
 * read, is damaged, is no lock file of Tenon, or was written by a later version.
 */
export function readLock(file: string): LockFile | undefined {
  const text = readText(file);
  return text === undefined ? undefined : parseLock(text, file);
}

/** The text of a lock file; `undefined` where there is none. */
export function readText(file: string): string | undefined {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new McpLockError(file, `it cannot be read (${textOf(thrown)})`, "Mend its rights, and try again.", thrown);
  }
}
