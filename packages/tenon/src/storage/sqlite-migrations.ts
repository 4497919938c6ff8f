import { StoreError } from "../errors/run-errors.js";
import type { SqliteConnection } from "./sqlite-connection.js";

/**
 * Every version of the tables, oldest first; version 1 is the first. Append-only: a step that was released never changes.
 *
 * A write costs by the pages that it touches, so a run is spread by how it is written: `runs` and `records` only grow (a
 * run's end is its last record), and all that changes while a run is open is one short row in `open_runs`. A thread is the
 * list of its runs: its last one, while open, holds it.
 */
const steps: readonly string[] = [
  `
  CREATE TABLE runs (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, thread TEXT NOT NULL, n INTEGER NOT NULL, thread_owner TEXT,
    agent TEXT NOT NULL, input TEXT NOT NULL, created_at INTEGER NOT NULL, loop_version INTEGER NOT NULL,
    UNIQUE (thread, n)
  );
  CREATE TABLE open_runs (
    run INTEGER PRIMARY KEY, status TEXT NOT NULL, epoch INTEGER NOT NULL, lease_by TEXT, lease_until INTEGER NOT NULL,
    woken INTEGER NOT NULL, cancel INTEGER NOT NULL
  );
  CREATE TABLE records (
    run INTEGER NOT NULL, key TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL,
    v INTEGER NOT NULL, activation TEXT NOT NULL, json TEXT NOT NULL,
    PRIMARY KEY (run, key)
  ) WITHOUT ROWID;
  CREATE TABLE signals (seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (run, name));
  CREATE TABLE pauses (seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, id TEXT NOT NULL, open INTEGER NOT NULL, json TEXT NOT NULL, UNIQUE (run, id));
  CREATE INDEX pauses_open ON pauses (run) WHERE open = 1;
  CREATE TABLE thread_queue (ticket INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL, by TEXT NOT NULL, until INTEGER NOT NULL);
  CREATE INDEX thread_queue_thread ON thread_queue (thread);
  `,
  `
  ALTER TABLE signals ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE pauses ADD COLUMN doubt INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE pauses ADD COLUMN expires_at INTEGER;
  CREATE INDEX pauses_expiry ON pauses (expires_at) WHERE open = 1 AND expires_at IS NOT NULL;
  `,
];

/**
 * Brings the tables to the newest version, all steps or none. Throws `StoreError` for another program's database, for a newer
 * version and for one that cannot be told.
 */
export function migrate(connection: SqliteConnection, location: string): void {
  if (versionOf(connection, location) === steps.length) return;
  connection.transaction(() => {
    const version = versionOf(connection, location);
    for (const step of steps.slice(version)) connection.execute(step);
    if (version === 0)
      connection.execute(`CREATE TABLE meta (version INTEGER NOT NULL); INSERT INTO meta VALUES (${steps.length})`);
    else connection.execute(`UPDATE meta SET version = ${steps.length}`);
  });
}

/** The version of the tables, 0 for a file that has none. Only reads. Throws `StoreError` as `migrate` does. */
export function versionOf(connection: SqliteConnection, location: string): number {
  const tables = new Set(
    connection.rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name),
  );
  if (tables.size === 0) return 0;
  if (!tables.has("meta") || !tables.has("open_runs")) {
    throw new StoreError(
      "The file is the database of another program",
      location,
      "Use another path; the file was not changed.",
    );
  }
  const version = connection.row<{ version: unknown }>("SELECT version FROM meta")?.version;
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) {
    throw new StoreError(
      "The store does not say of which version it is",
      `${location}, version ${String(version)}`,
      "Keep a copy of it, and go back to a backup or use another file; nothing was changed.",
    );
  }
  if (version <= steps.length) return version;
  throw new StoreError(
    "The store was made by a newer version of Tenon",
    `${location}, version ${version} (this one knows ${steps.length})`,
    "Update the package `tenon`, or use another file; nothing was changed.",
  );
}
