import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { StoreError } from "../../src/errors/run-errors.js";
import { SqliteQueue } from "../../src/storage/sqlite-queue.js";
import { newRun, NOW, outcome, record, request, started } from "../../src/testing/store-contract-fixture.js";
import { isPromise } from "../../src/util/class.js";
import { databaseAt, freshPath, storeAt } from "./sqlite-fixture.js";

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Runs a module text in another process and waits for its first line. */
async function child(
  script: string,
  ...args: readonly string[]
): Promise<{ readonly process: Child; readonly lines: AsyncIterator<string> }> {
  const spawned = spawn(process.execPath, ["--input-type=module", "-e", script, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void spawned.kill("SIGKILL"));
  const lines = createInterface(spawned.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return { process: spawned, lines };
}

/** Locks the file until it reads a line. */
const LOCK = `
  import { DatabaseSync } from "node:sqlite";
  const database = new DatabaseSync(process.argv[1]);
  database.exec("BEGIN IMMEDIATE");
  console.log("locked");
  process.stdin.once("data", () => { database.exec("COMMIT"); process.exit(); });
`;

const DOOR = new URL("../../dist/doors/sqlite/index.js", import.meta.url);

/** Starts a run and appends batches of three records, one of them large, for ever, saying each that was written. */
const WRITE = `
  import { sqliteStore } from ${JSON.stringify(DOOR.href)};
  const store = sqliteStore(process.argv[1]);
  const now = Number(process.argv[2]);
  const run = JSON.parse(process.argv[3]);
  store.start({ run, lease: { by: "child", until: now + 10_000 }, now, queue: false });
  console.log("started");
  for (let i = 0; ; i++) {
    const records = ["a", "b", "c"].map((part) => ({ key: i + part, type: "model", v: 1, activation: "x", value: { i, text: "y".repeat(part === "b" ? 70_000 : 300) } }));
    store.append({ runId: run.id, epoch: 1, records });
    console.log(String(i));
  }
`;

describe("a file that another process has locked", () => {
  test("gives promises that keep their order and do not stop the event loop", async () => {
    const path = freshPath();
    const store = storeAt(path);
    await started(store, "run-1", "thread-1");
    const { process: locker } = await child(LOCK, path);
    const first = store.append({ runId: "run-1", epoch: 1, records: [record("a")] });
    const second = store.append({ runId: "run-1", epoch: 1, records: [record("b")] });
    const read = store.records("run-1");
    expect([first, second, read].map((answer) => isPromise(answer))).toEqual([true, true, true]);
    let ticks = 0;
    let settled = false;
    void Promise.resolve(first).then(() => (settled = true));
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (++ticks < 50) return;
        clearInterval(timer);
        resolve();
      }, 20);
    });
    expect(settled).toBe(false);
    locker.stdin.write("go\n");
    expect([await first, await second]).toEqual(["written", "written"]);
    expect(await read).toEqual([record("a"), record("b")]);
    expect(isPromise(store.run("run-1"))).toBe(false);
  });

  test("is waited for also by the call that opens it, and by close", async () => {
    const path = freshPath();
    await storeAt(path).check();
    const database = databaseAt(path);
    database.exec("BEGIN IMMEDIATE");
    const store = storeAt(path);
    const start = store.start(request(newRun("run-1", "thread-1")));
    const closed = store.close();
    expect([isPromise(start), isPromise(closed)]).toEqual([true, true]);
    database.exec("COMMIT");
    expect((await start).kind).toBe("started");
    await closed;
    expect(() => store.run("run-1")).toThrow("The store is closed");
  });

  test("a file that is being made by another process is waited for", async () => {
    const path = freshPath();
    const database = databaseAt(path);
    database.exec("BEGIN EXCLUSIVE");
    const start = storeAt(path).start(request(newRun("run-1", "thread-1")));
    expect(isPromise(start)).toBe(true);
    database.exec("COMMIT");
    expect((await start).kind).toBe("started");
  });

  test("is given up in the end, with nothing written", async () => {
    const path = freshPath();
    const store = storeAt(path, 30);
    await started(store, "run-1", "thread-1");
    const database = databaseAt(path);
    database.exec("BEGIN IMMEDIATE");
    const write = Promise.resolve(store.append({ runId: "run-1", epoch: 1, records: [record("a")] }));
    const thrown: unknown = await write.catch((error: unknown) => error);
    expect(StoreError.is(thrown)).toBe(true);
    expect((thrown as Error).message).toMatch(/locked by another process.*End what holds it/);
    database.exec("COMMIT");
    expect(await store.records("run-1")).toEqual([]);
    expect(await store.append({ runId: "run-1", epoch: 1, records: [record("b")] })).toBe("written");
  });

  test("is tried again without blocking, and an error of a call that waited is its own", async () => {
    const queue = new SqliteQueue("x", 10_000);
    const patience: boolean[] = [];
    const first = queue.run((patient) => {
      patience.push(patient);
      if (patience.length < 4) throw Object.assign(new Error("locked"), { errcode: 261 });
      return "done";
    });
    const second = queue.run(() => {
      throw Object.assign(new Error("full"), { errcode: 13 });
    });
    const third = queue.run(() => patience.length);
    await expect(Promise.resolve(first)).resolves.toBe("done");
    await expect(Promise.resolve(second)).rejects.toThrow("The disk of the store is full: x (full)");
    expect(await third).toBe(4);
    expect(patience).toEqual([true, false, false, false]);
    expect(queue.run(() => "at once")).toBe("at once");
  });
});

