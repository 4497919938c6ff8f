import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { SqliteStore } from "../../src/storage/sqlite-store.js";

/** A path in a folder that is removed after the test. */
export function freshPath(name = "tenon.db"): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

/** A store that is closed after the test. */
export function storeAt(path: string, lockWaitMs = 10_000): SqliteStore {
  const store = new SqliteStore(path, "normal", lockWaitMs);
  onTestFinished(() => store.close());
  return store;
}

/** A bare connection to the file, closed after the test. */
export function databaseAt(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}
