import { chmodSync, copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { StoreError } from "../../src/errors/run-errors.js";
import type { JournalRecord, Store } from "../../src/journal/store.js";
import { ended, lease, newRun, NOW, record, request, started } from "../../src/testing/store-contract-fixture.js";
import { databaseAt, freshPath, storeAt } from "./sqlite-fixture.js";

const PAGE = 4096;
const records: readonly JournalRecord[] = Array.from({ length: 60 }, (_, i) =>
  record(`key-${i}`, { text: `${i} ${"x".repeat(300)}` }),
);

/** A closed store with an ended run and an open one, in one file. */
async function filled(): Promise<string> {
  const path = freshPath();
  const store = storeAt(path);
  await ended(store, await started(store, "run-1", "thread-1"));
  await started(store, "run-2", "thread-2");
  await store.append({ runId: "run-2", epoch: 1, records });
  await store.close();
  return path;
}

async function expectWhole(path: string): Promise<void> {
  const store = storeAt(path);
  expect(await store.records("run-2")).toEqual(records);
  expect((await store.runs({})).map(({ id }) => id)).toEqual(["run-2", "run-1"]);
}

const calls: readonly ((store: Store) => unknown)[] = [
  (store) => store.check(),
  (store) => store.runs({}),
  (store) => store.run("run-1"),
  (store) => store.records("run-2"),
  (store) => store.window("thread-1", 9, 5),
  (store) => store.pauses({}),
  (store) => store.start(request(newRun("run-3", "thread-3"))),
  (store) => store.append({ runId: "run-2", epoch: 1, records: [record("late")] }),
  (store) => store.pickUp("run-2", lease("app-2"), NOW + 20_000),
];

/** What the calls of a store threw. Each must be a `StoreError` with the file's path and a way out. */
function failures(store: Store): string[] {
  const found: string[] = [];
  for (const call of calls) {
    try {
      call(store);
    } catch (thrown) {
      expect(StoreError.is(thrown), String((thrown as Error).stack)).toBe(true);
      expect((thrown as Error).message).toContain(store.location);
      found.push((thrown as Error).message);
    }
  }
  return found;
}

describe("a damaged file gives StoreErrors, and nothing of it is deleted or cut", () => {
  test("that was cut off, wherever", async () => {
    const whole = await filled();
    const size = statSync(whole).size;
    const cuts = [2, 50, 99, 100, 2000, PAGE - 1, PAGE, PAGE + 1, size / 2 + 7, size - PAGE, size - PAGE - 1, size - 1];
    for (const cut of cuts) {
      const path = freshPath();
      copyFileSync(whole, path);
      truncateSync(path, Math.trunc(cut));
      const before = readFileSync(path);
      const messages = failures(storeAt(path));
      expect(messages.length, `cut at ${cut}`).toBeGreaterThan(0);
      expect(messages[0]).toMatch(/file is (damaged|not a SQLite database).*(backup)/);
      expect(readFileSync(path).equals(before), `cut at ${cut}`).toBe(true);
    }
    await expectWhole(whole);
  });

  test.each([0x00, 0xff, 0x41])("with a page full of %i, whichever", async (byte) => {
    const whole = await filled();
    const content = readFileSync(whole);
    let refusals = 0;
    for (let page = 0; page < content.length / PAGE; page++) {
      const path = freshPath();
      const damaged = Buffer.from(content).fill(byte, page * PAGE, (page + 1) * PAGE);
      writeFileSync(path, damaged);
      const store = storeAt(path);
      const messages = failures(store);
      for (const message of messages) expect(message).toMatch(/damaged|not a SQLite database/);
      refusals += messages.length;
      await store.close();
      expect(statSync(path).size).toBeGreaterThanOrEqual(content.length);
      // The pages that were whole still are: with the bad one put back, everything that was committed is there.
      const after = readFileSync(path);
      if (messages.length === calls.length) {
        content.copy(after, page * PAGE, page * PAGE, (page + 1) * PAGE);
        writeFileSync(path, after);
        await expectWhole(path);
      }
    }
    expect(refusals).toBeGreaterThan(content.length / PAGE);
  });

  test("with text that is no JSON", async () => {
    const path = await filled();
    const database = databaseAt(path);
    database.exec(
      `UPDATE records SET json = substr(json, 1, 9) WHERE key = 'key-7'; UPDATE runs SET input = '{' WHERE seq = 1`,
    );
    const store = storeAt(path);
    expect(() => store.records("run-2")).toThrow(StoreError);
    expect(() => store.records("run-2")).toThrow(/file is damaged: .*JSON.*backup/);
    expect(() => store.run("run-1")).toThrow(/file is damaged/);
    expect((await store.run("run-2"))?.status).toBe("running");
  });

  test("that was emptied while its log was not: the log is kept", async () => {
    const path = freshPath();
    const store = storeAt(path);
    await started(store, "run-1", "thread-1");
    const [main, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
    expect(log.length).toBeGreaterThan(0);
    const other = freshPath();
    writeFileSync(`${other}-wal`, log);
    const opened = storeAt(other);
    for (const content of ["", "x"]) {
      writeFileSync(other, content);
      expect(() => opened.check()).toThrow(/is empty, and the log beside it is not.*backup/);
    }
    expect(() => opened.check()).toThrow(StoreError);
    expect(readFileSync(`${other}-wal`).equals(log)).toBe(true);
    writeFileSync(other, main);
    expect((await opened.run("run-1"))?.status).toBe("running");
  });

  test("an empty file alone is a new store", async () => {
    const path = freshPath();
    writeFileSync(path, "");
    expect((await started(storeAt(path), "run-1", "thread-1")).n).toBe(1);
  });
});

/** Works as somebody who is not root, whom no right would stop. */
function asNobody<T>(work: () => T): T {
  if (process.getuid!() !== 0) return work();
  process.seteuid!(65_534);
  try {
    return work();
  } finally {
    process.seteuid!(0);
  }
}

describe("a file that may not be written", () => {
  const restricted = async (file: number, folder: number): Promise<string> => {
    const path = await filled();
    chmodSync(path, file);
    chmodSync(dirname(path), folder);
    onTestFinished(() => chmodSync(dirname(path), 0o755));
    return path;
  };

  test("is read, and every write is refused", async () => {
    const path = await restricted(0o444, 0o777);
    const before = readFileSync(path);
    const store = storeAt(path);
    asNobody(() => {
      expect(store.records("run-2")).toEqual(records);
      expect(() => store.check()).toThrow(
        /cannot be written: .*Check the rights of the file and of its folder; nothing was written/,
      );
      expect(() => store.start(request(newRun("run-3", "thread-3")))).toThrow(StoreError);
      expect(() => store.append({ runId: "run-2", epoch: 1, records: [record("late")] })).toThrow("cannot be written");
      expect(store.run("run-3")).toBeUndefined();
    });
    await store.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("in a folder that may not be written either", async () => {
    const path = await restricted(0o444, 0o555);
    const store = storeAt(path);
    const messages = asNobody(() => failures(store));
    expect(messages).toHaveLength(calls.length);
    expect(messages[0]).toMatch(/cannot be written: .*rights of the file and of its folder/);
    chmodSync(dirname(path), 0o777);
    chmodSync(path, 0o666);
    asNobody(() => expect(store.records("run-2")).toEqual(records));
  });

  test("nor read", async () => {
    const path = await restricted(0o000, 0o777);
    const messages = asNobody(() => failures(storeAt(path)));
    expect(messages).toHaveLength(calls.length);
    expect(messages[0]).toMatch(/cannot be opened/);
    chmodSync(path, 0o666);
    await expectWhole(path);
  });

  test("a new one where its folder may not be written", async () => {
    const path = freshPath();
    chmodSync(dirname(path), 0o555);
    const store = storeAt(path);
    const messages = asNobody(() => failures(store));
    expect(messages[0]).toMatch(/cannot be opened: .*its folder can be written/);
    expect(existsSync(path)).toBe(false);
    chmodSync(dirname(path), 0o755);
    expect((await started(store, "run-1", "thread-1")).n).toBe(1);
  });
});
