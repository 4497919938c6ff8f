import { StoreError } from "../errors/run-errors.js";

/** The primary result code of an error from SQLite, or `undefined` for any other error. */
export function sqliteCodeOf(thrown: unknown): number | undefined {
  const code = (thrown as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** Another connection holds the lock: the same call may succeed a little later. */
export function isBusy(thrown: unknown): boolean {
  return sqliteCodeOf(thrown) === 5;
}

/** A row of that key is there. */
export function isConstraint(thrown: unknown): boolean {
  return sqliteCodeOf(thrown) === 19;
}

const advice: { readonly [code: number]: readonly [what: string, next: string] } = {
  5: [
    "The store is locked by another process",
    "End what holds it (a backup, a database browser, a process that hangs) and try again; nothing was written.",
  ],
  8: ["The store cannot be written", "Check the rights of the file and of its folder; nothing was written."],
  10: [
    "The disk of the store failed",
    "Check the disk, its free space and the file system; the last call was not written.",
  ],
  11: ["The store's file is damaged", "Keep a copy of it, and go back to a backup or use another file."],
  13: ["The disk of the store is full", "Make room and try again; the last call was not written."],
  14: [
    "The store cannot be opened",
    "Check that the path names a file, not a folder, and that its folder can be written.",
  ],
  23: ["The store cannot be opened", "Check the rights of the file and of its folder."],
  26: [
    "The store's file is not a SQLite database",
    "Use another path or, if it was a store, a backup of it; the file was not changed.",
  ],
};

const DAMAGED = 11;

/**
 * What SQLite threw, as a `StoreError` that says what to do. So is text that SQLite gave and that is no JSON, and a number that
 * JavaScript has not: only a damaged file has any. Other errors are given back as they are.
 */
export function toStoreError(thrown: unknown, location: string): unknown {
  const code = thrown instanceof SyntaxError || isTooLarge(thrown) ? DAMAGED : sqliteCodeOf(thrown);
  if (code === undefined) return thrown;
  const [what, next] = advice[code] ?? [
    "The store could not be read or written",
    "See `cause`; the last call was not written.",
  ];
  return new StoreError(what, `${location} (${(thrown as Error).message})`, next, thrown);
}

/** Node reads no integer that a number cannot hold. */
function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof RangeError && (thrown as { code?: unknown }).code === "ERR_OUT_OF_RANGE";
}