test.each([5, 40, 111])(
  "[kill -9] after %i transactions the file opens and holds a prefix of whole transactions",
  async (count) => {
    const path = freshPath();
    const run = newRun("run-1", "thread-1");
    const { process: writer, lines } = await child(WRITE, path, String(NOW), JSON.stringify(run));
    let said = -1;
    while (said < count) said = Number((await lines.next()).value);
    const exited = new Promise((resolve) => writer.once("exit", resolve));
    writer.kill("SIGKILL");
    await exited;
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) said = Number(next.value);

    const store = storeAt(path);
    const records = await store.records("run-1");
    const keys = records.map(({ key }) => key);
    const lengths = records.map(({ value }) => (value as { text: string }).text.length);
    expect(lengths).toEqual(keys.map((key) => (key.endsWith("b") ? 70_000 : 300)));
    const batches = keys.length / 3;
    expect(keys).toEqual(Array.from({ length: batches }, (_, i) => [`${i}a`, `${i}b`, `${i}c`]).flat());
    expect([said + 1, said + 2]).toContain(batches);
    const taken = await store.pickUp("run-1", { by: "app-2", until: NOW + 20_000 }, NOW + 10_000);
    expect(taken.kind).toBe("picked-up");
    const database = databaseAt(path);
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(database.prepare("SELECT count(*) AS n FROM blobs").get()).toEqual({ n: batches });
  },
);

test("processes that open a new file at the same time all succeed", async () => {
  const path = freshPath();
  const script = `
    import { sqliteStore } from ${JSON.stringify(DOOR.href)};
    const [path, run, now] = [process.argv[1], JSON.parse(process.argv[2]), Number(process.argv[3])];
    const start = await sqliteStore(path).start({ run, lease: { by: run.id, until: now + 10_000 }, now, queue: false });
    console.log(start.kind);
    process.stdin.once("data", () => process.exit());
  `;
  const runs = ["run-1", "run-2", "run-3"];
  await Promise.all(runs.map((id) => child(script, path, JSON.stringify(newRun(id, "thread-1")), String(NOW))));
  const store = storeAt(path);
  expect(await store.runs({ threadId: "thread-1" })).toHaveLength(1);
  expect((await store.runs({ runnableAt: NOW + 10_000 })).map(({ n }) => n)).toEqual([1]);
});

test("processes that queue for one thread get it one after the other, and all get it", async () => {
  const path = freshPath();
  const script = `
    import { sqliteStore } from ${JSON.stringify(DOOR.href)};
    const [path, given, outcome] = [process.argv[1], JSON.parse(process.argv[2]), JSON.parse(process.argv[3])];
    const store = sqliteStore(path, { synchronous: "normal" });
    for (let i = 0; i < 10; i++) {
      const run = { ...given, id: given.id + "-" + i };
      for (let queue = true; ; ) {
        const now = Date.now();
        const start = await store.start({ run, lease: { by: given.id, until: now + 60_000 }, now, queue });
        if (start.kind === "started") break;
        queue = start.ticket;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      const records = [{ key: "a", type: "model", v: 1, activation: "x", value: i }];
      if ((await store.append({ runId: run.id, epoch: 1, records, end: { outcome, at: Date.now() } })) !== "written") throw new Error("fenced");
    }
    console.log("done");
    process.stdin.once("data", () => process.exit());
  `;
  const ids = ["run-a", "run-b", "run-c"];
  await Promise.all(
    ids.map((id) => child(script, path, JSON.stringify(newRun(id, "thread-1")), JSON.stringify(outcome()))),
  );
  const past = await storeAt(path).window("thread-1", 1000, 1000);
  expect(past.map(({ run }) => run.n)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  expect(past.every(({ run, records }) => run.status === "completed" && records.length === 1)).toBe(true);
});
