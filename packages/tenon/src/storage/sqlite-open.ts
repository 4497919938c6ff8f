import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors/run-errors.js";
import { BUSY_TIMEOUT_MS, SqliteConnection } from "./sqlite-connection.js";
import { migrate, versionOf } from "./sqlite-migrations.js";
import { sqliteModule } from "./sqlite-module.js";

/** `full`: a commit survives a power cut. `normal`: a power cut, not a kill, can undo the last ones. */
export type Synchronous = "full" | "normal";

/** A transaction writes whole pages, and most of a run's are a few hundred bytes. An older file keeps the pages it was made with. */
const PAGE_BYTES = 2_048;

/** What the log takes before it goes to the file: four of SQLite's own steps, so that a page written often goes once. */
const LOG_BYTES = 16_384_000;

/**
 * Opens the database at a path (or `:memory:`), with its folder and tables made where they are missing. Throws
 * `StoreError`, or SQLite's own error where it is locked; then nothing stays open. Not `patient`: waits for no lock.
 */
export function openSqlite(location: string, synchronous: Synchronous, patient: boolean): SqliteConnection {
  const { DatabaseSync } = sqliteModule();
  const inMemory = location === ":memory:";
  if (!inMemory) {
    makeFolder(location);
    refuseEmptied(location);
  }
  const database: DatabaseSync = new DatabaseSync(location);
  try {
    database.exec(`PRAGMA busy_timeout = ${patient ? BUSY_TIMEOUT_MS : 0}`);
    const connection = new SqliteConnection(database);
    // Before anything is set: a file that is not ours stays as it is.
    versionOf(connection, location);
    // Heard only where there is no table yet.
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    const { journal_mode: mode } = database.prepare("PRAGMA journal_mode = WAL").get() as { journal_mode: string };
    if (mode !== "wal" && !inMemory) {
      throw new StoreError(
        "The file system of the store does not allow SQLite's WAL mode",
        `${location} (${mode})`,
        "Use a local disk, not a network share.",
      );
    }
    // What is erased is overwritten. It must be on from the first write: what a page splits off leaves copies.
    database.exec("PRAGMA secure_delete = ON");
    database.exec(`PRAGMA synchronous = ${synchronous === "full" ? "FULL" : "NORMAL"}`);
    const { page_size: pageBytes } = database.prepare("PRAGMA page_size").get() as { page_size: number };
    database.exec(`PRAGMA wal_autocheckpoint = ${Math.ceil(LOG_BYTES / pageBytes)}`);
    migrate(connection, location);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return connection;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

function makeFolder(location: string): void {
  try {
    mkdirSync(dirname(location), { recursive: true });
  } catch (thrown) {
    throw new StoreError(
      "The folder of the store cannot be made",
      `${dirname(location)} (${(thrown as Error).message})`,
      "Check the path and the rights of its parent folder.",
      thrown,
    );
  }
}

/**
 * SQLite drops the log beside an empty file without a word, and with it what was committed last. A file of one byte is empty
 * to it too.
 */
function refuseEmptied(location: string): void {
  if ((sizeOf(location) ?? 2) > 1 || !sizeOf(`${location}-wal`)) return;
  throw new StoreError(
    "The store's file is empty, and the log beside it is not",
    `${location}, ${location}-wal`,
    "Something emptied the file. Keep a copy of both, and go back to a backup or use another path; nothing was changed.",
  );
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
