import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { JournalError, StoreError } from "../../src/errors/run-errors.js";
import type { JsonValue } from "../../src/protocol/json.js";
import {
  ended,
  newRun,
  NOW,
  outcome,
  paused,
  pause,
  pickedUp,
  record,
  request,
  signal,
  started,
} from "../../src/testing/store-contract-fixture.js";
import { databaseAt, freshPath, storeAt } from "./sqlite-fixture.js";

const LIMIT = 65_536;

/** A string whose JSON text has so many bytes, all of this character. */
function textOf(bytes: number, character = "x"): string {
  const each = Buffer.byteLength(character);
  return character.repeat(Math.floor((bytes - 2) / each)) + "-".repeat((bytes - 2) % each);
}

function numberOf(path: string, sql: string): number {
  return Object.values(databaseAt(path).prepare(sql).get() as Record<string, number>)[0]!;
}

const blobs = (path: string): number => numberOf(path, "SELECT count(*) FROM blobs");

/** The longest text in any row of any table but `blobs`, in bytes. */
function longestInRow(path: string): number {
  const columns = ["runs.input", "records.json", "signals.json", "pauses.json"].map((column) => column.split("."));
  const longest = columns.map(([table, name]) => `SELECT max(octet_length(${name})) AS n FROM ${table}`);
  return numberOf(path, `SELECT max(n) FROM (${longest.join(" UNION ALL ")})`);
}

describe("the value of a record", () => {
  test.each([
    ["of one-byte characters", "x"],
    ["of two-byte characters", "é"],
    ["of three-byte characters", "語"],
    ["of characters outside the first plane", "\u{1f4a1}"],
  ])("is in its row up to 64 kB of JSON, and in `blobs` beyond: %s", async (_what, character) => {
    const path = freshPath();
    const store = storeAt(path);
    await started(store, "run-1", "thread-1");
    const records = [LIMIT - 1, LIMIT, LIMIT + 1].map((bytes) => record(`bytes-${bytes}`, textOf(bytes, character)));
    for (const one of records) await store.append({ runId: "run-1", epoch: 1, records: [one] });
    expect(await store.records("run-1")).toEqual(records);
    const inRow = databaseAt(path).prepare("SELECT key, octet_length(json) AS bytes FROM records ORDER BY at").all();
    expect(inRow).toEqual([
      { key: `bytes-${LIMIT - 1}`, bytes: LIMIT - 1 },
      { key: `bytes-${LIMIT}`, bytes: LIMIT },
      { key: `bytes-${LIMIT + 1}`, bytes: null },
    ]);
    expect(numberOf(path, "SELECT octet_length(json) FROM blobs")).toBe(LIMIT + 1);
  });

  test("may have megabytes, several in one batch, among small ones, and after another opening", async () => {
    const path = freshPath();
    const store = storeAt(path);
    await started(store, "run-1", "thread-1");
    const big = { list: Array.from({ length: 5_000 }, (_, i) => ({ i, text: "ä\0\ud800\u{1f4a1}".repeat(100) })) };
    const values: readonly JsonValue[] = ["small", "y".repeat(5_000_000), { n: 1 }, big, textOf(5_000_000, "語"), null];
    const records = values.map((value, i) => record(`key-${i}`, value));
    await store.append({ runId: "run-1", epoch: 1, records });
    await store.append({ runId: "run-1", epoch: 1, records: [record("last", "z".repeat(100_000))] });
    await store.close();
    const again = storeAt(path);
    expect(await again.records("run-1")).toEqual([...records, record("last", "z".repeat(100_000))]);
    expect((await pickedUp(again, "run-1", "app-1")).records).toHaveLength(7);
    expect(blobs(path)).toBe(4);
    expect(longestInRow(path)).toBeLessThanOrEqual(LIMIT);
    // Pages of `records` hold rows, not values.
    expect(numberOf(path, "SELECT sum(octet_length(key) + octet_length(activation)) FROM records")).toBeLessThan(300);
  });

  test("is written with its row or not at all", async () => {
    const path = freshPath();
    const store = storeAt(path);
    await started(store, "run-1", "thread-1");
    const large = (key: string): ReturnType<typeof record> => record(key, "x".repeat(LIMIT));
    await store.append({ runId: "run-1", epoch: 1, records: [large("a")] });
    const refused = (): unknown =>
      store.append({ runId: "run-1", epoch: 1, records: [large("b"), large("c"), large("a")] });
    expect(refused).toThrow(JournalError);
    expect(await store.append({ runId: "run-1", epoch: 9, records: [large("d")] })).toBe("fenced");
    expect(await store.append({ runId: "run-1", epoch: 9, records: [large("d"), large("e")] })).toBe("fenced");
    expect(blobs(path)).toBe(1);
    expect(await store.records("run-1")).toEqual([large("a")]);
  });

  test("that is missing is damage, not a null", async () => {
    const path = freshPath();
    const store = storeAt(path);
    const run = await started(store, "run-1", "thread-1", { prompt: "p".repeat(LIMIT) });
    await store.append({ runId: "run-1", epoch: 1, records: [record("a", "x".repeat(LIMIT))] });
    const database = databaseAt(path);
    database.exec("DELETE FROM blobs WHERE part <> 'input'");
    expect(() => store.records("run-1")).toThrow(StoreError);
    expect(() => store.records("run-1")).toThrow(/file is damaged: .*missing.*backup/);
    expect(await store.run("run-1")).toEqual(run);
    database.exec("DELETE FROM blobs");
    expect(() => store.run("run-1")).toThrow(/file is damaged/);
  });
});

