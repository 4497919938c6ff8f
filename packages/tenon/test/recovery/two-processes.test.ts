import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import type { JournalRecord, RunRow } from "../../src/journal/store.js";
import { bundledChild } from "./bundled-child.js";

const child = bundledChild("two-processes.mjs");
let folder: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-two-"));
  children = [];
});
afterEach(() => {
  for (const one of children) one.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

interface Running {
  readonly process: ChildProcess;
  readonly result: Promise<any>;
}

function start(...words: readonly string[]): Running {
  const started = spawn(process.execPath, ["--no-warnings", child, folder, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(started);
  let out = "";
  started.stdout.on("data", (text: Buffer) => (out += text.toString()));
  const result = new Promise((resolve) => started.on("close", () => resolve(out === "" ? undefined : JSON.parse(out))));
  return { process: started, result };
}

function effects(): readonly string[] {
  const file = join(folder, "effects.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

const slowStarted = (times = 1) =>
  expect.poll(() => effects().filter((line) => line.startsWith("slow ")).length, { timeout: 10_000 }).toBe(times);

test("a pause is answered in another process, after the one that asked is gone", async () => {
  expect(await start("run-pay", "run-00001", "t").result).toMatchObject({ status: "paused" });
  expect(effects()).toEqual(["model pay after 0"]);
  // Twice at the same time: the same decision is harmless, and pays once.
  const both = [start("approve", "run-00001"), start("approve", "run-00001")];
  for (const { result } of both) expect(await result).toMatchObject({ status: "completed", text: "done pay" });
  expect(effects()).toEqual(["model pay after 0", "pay call_run-00001_1_1", "model pay after 0"]);
});

test("cancel from another process is seen, and the caller gets a canceled result", async () => {
  const running = start("run-slow", "run-00001", "t");
  await slowStarted();
  expect(await start("cancel", "run-00001").result).toMatchObject({ status: "cancelled" });
  expect(await running.result).toMatchObject({ status: "cancelled" });
  expect(effects().at(-1)).toMatch(/^aborted The run was stopped: cancel/);
});

test("runs of one thread in several processes come one after the other", async () => {
  const first = start("run-slow-short", "run-00001", "t");
  await slowStarted();
  const others = [start("run-say", "run-00002", "t"), start("run-say", "run-00003", "t")];
  for (const { result } of [first, ...others]) expect(await result).toMatchObject({ status: "completed" });
  const models = effects().filter((line) => line.startsWith("model "));
  expect(models.slice(0, 2)).toEqual(["model slow after 0", "model slow after 0"]);
  expect(models.slice(2).map((line) => line.split(" after ")[1])).toEqual(["1", "2"]);
});

test("a run whose process was killed is not in the way of its thread: who waits for it continues it", async () => {
  const first = start("run-slow", "run-00001", "t");
  await slowStarted();
  first.process.kill("SIGKILL");
  const second = start("run-say", "run-00002", "t");
  await slowStarted(2);
  expect(await start("cancel", "run-00001").result).toMatchObject({ status: "cancelled" });
  expect(await second.result).toMatchObject({ status: "completed", text: "said run-00002" });
});

/** All that is stored of a run. */
async function stored(runId: string): Promise<readonly [RunRow | undefined, readonly JournalRecord[]]> {
  const store = sqliteStore(join(folder, "tenon.db"));
  const run = await store.run(runId);
  const records = await store.records(runId);
  await store.close();
  return [run, records];
}

test.each([
  // Its handler settles by itself, and its result is lost; or it goes on until its signal aborts.
  ["whose call settles", "run-slow-short"],
  ["whose call goes on", "run-slow"],
] as const)(
  "a frozen process that lost its lease (%s) writes nothing, and gives the result of the new owner",
  async (_which, what) => {
    const frozen = start(what, "run-00001", "t");
    await slowStarted();
    frozen.process.kill("SIGSTOP");
    let report: { readonly continued: readonly unknown[] } = { continued: [] };
    // Nobody may take the run before its lease is over.
    while (report.continued.length === 0) report = (await start("recover").result) as typeof report;
    expect(report.continued).toMatchObject([{ runId: "run-00001", status: "completed", text: "done slow" }]);
    const models = effects().filter((line) => line.startsWith("model "));
    const before = await stored("run-00001");
    frozen.process.kill("SIGCONT");
    expect(await frozen.result).toMatchObject({ runId: "run-00001", status: "completed", text: "done slow" });
    expect(await stored("run-00001")).toEqual(before);
    // The model was asked once before, once after; the process that woke up asked it nothing.
    expect(effects().filter((line) => line.startsWith("model "))).toEqual(models);
    expect(models).toHaveLength(2);
    // Where the call has settled there is nobody who could hear of it.
    if (what === "run-slow") expect(effects().at(-1)).toBe("aborted The run was stopped: lease-lost.");
  },
);

test("what a process that wakes up has ready is refused while the new owner is still at it", async () => {
  const frozen = start("run-stop", "run-00001", "t");
  await slowStarted();
  // It has stopped itself. Nobody may take the run before its lease is over.
  const owner = start("recover-hold");
  await slowStarted(2);
  // The other call of the turn is written.
  await expect.poll(async () => (await stored("run-00001"))[1].length).toBe(2);
  const before = await stored("run-00001");
  frozen.process.kill("SIGCONT");
  await expect.poll(effects, { timeout: 10_000 }).toContain("aborted The run was stopped: lease-lost.");
  expect(await stored("run-00001")).toEqual(before);
  writeFileSync(join(folder, "go"), "");
  for (const { result } of [frozen, owner])
    expect(await result).toMatchObject({ status: "completed", text: "done both" });
  const [, records] = await stored("run-00001");
  expect(records.find(({ key }) => key === "turn:1/call:call_run-00001_1_2")?.value).toMatchObject({
    result: { kind: "ok", value: "held" },
  });
});
