import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import type { SignalResult } from "../../src/journal/store.js";
import {
  doubt,
  ended,
  fates,
  idsOf,
  isKind,
  lease,
  newRun,
  NOW,
  opened,
  outcome,
  pause,
  paused,
  pickedUp,
  request,
  signal,
  started,
} from "../../src/testing/store-contract-fixture.js";
import { databaseAt, freshPath, storeAt } from "./sqlite-fixture.js";

const DOOR = new URL("../../dist/doors/sqlite/index.js", import.meta.url);
const RUNS = 60;

/** Once told to, does one thing to each of the runs, and says what it was told. */
const ACT = `
  import { sqliteStore } from ${JSON.stringify(DOOR.href)};
  const [path, what, runs, now] = [process.argv[1], process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
  const store = sqliteStore(path, { synchronous: "normal" });
  await store.check();
  console.log("ready");
  process.stdin.once("data", async () => {
    const told = [];
    for (let i = 0; i < runs; i++) {
      const run = "run-" + i;
      if (what === "cancel") told.push(await store.cancel(run, now + 1, "cancelled"));
      else if (what === "expire") await store.expire(now + 50 + i);
      else told.push(await store.signal(run, [{ id: what, name: "p", value: { by: what }, at: now }, { id: what, name: "q", value: { by: what }, at: now }]));
    }
    console.log(JSON.stringify(told));
    process.exit();
  });
`;

interface Actor {
  /** Lets it begin, and gives what it was told. */
  readonly act: () => Promise<readonly unknown[]>;
}

async function actor(path: string, what: string): Promise<Actor> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", ACT, path, what, String(RUNS), String(NOW)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    act: async () => {
      child.stdin.write("go\n");
      return JSON.parse((await lines.next()).value as string) as readonly unknown[];
    },
  };
}

test("processes that decide, cancel and expire the same pauses at once: each pause has one end, and all are told that one", async () => {
  const path = freshPath();
  const store = storeAt(path);
  for (let i = 0; i < RUNS; i++) {
    const run = await started(store, `run-${i}`, `thread-${i}`);
    // Some expire while the others decide.
    await paused(store, run, pause("p", run, { expiresAt: NOW + 50 + i }), pause("q", run), doubt("d", run));
  }
  const actors = await Promise.all(["ann", "bob", "cancel", "expire"].map((what) => actor(path, what)));
  const told = await Promise.all(actors.map(({ act }) => act()));

  for (let i = 0; i < RUNS; i++) {
    const [p, q, d] = (await fates(store, `run-${i}`)).map(([, decision]) => decision);
    expect(d).toBeUndefined();
    for (const [by, answers] of [
      ["ann", told[0]!],
      ["bob", told[1]!],
    ] as const) {
      const answer = answers[i] as SignalResult;
      const mine = { by };
      // All or nothing: who was told that it is recorded has both, who was refused has none.
      if (answer.kind === "recorded") expect([p, q]).toEqual([mine, mine]);
      else {
        expect(answer).toMatchObject({ kind: "refused", why: "answered" });
        expect([p, q]).not.toContainEqual(mine);
        if (answer.kind === "refused" && answer.why === "answered")
          expect(answer.known).toEqual(answer.name === "p" ? p : q);
      }
    }
    expect(told[2]![i]).toEqual({ kind: "free" });
    const taken = await pickedUp(store, `run-${i}`);
    expect(taken.cancelAsked).toBe(true);
    expect(taken.signals.map(({ name }) => name).sort()).toEqual(["p", "q"]);
  }
  expect(new Set(await idsOf(store.pauses({})))).toEqual(new Set(["d"]));
  expect(databaseAt(path).prepare("SELECT count(*) AS n FROM signals").get()).toEqual({ n: RUNS * 2 });
});

test("what one connection forgets is gone for the other, and what it answered is answered", async () => {
  const path = freshPath();
  const [first, second] = [storeAt(path), storeAt(path)];
  const run = await started(first, "run-1", "thread-1", { owner: "ann" });
  await opened(first, run, pause("a", run, { expiresAt: NOW + 5 }), doubt("d", run));
  expect(await idsOf(second.pauses({}))).toEqual(["a", "d"]);
  await second.expire(NOW + 5);
  expect(await first.signal("run-1", [signal("a")])).toMatchObject({ why: "answered", known: { lapsed: "expired" } });
  expect((await first.renew([{ runId: "run-1", epoch: 1 }], lease())).woken).toHaveLength(1);
  await ended(first, run, outcome("cancelled"));
  expect(await second.prune(Infinity, 100)).toBe(0);
  await second.signal("run-1", [signal("d")]);
  expect(await first.pauses({})).toEqual([]);
  expect(await second.prune(Infinity, 100)).toBe(1);
  expect([await first.run("run-1"), await first.thread("thread-1"), await first.audit("run-1")]).toEqual([
    undefined,
    undefined,
    [],
  ]);
  const again = await started(second, "run-1", "thread-1", { owner: "bob" });
  isKind(await first.start(request(newRun("run-2", "thread-1", { owner: "ann" }))), "owner");
  expect(await first.erase("thread-1")).toEqual({ open: again });
  await ended(second, again);
  expect(await first.erase("thread-1")).toEqual({ erased: 1 });
  expect(await second.run("run-1")).toBeUndefined();
  expect(await second.append({ runId: "run-1", epoch: 1, records: [] })).toBe("fenced");
});

test("nothing of a run that was forgotten is left in the tables, and the rest is read after a restart", async () => {
  const path = freshPath();
  const first = storeAt(path);
  const run = await started(first, "run-1", "thread-1", { owner: "ann", prompt: "SECRET-prompt" });
  await opened(first, run, pause("SECRET-pause", run));
  await first.signal("run-1", [signal("SECRET-pause", { answer: "SECRET-answer", by: "ann" })]);
  const record = { key: "SECRET-key", type: "model", v: 1, activation: "x", value: "SECRET-value" };
  await first.append({ runId: "run-1", epoch: 1, records: [record], end: { outcome: outcome(), at: NOW } });
  const other = await started(first, "run-2", "thread-1", { owner: "ann" });
  await opened(first, other, doubt("d", other));
  await ended(first, other, outcome("cancelled"), NOW + 2);
  expect(await first.prune(NOW + 1, 10)).toBe(1);
  await first.close();

  const database = databaseAt(path);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all());
  expect(JSON.stringify(rows)).toContain("run-2");
  expect(JSON.stringify(rows)).not.toMatch(/SECRET|run-1/);
  database.close();

  const second = storeAt(path);
  expect(await idsOf(second.pauses({}))).toEqual(["d"]);
  expect(await second.thread("thread-1")).toEqual({ owner: "ann" });
  await second.signal("run-2", [signal("d", { action: "give-up", by: "ann" }, "s", NOW + 9)]);
  expect(await fates(second, "run-2")).toEqual([["d", { action: "give-up", by: "ann" }, NOW + 9]]);
  expect((await started(second, "run-3", "thread-1", { owner: "ann" })).n).toBe(3);
});
