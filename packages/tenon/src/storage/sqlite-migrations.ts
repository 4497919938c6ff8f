import { StoreError } from "../errors/run-errors.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { from0To2, from1To2 } from "./sqlite-version-2.js";
import { from2To3 } from "./sqlite-version-3.js";

/** What brings the tables from one version to another. */
interface Step {
  readonly from: number;
  readonly to: number;
  readonly sql: string;
}

/** Ways to the newest version, which the last one leads to; 0 is an empty file. A step that was released never changes. */
const steps: readonly Step[] = [
  { from: 0, to: 2, sql: from0To2 },
  { from: 1, to: 2, sql: from1To2 },
  { from: 2, to: 3, sql: from2To3 },
];
const newest = steps.at(-1)!.to;

/**
 * Brings the tables to the newest version, all steps or none. Throws `StoreError` for another program's database, for a newer
 * version and for one that cannot be told.
 */
export function migrate(connection: SqliteConnection, location: string): void {
  if (versionOf(connection, location) === newest) return;
  connection.transaction(() => {
    const found = versionOf(connection, location);
    let version = found;
    for (const { from, to, sql } of steps) {
      if (from !== version) continue;
      connection.execute(sql);
      version = to;
    }
    if (found === 0)
      connection.execute(`CREATE TABLE meta (version INTEGER NOT NULL); INSERT INTO meta VALUES (${newest})`);
    else connection.execute(`UPDATE meta SET version = ${newest}`);
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
  if (version <= newest) return version;
  throw new StoreError(
    "The store was made by a newer version of Tenon",
    `${location}, version ${version} (this one knows ${newest})`,
    "Update the package `tenon`, or use another file; nothing was changed.",
  );
}
