import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { BadInputError, StoreError } from "../../src/errors/run-errors.js";
import { openSqlite } from "../../src/storage/sqlite-open.js";
import {
  ended,
  isKind,
  lease,
  newRun,
  NOW,
  paused,
  record,
  request,
  signal,
  started,
} from "../../src/testing/store-contract-fixture.js";
import { databaseAt, freshPath, storeAt } from "./sqlite-fixture.js";

describe("the file", () => {
  test("is made at the first call, with its folders, in WAL mode", async () => {
    const path = freshPath("a/b c/ü.db");
    const store = storeAt(path);
    expect(store.location).toBe(path);
    expect(store.kind).toBe("sqlite");
    expect(existsSync(dirname(path))).toBe(false);
    await store.check();
    expect(databaseAt(path).prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  });

  test.each([
    ["full", 2],
    ["normal", 1],
  ] as const)("synchronous %s is SQLite's %i", (synchronous, level) => {
    const connection = openSqlite(freshPath(), synchronous, true);
    expect(connection.row("PRAGMA synchronous")).toEqual({ synchronous: level });
    expect(connection.row("PRAGMA busy_timeout")).toEqual({ timeout: 250 });
    connection.close();
  });

  test("has pages of 2 kB where it is new, and the pages that it was made with where it is older; the log takes 16 MB of either", () => {
    const older = freshPath();
    const database = databaseAt(older);
    database.exec("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; VACUUM");
    database.close();
    for (const [path, page, pages] of [
      [freshPath(), 2048, 8_000],
      [older, 4096, 4_000],
    ] as const) {
      const connection = openSqlite(path, "full", true);
      expect(connection.row("PRAGMA page_size")).toEqual({ page_size: page });
      expect(connection.row("PRAGMA wal_autocheckpoint")).toEqual({ wal_autocheckpoint: pages });
      connection.close();
    }
  });

  test("keeps everything when it is opened again", async () => {
    const path = freshPath();
    const first = storeAt(path);
    await ended(first, await started(first, "run-1", "thread-1", { owner: "ann" }));
    const run = await started(first, "run-2", "thread-1", { owner: "ann", metadata: { a: 1 } });
    await first.append({ runId: "run-2", epoch: 1, records: [record("a"), record("b")] });
    await paused(first, run, "pause-1", "pause-2");
    await first.signal("run-2", [signal("pause-2")]);
    const place = isKind(
      await first.start(request(newRun("run-3", "thread-1", { owner: "ann" }), { queue: true })),
      "busy",
    ).ticket!;
    await first.close();

    const second = storeAt(path);
    expect(await second.run("run-2")).toEqual({ ...run, status: "paused" });
    expect(await second.records("run-2")).toEqual([record("a"), record("b")]);
    expect((await second.pauses({})).map(({ id }) => id)).toEqual(["pause-1"]);
    expect((await second.window("thread-1", 2, 5)).map((past) => past.run.id)).toEqual(["run-1"]);
    const again = isKind(await second.pickUp("run-2", lease("app-2"), NOW), "picked-up");
    expect(again.signals).toEqual([signal("pause-2")]);
    await ended(second, again.run);
    isKind(await second.start(request(newRun("run-4", "thread-1", { owner: "ann" }))), "busy");
    expect(
      isKind(await second.start(request(newRun("run-3", "thread-1", { owner: "ann" }), { queue: place })), "started")
        .run.n,
    ).toBe(3);
  });

  test("may be named by a relative path", async () => {
    const path = freshPath();
    const store = storeAt(relative(process.cwd(), path));
    await store.check();
    expect(store.location).toBe(path);
    expect(existsSync(path)).toBe(true);
  });

  test("may have a name that SQLite would read as an address", async () => {
    const path = freshPath("file:x?mode=memory");
    await storeAt(path).check();
    expect(existsSync(path)).toBe(true);
  });

  test("two stores in memory are two stores", async () => {
    const [first, second] = [sqliteStore(":memory:"), sqliteStore(":memory:")];
    await started(first, "run-1", "thread-1");
    expect(first.location).toBe(":memory:");
    expect(await second.run("run-1")).toBeUndefined();
  });
});

describe("a file that cannot be used gives a StoreError that says what to do", () => {
  const refused = (path: string, message: string): void => {
    const store = storeAt(path);
    for (const call of [
      () => store.check(),
      () => store.run("run-1"),
      () => store.start(request(newRun("run-1", "thread-1"))),
    ]) {
      expect(call).toThrow(StoreError);
      expect(call).toThrow(message);
      expect(call).toThrow(path);
    }
  };

  test("a folder", () => {
    const path = freshPath("folder");
    mkdirSync(path);
    refused(path, "Check that the path names a file");
  });

  test("a path below a file", () => {
    const path = freshPath();
    writeFileSync(path, "");
    const store = storeAt(join(path, "inner/tenon.db"));
    expect(() => store.check()).toThrow("The folder of the store cannot be made");
    expect(() => store.check()).toThrow(StoreError);
  });

  test("a file that is something else stays as it is", () => {
    const path = freshPath();
    const text = "not a database, but a letter to a friend. ".repeat(100);
    writeFileSync(path, text);
    refused(path, "is not a SQLite database");
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("another program's database", () => {
    const path = freshPath();
    databaseAt(path).exec("CREATE TABLE meta (version INTEGER); CREATE TABLE songs (title TEXT)");
    refused(path, "the database of another program");
  });

  test("a newer version", async () => {
    const path = freshPath();
    await storeAt(path).check();
    databaseAt(path).exec("UPDATE meta SET version = 7");
    refused(path, "version 7 (this one knows ");
  });

  test("a store mends itself once the file can be used", async () => {
    const path = freshPath();
    await storeAt(path).check();
    const database = databaseAt(path);
    const { version } = database.prepare("SELECT version FROM meta").get() as { version: number };
    database.exec("UPDATE meta SET version = 77");
    const store = storeAt(path);
    expect(() => store.check()).toThrow(StoreError);
    database.exec(`UPDATE meta SET version = ${version}`);
    expect((await started(store, "run-1", "thread-1")).n).toBe(1);
  });

  test("a table that was damaged by hand is an error with SQLite's words, and the transaction leaves nothing", async () => {
    const path = freshPath();
    const store = storeAt(path);
    await started(store, "run-1", "thread-1");
    const database = databaseAt(path);
    database.exec("ALTER TABLE pauses RENAME TO elsewhere");
    const end = { outcome: { status: "completed", stopReason: "answer", text: "", usage: {} } as never, at: NOW };
    const write = (): unknown => store.append({ runId: "run-1", epoch: 1, records: [record("a")], end });
    expect(write).toThrow(/The store could not be read or written: .*pauses/);
    database.exec("ALTER TABLE elsewhere RENAME TO pauses");
    expect(await store.records("run-1")).toEqual([]);
    expect(write()).toBe("written");
  });

  test("a closed store", async () => {
    const store = storeAt(freshPath());
    await store.check();
    await store.close();
    expect(() => store.run("run-1")).toThrow("The store is closed");
    expect(() => store.start(request(newRun("run-1", "thread-1")))).toThrow(StoreError);
  });
});

describe("sqliteStore(path, options)", () => {
  test.each(["", "  ", "a\0b", undefined, 7, null])("refuses the path %j", (path) => {
    expect(() => sqliteStore(path as string)).toThrow(BadInputError);
  });

  test("refuses unknown options and values", () => {
    expect(() => sqliteStore("x.db", { sync: "full" } as never)).toThrow("sync");
    expect(() => sqliteStore("x.db", { synchronous: "off" } as never)).toThrow(BadInputError);
    expect(sqliteStore("x.db", { synchronous: undefined }).kind).toBe("sqlite");
  });
});

test("the one warning that SQLite is experimental is swallowed, others are not, and later ones are not", async () => {
  const emitted: unknown[] = [];
  const emit = vi.spyOn(process, "emitWarning").mockImplementation((warning) => void emitted.push(warning));
  const sqlite = process.getBuiltinModule("node:sqlite");
  const builtin = vi.spyOn(process, "getBuiltinModule").mockImplementation(((): unknown => {
    process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
    process.emitWarning("something else", "ExperimentalWarning");
    return sqlite;
  }) as never);
  try {
    vi.resetModules();
    const { sqliteModule } = await import("../../src/storage/sqlite-module.js");
    expect(sqliteModule()).toBe(sqlite);
    process.emitWarning("SQLite is an experimental feature, again");
    expect(emitted).toEqual(["something else", "SQLite is an experimental feature, again"]);
    vi.resetModules();
    builtin.mockReturnValue(undefined);
    const without = await import("../../src/storage/sqlite-module.js");
    expect(() => without.sqliteModule()).toThrow("Use Node 22.13 or newer");
  } finally {
    emit.mockRestore();
    builtin.mockRestore();
  }
});