describe("other large values", () => {
  const text = "語".repeat(LIMIT);

  test("a prompt, metadata, an outcome, a pause and its answer are read back everywhere", async () => {
    const path = freshPath();
    const store = storeAt(path);
    const run = await started(store, "run-1", "thread-1", { prompt: text, metadata: { text } });
    const asked = { ...pause("pause-1", run), input: text };
    await store.append({ runId: "run-1", epoch: 1, records: [], opened: [asked] });
    await store.append({ runId: "run-1", epoch: 1, records: [], opened: [asked] });
    expect(await store.pauses({})).toEqual([asked]);
    expect(await store.pauses({ runId: "run-1" })).toEqual([asked]);
    expect(await store.pauses({ threadId: "thread-1" })).toEqual([asked]);
    expect(await store.park("run-1", 1, ["pause-1"])).toBe("parked");
    const answer = signal("pause-1", { answer: text });
    expect(await store.signal("run-1", [answer])).toEqual({ kind: "recorded" });
    expect(await store.signal("run-1", [answer])).toEqual({ kind: "recorded" });
    expect(await store.signal("run-1", [signal("pause-1", { answer: "x" })])).toMatchObject({ why: "answered" });
    const taken = await pickedUp(store, "run-1");
    expect(taken.signals).toEqual([answer]);
    await ended(store, taken.run, outcome("completed", text));

    const row = { ...run, status: "completed", epoch: 2, endedAt: NOW + 1, outcome: outcome("completed", text) };
    expect(await store.run("run-1")).toEqual(row);
    expect(await store.runs({ status: ["completed"] })).toEqual([row]);
    expect(await store.window("thread-1", 9, 9)).toEqual([{ run: row, records: [] }]);
    expect(databaseAt(path).prepare("SELECT part FROM blobs ORDER BY part").all()).toEqual(
      ["input", "pause 1", `record ${1_048_576 + 1}`, "signal 1"].map((part) => ({ part })),
    );
    expect(longestInRow(path)).toBeNull();
  });

  test("all rows of a run, small and large, go with its row in `runs`, and no others", async () => {
    const path = freshPath();
    const store = storeAt(path);
    const fill = async (id: string, threadId: string): Promise<void> => {
      const run = await started(store, id, threadId, { prompt: text });
      await store.append({ runId: id, epoch: 1, records: [record("a", text), record("b")] });
      await paused(store, run, "pause-1");
      await store.signal(id, [signal("pause-1", text)]);
    };
    await fill("run-1", "thread-1");
    await fill("run-2", "thread-2");
    await ended(store, (await pickedUp(store, "run-1")).run);
    for (let i = 0; i < 40; i++) await ended(store, await started(store, `more-${i}`, `more-${i}`));
    const database = databaseAt(path);
    database.exec("DELETE FROM runs WHERE id = 'run-1' OR id LIKE 'more%'");
    const tables = { runs: 1, open_runs: 1, run_names: 0, records: 2, signals: 1, pauses: 1, blobs: 3 };
    for (const [table, rows] of Object.entries(tables))
      expect(numberOf(path, `SELECT count(*) FROM ${table}`), table).toBe(rows);
    expect(await store.run("run-1")).toBeUndefined();
    expect(await store.thread("thread-1")).toBeUndefined();
    expect((await pickedUp(store, "run-2")).records).toEqual([record("a", text), record("b")]);
    expect((await started(store, "run-1", "thread-1")).n).toBe(1);
    expect(await store.records("run-1")).toEqual([]);
  });
});

