import type FileSystem from "node:fs/promises";
import { McpLockError } from "../../errors/mcp-lock-error.js";
import { textOf } from "../../errors/tenon-error.js";
import { emptyLock, type LockFile } from "./lock-file.js";
import { lockText } from "./lock-text.js";
import { parseLock } from "./parse-lock.js";
import { readText } from "./read-lock.js";

/** An update takes milliseconds; the mark of one that is older was left by a process that died. */
const STALE_MS = 10_000;
const LOOK_MS = 20;
const LOOKS = 1_000;

/**
 * Reads a lock file, changes it and writes it, one process at a time; readers see the old file or the new one, never a part.
 * Gives what the file says afterwards. A file that cannot be read (`McpLockError`) stays as it is, and so does one that
 * `change` leaves the same.
 */
export async function updateLock(file: string, change: (lock: LockFile) => LockFile): Promise<LockFile> {
  const files = await import("node:fs/promises");
  try {
    // A link stays a link: what it leads to is replaced.
    const path = await files.realpath(file).catch(() => file);
    return await alone(files, `${path}.writing`, async () => {
      const before = readText(path);
      const changed = change(before === undefined ? emptyLock : parseLock(before, file));
      const after = lockText(changed);
      if (after !== before && !(before === undefined && Object.keys(changed.servers).length === 0))
        await replace(files, path, after);
      return changed;
    });
  } catch (thrown) {
    if (McpLockError.is(thrown) || (thrown as NodeJS.ErrnoException).code === undefined) throw thrown;
    throw new McpLockError(file, `it cannot be written (${textOf(thrown)})`, "Mend that, and try again.", thrown);
  }
}

async function replace(files: typeof FileSystem, path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}-${crypto.randomUUID()}`;
  try {
    await files.writeFile(temporary, text, { flag: "wx", flush: true });
    await files.rename(temporary, path);
  } catch (thrown) {
    await files.rm(temporary, { force: true });
    throw thrown;
  }
}

/** Runs `work` while nobody else has made `mark`. */
async function alone<T>(files: typeof FileSystem, mark: string, work: () => Promise<T>): Promise<T> {
  for (let looks = 0; !(await made(files, mark)); looks++) {
    if (looks === LOOKS)
      throw new McpLockError(mark, "another process keeps it", "Wait for that process; if there is none, remove it.");
    const { mtimeMs } = await files.stat(mark).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > STALE_MS) await files.rm(mark, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  try {
    return await work();
  } finally {
    await files.rm(mark, { force: true });
  }
}

async function made(files: typeof FileSystem, mark: string): Promise<boolean> {
  try {
    await files.writeFile(mark, String(process.pid), { flag: "wx" });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  }
}
