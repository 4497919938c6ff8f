import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { WrittenRuns } from "./sqlite-written-runs.js";

/** How long SQLite itself waits for a lock, in milliseconds. It blocks the event loop, so longer waits are made in JavaScript. */
export const BUSY_TIMEOUT_MS = 250;

/** An open database: statements are prepared once, by their text. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements: Map<string, StatementSync> = new Map();
  readonly written: WrittenRuns = new WrittenRuns();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The first row. Runs the whole statement, also one that writes and returns. */
  row<T>(sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.#prepared(sql).get(...values) as T | undefined;
  }

  rows<T>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#prepared(sql).all(...values) as unknown as T[];
  }

  /** Runs it and gives how many rows it changed. */
  change(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  /** Inserts one row and gives its rowid. */
  insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).lastInsertRowid);
  }

  /** Runs statements that are used once. */
  execute(sql: string): void {
    this.#database.exec(sql);
  }

  /** One transaction with the write lock from its start; a throw undoes all of it. */
  transaction<T>(body: () => T): T {
    this.#prepared("BEGIN IMMEDIATE").run();
    try {
      const result = body();
      this.#prepared("COMMIT").run();
      return result;
    } catch (thrown) {
      this.#undo();
      throw thrown;
    }
  }

  /** Waits not at all for a lock while `body` runs. */
  impatiently<T>(body: () => T): T {
    this.#database.exec("PRAGMA busy_timeout = 0");
    try {
      return body();
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** Empties the log, which may still have what was deleted. Where another process reads now, it is kept until it is next written from its start. */
  emptyLog(): void {
    this.row("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #undo(): void {
    try {
      this.#prepared("ROLLBACK").run();
    } catch {
      // SQLite has already undone it (a full disk, an I/O error).
    }
  }
}
