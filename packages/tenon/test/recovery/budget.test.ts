import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { bundledChild } from "./bundled-child.js";

/** Several processes on one file share one budget of a day, also where one of them is killed. */

const child = bundledChild("budget-child.mjs");
const LIMIT = 80_000_000;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-budget-"));
  path = join(folder, "tenon.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly said: Promise<string>;
  kill(): void;
}

function start(first: number, count: number, leaseMs: number, calls: number | string): Started {
  const made = spawn(
    process.execPath,
    ["--no-warnings", child, path, `${first}`, `${count}`, `${leaseMs}`, `${calls}`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let out = "";
  made.stdout.on("data", (text: Buffer) => (out += text.toString()));
  const said = new Promise<string>((resolve) => made.on("close", () => resolve(out)));
  return { said, kill: () => made.kill("SIGKILL") };
}

async function booked(): Promise<{ readonly costs: number; readonly open: number; readonly completed: number }> {
  const store = sqliteStore(path);
  const entries = await store.ledger.entries({});
  const runs = await store.runs({ limit: 10_000, status: ["completed"] });
  await store.close();
  return {
    costs: entries.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0),
    open: entries.filter(({ state }) => state === "reserved").length,
    completed: runs.length,
  };
}

test(
  "200 runs in 4 processes never pass the budget of a day, and nearly all that fit it complete",
  { timeout: 90_000 },
  async () => {
    const all = [0, 50, 100, 150].map((first) => start(first, 50, 10_000, 1));
    const ends = (await Promise.all(all.map(({ said }) => said))).map((out) => JSON.parse(out.split("\n")[1]!));
    const statuses = ends.flatMap(({ ended }: { ended: string[] }) => ended);
    expect(statuses).toHaveLength(200);
    expect(new Set(statuses)).toEqual(new Set(["completed answer", "failed budget"]));
    const { costs, open, completed } = await booked();
    expect(costs).toBeLessThanOrEqual(LIMIT);
    expect(open).toBe(0);
    expect(completed).toBe(statuses.filter((status) => status === "completed answer").length);
    // A hundred runs fit by what they cost.
    expect(completed).toBeGreaterThanOrEqual(95);
  },
);

test("a process that is killed leaves nothing reserved once its runs are recovered", { timeout: 90_000 }, async () => {
  const killed = start(0, 20, 300, "hang");
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  const hanging = async (): Promise<number> =>
    (await store.ledger.entries({})).filter(({ state, key }) => state === "reserved" && key === "turn:2/model").length;
  await expect.poll(hanging, { timeout: 20_000 }).toBe(20);
  killed.kill();
  await killed.said;
  // Others work at the same moment; where what the dead one had reserved is in their way, they wait until it is given back.
  const others = [40, 60].map((first) => start(first, 20, 10_000, 2));
  const out = await start(0, 0, 10_000, 2).said;
  await Promise.all(others.map(({ said }) => said));
  const { recovered } = JSON.parse(out.split("\n")[1]!);
  expect(recovered.skipped).toEqual([]);
  const left = Array.from({ length: 20 }, (_, at) => `budget-run-${at}`);
  expect(recovered.continued.toSorted()).toEqual(left.toSorted());
  const { costs, open } = await booked();
  expect(open).toBe(0);
  expect(costs).toBeLessThanOrEqual(LIMIT);
  // Nobody knows what the calls cost that never came back: each is booked in full, and made again as another attempt.
  const lost = (await store.ledger.entries({})).filter(({ costSource }) => costSource === "estimate");
  expect(lost).toHaveLength(20);
  expect(lost.every(({ attempt, state }) => attempt === 1 && state === "settled")).toBe(true);
});
