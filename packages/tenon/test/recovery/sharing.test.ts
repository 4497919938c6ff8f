import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { bundledChild } from "./bundled-child.js";

/** Two processes at work on the runs of one file: what one of them decides or ends, the other one hears of. */

const child = bundledChild("sharing-child.mjs");
/** A third of it is far away: nothing that is heard in time is heard because the lease is renewed that often. */
const LONG_LEASE = "60000";
let folder: string;
let started: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-sharing-"));
  started = [];
});
afterEach(() => {
  for (const one of started) one.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Gives what the process tells; rejects where it fails. */
function start(...words: readonly string[]): Promise<any> {
  const made = spawn(process.execPath, ["--no-warnings", child, folder, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(made);
  let out = "";
  made.stdout.on("data", (text: Buffer) => (out += text.toString()));
  return new Promise((resolve, reject) =>
    made.on("close", (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`It ended with ${code}`)))),
  );
}

function effects(): readonly string[] {
  const file = join(folder, "effects.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

const noted = (line: string) => expect.poll(effects, { timeout: 10_000 }).toContain(line);

/** How often each call was paid, by how many processes. All runs have to be completed. */
async function paid(): Promise<{ readonly runs: number; readonly calls: readonly string[]; readonly by: Set<string> }> {
  const store = sqliteStore(join(folder, "tenon.db"));
  const runs = await store.runs({ limit: 10_000 });
  await store.close();
  expect(runs.filter(({ status }) => status !== "completed")).toEqual([]);
  const payments = effects().map((line) => line.split(" "));
  return { runs: runs.length, calls: payments.map(([, id]) => id!), by: new Set(payments.map(([, , pid]) => pid!)) };
}

describe("while a run goes on in one process", () => {
  test.each(["decide", "resume"])(
    "what another one decides (%s) is taken at once, not when the other calls of the turn have settled",
    async (how) => {
      const running = start(LONG_LEASE, "run", "pay beside");
      await noted("beside");
      const told = await start(LONG_LEASE, "decide", how);
      if (how === "resume") expect(told).toMatchObject({ status: "completed", text: "paid, saw it" });
      expect(await running).toMatchObject({ status: "completed", text: "paid, saw it" });
    },
  );

  test("it hears soon that another one ends the run", async () => {
    const running = start(LONG_LEASE, "run", "endless");
    await noted("endless");
    expect(await start(LONG_LEASE, "cancel")).toMatchObject({ status: "cancelled" });
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(effects()).toEqual(["endless", "aborted The run was stopped: cancel."]);
  });
});

test("one process recovers while another one decides: no run sleeps for ever", { timeout: 60_000 }, async () => {
  const rounds = 100;
  const [paused] = await Promise.all([
    start("300", "recover", String(rounds)),
    start("300", "decideAll", String(rounds * 3)),
  ]);
  // Some decisions came before the run slept, and some after it.
  expect(paused).toBeGreaterThan(0);
  const { runs, calls } = await paid();
  expect(runs).toBe(rounds * 3);
  expect(calls).toHaveLength(rounds * 4.5);
  expect(new Set(calls).size).toBe(calls.length);
});

test("two processes that work share the runs, and no run is done twice", { timeout: 60_000 }, async () => {
  const workers = [start("1000", "work"), start("1000", "work")];
  const seeded = await start("1000", "seed", "60");
  writeFileSync(join(folder, "stop"), "");
  await Promise.all(workers);
  const { runs, calls, by } = await paid();
  expect(runs).toBe(seeded);
  expect(calls).toHaveLength(runs);
  expect(new Set(calls).size).toBe(runs);
  expect(by).toEqual(new Set(started.slice(0, 2).map(({ pid }) => String(pid))));
});