test("a database of version 1 with large values gives them all, and keeps them in `blobs` from then on", async () => {
  const path = freshPath();
  copyFileSync(fileURLToPath(new URL("fixtures/version-1.db", import.meta.url)), path);
  const database = databaseAt(path);
  const text = "é".repeat(LIMIT);
  const put = (table: string, where: string, value: JsonValue): void => {
    database.prepare(`UPDATE ${table} SET json = ? WHERE ${where}`).run(JSON.stringify(value));
  };
  const all = (sql: string): any[] => database.prepare(sql).all();
  const [first] = all("SELECT seq, input FROM runs WHERE id = 'run-ended'");
  database
    .prepare("UPDATE runs SET input = ? WHERE seq = ?")
    .run(JSON.stringify({ ...JSON.parse(first.input), prompt: text }), first.seq);
  const [end] = all(`SELECT json FROM records WHERE run = ${first.seq} AND key = '"end'`);
  const ending = JSON.parse(end.json);
  put("records", `run = ${first.seq} AND key = '"end'`, { ...ending, outcome: { ...ending.outcome, text } });
  put("records", `run = ${first.seq} AND key = 'turn:1/model'`, { text });
  const [asked] = all("SELECT run, id, json FROM pauses");
  put("pauses", "open = 1", { ...JSON.parse(asked.json), input: { text } });
  database.exec(`INSERT INTO signals (run, name, id, json) VALUES (${asked.run}, 'other', 'signal-1', '"small"')`);
  database
    .prepare("INSERT INTO signals (run, name, id, json) VALUES (?, 'large', 'signal-2', ?)")
    .run(asked.run, JSON.stringify(text));
  const keys = all(`SELECT key FROM records WHERE run = ${first.seq} AND key <> '"end' ORDER BY epoch, seq`).map(
    ({ key }) => key,
  );

  const store = storeAt(path);
  const run = (await store.run("run-ended"))!;
  expect([run.prompt, run.outcome?.text, run.endedAt]).toEqual([text, text, ending.at]);
  const records = await store.records("run-ended");
  expect(records.map(({ key }) => key)).toEqual(keys);
  expect(records.find(({ key }) => key === "turn:1/model")?.value).toEqual({ text });
  expect((await store.pauses({})).map(({ input }) => input)).toEqual([{ text }]);
  await store.cancel("run-paused", NOW, "cancelled");
  const taken = await pickedUp(store, "run-paused", "app-9", Date.now() + 1e9);
  expect(taken.signals.map(({ value }) => value)).toEqual(["small", text, { lapsed: "cancelled" }]);
  expect(blobs(path)).toBe(5);
  expect(longestInRow(path)).toBeLessThan(LIMIT);
  expect(all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect((await store.start(request(newRun("run-next", "walk", { owner: "ann" })))).kind).toBe("started");
});
