import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SqliteStore } from "../../src/storage/sqlite-store.js";
import { StoreError } from "../../src/errors/run-errors.js";
import { record, started } from "../../src/testing/store-contract-fixture.js";
import { openShelf } from "./fixtures/shelf.js";
import { databaseAt, freshPath, storeAt } from "./sqlite-fixture.js";

/** Opens the store, and gives the connection that it made for itself. */
async function opened(store: SqliteStore): Promise<DatabaseSync> {
  const spy = vi.spyOn(DatabaseSync.prototype, "exec");
  try {
    await store.check();
    return spy.mock.contexts[0] as DatabaseSync;
  } finally {
    spy.mockRestore();
  }
}

/** No page more than the file has now. */
function fill(database: DatabaseSync): void {
  const { page_count: pages } = database.prepare("PRAGMA page_count").get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${pages}`);
}

const FULL = /The disk of the store is full: .*Make room and try again; the last call was not written/;

describe("a disk that is full", () => {
  test("refuses whole calls, keeps what was committed, and takes calls again once there is room", async () => {
    const path = freshPath();
    const store = storeAt(path);
    const database = await opened(store);
    await started(store, "run-1", "thread-1");
    fill(database);
    const written: string[] = [];
    let thrown: unknown;
    for (let i = 0; thrown === undefined; i++) {
      try {
        const batch = [record(`${i}a`, "x".repeat(700)), record(`${i}b`, "y".repeat(700))];
        await store.append({ runId: "run-1", epoch: 1, records: batch });
        written.push(`${i}a`, `${i}b`);
      } catch (error) {
        thrown = error;
      }
    }
    expect(StoreError.is(thrown)).toBe(true);
    expect((thrown as Error).message).toMatch(FULL);
    const keys = async (): Promise<string[]> => (await store.records("run-1")).map(({ key }) => key);
    expect(await keys()).toEqual(written);
    database.exec("PRAGMA max_page_count = 1000000");
    expect(await store.append({ runId: "run-1", epoch: 1, records: [record("after")] })).toBe("written");
    expect(await keys()).toEqual([...written, "after"]);
    expect(databaseAt(path).prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  });

  test("in the middle of a run: the run stays, and nothing that was recorded happens again", async () => {
    const store = new SqliteStore(freshPath(), "full", 10_000);
    const database = await opened(store);
    const title = "z".repeat(6_000);
    const { app, effects, asked } = await openShelf(store);
    onTestFinished(() => app.close());
    await app.run({ prompt: "read alpha" }, { threadId: "walk" });
    const model = vi.spyOn(store, "append");
    model.mockImplementationOnce((batch) => {
      const answer = SqliteStore.prototype.append.call(store, batch);
      fill(database);
      return answer;
    });
    const run = app.run({ prompt: `read ${title}` }, { runId: "run-squeezed", threadId: "walk" });
    await expect(run).rejects.toMatchObject({ code: "store_error", message: expect.stringMatching(FULL) });
    model.mockRestore();
    expect([effects.length, asked()]).toEqual([2, 3]);
    expect((await app.health()).store.kind).toBe("sqlite");

    database.exec("PRAGMA max_page_count = 1000000");
    // Its lease runs out, then `recover` finds it; the process that had it may go on at once.
    expect(await app.resume("run-squeezed")).toMatchObject({ status: "completed", runId: "run-squeezed" });
    // The model's turn was recorded, the read was not: it is issued again, with its id.
    expect(effects).toEqual([
      expect.stringContaining("read alpha"),
      `call_run-squeezed_1_1 read ${title}`,
      `call_run-squeezed_1_1 read ${title}`,
    ]);
    expect(asked()).toBe(4);
  });

  test("really full, with no byte left", async ({ skip }) => {
    const mounted = mountOf(1024);
    // Only root on Linux may mount a file system; the tests above fill SQLite itself.
    skip(mounted === undefined, "no file system can be mounted here");
    const path = join(mounted!, "folder/tenon.db");
    const filler = join(mounted!, "filler");
    const store = new SqliteStore(path, "full", 100);
    await started(store, "run-1", "thread-1");
    const written: string[] = [];
    let thrown: unknown;
    for (let i = 0; thrown === undefined && i < 5_000; i++) {
      try {
        await store.append({ runId: "run-1", epoch: 1, records: [record(`${i}`, "x".repeat(300))] });
        written.push(`${i}`);
        if (i === 20) fillUp(filler);
      } catch (error) {
        thrown = error;
      }
    }
    expect((thrown as Error).message).toMatch(/The disk of the store (is full|failed): .*(Make room|free space)/);
    expect(StoreError.is(thrown)).toBe(true);
    expect((await store.records("run-1")).map(({ key }) => key)).toEqual(written);
    await store.close();

    const fresh = new SqliteStore(join(mounted!, "other/tenon.db"), "full", 100);
    expect(() => fresh.check()).toThrow(/The (disk|folder) of the store .*(Make room|free space|Check the path)/);
    expect(() => fresh.check()).toThrow(StoreError);
    rmSync(filler);
    const again = new SqliteStore(path, "full", 100);
    expect((await again.records("run-1")).map(({ key }) => key)).toEqual(written);
    expect(await again.append({ runId: "run-1", epoch: 1, records: [record("after")] })).toBe("written");
    await again.close();
    expect((await started(fresh, "run-1", "thread-1")).n).toBe(1);
    await fresh.close();
  });
});

/** A small file system of its own, or `undefined` where none may be mounted. */
function mountOf(kilobytes: number): string | undefined {
  if (process.platform !== "linux" || process.getuid!() !== 0) return undefined;
  const folder = dirname(freshPath());
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return folder;
}

/** Writes until there is no room for a single byte. */
function fillUp(path: string): void {
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: "a" });
    } catch {
      // No room for that much: try a smaller piece.
    }
  }
}
