import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { StoreError } from "../../src/errors/run-errors.js";
import { databaseAt, freshPath, storeAt } from "./sqlite-fixture.js";
import { openShelf, type Shelf } from "./fixtures/shelf.js";

const folder = fileURLToPath(new URL("fixtures/", import.meta.url));
const committed = readdirSync(folder).filter((name) => name.endsWith(".db"));

/** A committed database as another process would find it, and the app that made it. */
async function shelfOf(name: string): Promise<Shelf & { readonly path: string }> {
  const path = freshPath();
  copyFileSync(`${folder}${name}`, path);
  const shelf = await openShelf(sqliteStore(path));
  onTestFinished(() => shelf.app.close());
  return { ...shelf, path };
}

test("there is a committed database of every version up to this one", async () => {
  const path = freshPath();
  await storeAt(path).check();
  const { version } = databaseAt(path).prepare("SELECT version FROM meta").get() as { version: number };
  const names = Array.from({ length: version }, (_, i) => `version-${i + 1}.db`);
  // One is missing: `npm run build`, then `node packages/tenon/test/stores/fixtures/make-database.ts`, once the step is final.
  expect(committed.toSorted()).toEqual(names.toSorted());
});

describe.each(committed)("%s", (name) => {
  test("opens, and is of this version from then on", async () => {
    const { app, path } = await shelfOf(name);
    expect((await app.health()).store).toMatchObject({ kind: "sqlite", ok: true });
    const fresh = freshPath();
    await storeAt(fresh).check();
    const schemaOf = (file: string): unknown =>
      databaseAt(file).prepare("SELECT type, name, tbl_name FROM sqlite_schema ORDER BY type, name").all();
    expect(schemaOf(path)).toEqual(schemaOf(fresh));
    expect(databaseAt(path).prepare("SELECT version FROM meta").get()).toEqual(
      databaseAt(fresh).prepare("SELECT version FROM meta").get(),
    );
  });

  test("gives an ended run as it was, and its thread goes on from there", async () => {
    const { app, effects, asked } = await shelfOf(name);
    const known = await app.run({ prompt: "read alpha" }, { runId: "run-ended", threadId: "walk", owner: "ann" });
    const read = JSON.stringify({ title: "alpha", text: "ä €\u{1f4a1}" });
    expect(known).toMatchObject({ status: "completed", runId: "run-ended", text: `1: ${read}` });
    expect(known.usage).toMatchObject({ inputTokens: 14, outputTokens: 6, modelCalls: 2, toolCalls: 1 });
    expect([effects, asked()]).toEqual([[], 0]);
    await expect(app.run({ prompt: "read alpha" }, { threadId: "walk", owner: "bob" })).rejects.toMatchObject({
      code: "thread_owner",
    });
    const next = await app.run({ prompt: "read delta" }, { threadId: "walk", owner: "ann" });
    // The model counts the messages of the user that it was shown.
    expect(next.text).toContain("2: ");
  });

  test("gives a pause that can be answered", async () => {
    const { app, effects } = await shelfOf(name);
    const [pause] = await app.pauses({ runId: "run-paused" });
    expect(pause).toMatchObject({ kind: "approval", tool: "shelf_write", input: { title: "beta" } });
    const result = await app.resume("run-paused", { [pause!.id]: { approved: true, by: "ann" } });
    expect(result).toMatchObject({ status: "completed", text: "1: written" });
    expect(effects).toEqual([`${pause!.callId} write beta`]);
  });

  test("gives a run that was left open to `recover`, which pays no model call again", async () => {
    const { app, effects, asked } = await shelfOf(name);
    expect((await app.recover()).continued.map(({ runId, status }) => [runId, status])).toEqual([
      ["run-left-open", "completed"],
    ]);
    expect(effects).toEqual(["call_run-left-open_1_1 read gamma"]);
    expect(asked()).toBe(1);
  });
});

test("a step that fails half-way leaves the old version, whole", async () => {
  const path = freshPath();
  copyFileSync(`${folder}version-1.db`, path);
  const database = databaseAt(path);
  // Fails where everything has been renamed and most of it is made.
  database.exec("CREATE TABLE blobs (song TEXT)");
  const tables = (): unknown => database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();
  const before = tables();
  const store = storeAt(path);
  expect(() => store.runs({})).toThrow(StoreError);
  expect(() => store.runs({})).toThrow(/could not be read or written.*blobs/);
  expect(tables()).toEqual(before);
  expect(database.prepare("SELECT version FROM meta").get()).toEqual({ version: 1 });
  database.exec("DROP TABLE blobs");
  expect((await store.runs({})).map(({ id }) => id)).toEqual(["run-left-open", "run-paused", "run-ended"]);
  expect(database.prepare("SELECT version FROM meta").get()).not.toEqual({ version: 1 });
});

describe("a version that is not known", () => {
  test.each([
    ["newer", "UPDATE meta SET version = 99", /made by a newer version of Tenon: .*version 99.*Update the package/],
    ["zero", "UPDATE meta SET version = 0", /does not say of which version it is.*go back to a backup/],
    ["a fraction", "UPDATE meta SET version = 1.5", /does not say of which version/],
    ["a text", "UPDATE meta SET version = 'one'", /does not say of which version/],
    ["absent", "DELETE FROM meta", /does not say of which version/],
  ])("%s: a StoreError, nothing is written, and all of it is there afterwards", async (_what, change, message) => {
    const path = freshPath();
    copyFileSync(`${folder}version-1.db`, path);
    const database = databaseAt(path);
    database.exec(change);
    database.close();
    const before = readFileSync(path);
    const store = storeAt(path);
    expect(() => store.check()).toThrow(message);
    expect(() => store.runs({})).toThrow(message);
    const shelf = await openShelf(sqliteStore(path));
    await expect(shelf.app.run({ prompt: "read alpha" })).rejects.toMatchObject({ code: "store_error" });
    expect((await shelf.app.health()).store).toMatchObject({ ok: false, error: expect.stringMatching(message) });
    await shelf.app.close();
    expect(readFileSync(path).equals(before)).toBe(true);
    databaseAt(path).exec("DELETE FROM meta; INSERT INTO meta VALUES (1)");
    expect((await storeAt(path).runs({})).map(({ id }) => id)).toEqual(["run-left-open", "run-paused", "run-ended"]);
  });

  test("another program's file keeps its journal mode", () => {
    const path = freshPath();
    const database = databaseAt(path);
    database.exec("CREATE TABLE songs (title TEXT)");
    database.close();
    const before = readFileSync(path);
    expect(() => storeAt(path).check()).toThrow("the database of another program");
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
