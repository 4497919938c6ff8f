import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PauseAudit, RunResult } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import type { CallRecord } from "../../src/agents/turn-record.js";
import { bundledChild } from "./bundled-child.js";

const child = bundledChild("kill-child.mjs");
const RUN = "kill-test-run";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-kill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Write = "charge" | "keyed" | "known";
type Action = "done" | "rerun" | "give-up";

function start(...words: readonly string[]): { readonly killed: boolean; readonly results: readonly RunResult[] } {
  const { signal, stdout, stderr, status } = spawnSync(process.execPath, ["--no-warnings", child, folder, ...words], {
    encoding: "utf8",
  });
  if (signal === null && status !== 0) throw new Error(stderr);
  return { killed: signal === "SIGKILL", results: signal === null ? JSON.parse(stdout) : [] };
}

function effects(): readonly string[] {
  try {
    return readFileSync(join(folder, "effects.txt"), "utf8").trim().split("\n");
  } catch {
    return [];
  }
}

function count(lines: readonly string[], line: string): number {
  return lines.filter((other) => other === line).length;
}

/** What the journal holds: records by key, and what was asked of people. */
async function recorded(): Promise<{
  readonly ended: boolean;
  readonly records: ReadonlyMap<string, unknown>;
  readonly audit: readonly PauseAudit[];
}> {
  const store = sqliteStore(join(folder, "tenon.db"));
  const ended = (await store.run(RUN))?.outcome !== undefined;
  const records = await store.records(RUN);
  const audit = await store.audit(RUN);
  await store.close();
  return { ended, records: new Map(records.map(({ key, value }) => [key, value])), audit };
}

const call = (turn: number, position: number): string => `call_${RUN}_${turn}_${position}`;
const readKey = `turn:1/call:${call(1, 1)}`;
const writeKey = `turn:1/call:${call(1, 2)}`;
const secondReadKey = `turn:2/call:${call(2, 1)}`;

/** Kills a run at a point, recovers it in another process, and looks at all that is the same for every tool. */
async function killAndRecover(write: Write, killAt: string, action: Action) {
  expect(start(write, "run", killAt).killed).toBe(true);
  const before = effects();
  const journal = await recorded();
  const { results } = start(write, "recover", action);
  const after = effects();
  const end = await recorded();
  const { records } = journal;
  // The intent is there, and no result: only then nobody knows.
  const inDoubt = records.has(`${writeKey}/admit`) && !records.has(`${writeKey}/run:1`);
  const asks = inDoubt && write === "charge";
  if (records.size > 0 || end.records.size > 0) {
    expect(end.ended).toBe(true);
    expect(results.map(({ status }) => status)).toEqual(
      journal.ended ? [] : asks ? ["paused", "completed"] : ["completed"],
    );
    if (!journal.ended) expect(results.at(-1)).toMatchObject({ text: "done", runId: RUN });
    // No finished model call is paid again, and no finished call runs again.
    for (const turn of [1, 2, 3]) {
      const made = count(before, `model ${turn}`);
      expect(count(after, `model ${turn}`)).toBe(records.has(`turn:${turn}/model`) ? made : made + 1);
    }
    for (const [key, callId] of [
      [readKey, call(1, 1)],
      [secondReadKey, call(2, 1)],
    ] as const) {
      const started = count(before, `look start ${callId}`);
      expect(count(after, `look start ${callId}`)).toBe(records.has(key) ? started : started + 1);
      expect(end.records.get(key)).toMatchObject({ result: { kind: "ok", value: `look of ${callId}` } });
    }
  }
  const counted = (lines: readonly string[], what: string) => count(lines, `${write} ${what} ${call(1, 2)}`);
  return {
    inDoubt,
    asked: end.audit,
    /** How often it started, and did what it does, up to the kill and in the end. */
    starts: [counted(before, "start"), counted(after, "start")] as const,
    done: [counted(before, "end"), counted(after, "end")] as const,
    reconciled: counted(after, "asked"),
    result: (end.records.get(`${writeKey}/run:1`) as CallRecord | undefined)?.result,
    nothing: end.records.size === 0,
  };
}

const ok = (write: Write) => ({ kind: "ok", value: `${write} of ${call(1, 2)}` });

test.each(["charge", "keyed", "known"] as const)("a run with %s that nobody kills does each thing once", (write) => {
  expect(start(write, "run", "never").results).toMatchObject([{ status: "completed", text: "done" }]);
  expect([...effects()].sort()).toEqual(
    [
      "model 1",
      "model 2",
      "model 3",
      `look start ${call(1, 1)}`,
      `look end ${call(1, 1)}`,
      `${write} start ${call(1, 2)}`,
      `${write} end ${call(1, 2)}`,
      `look start ${call(2, 1)}`,
      `look end ${call(2, 1)}`,
    ].sort(),
  );
});

describe("SIGKILL", () => {
  const points = [
    "start:1:before",
    "start:1:after",
    "model:1:inside",
    "append:1:before",
    "append:1:after",
    "append:2:before",
    "append:2:after",
    "look:1:inside",
    "charge:1:inside",
    "charge:1:done",
    "append:3:before",
    "append:3:after",
    "model:2:inside",
    "append:4:before",
    "append:4:after",
    "look:2:inside",
    "append:5:after",
    "append:6:after",
    "append:7:before",
    "append:7:after",
  ];

  test.each(points)("at %s: nothing finished is done again, and the run ends", async (killAt) => {
    const { inDoubt, asked, starts, done, result, nothing } = await killAndRecover("charge", killAt, "done");
    if (killAt === "start:1:before") {
      expect(nothing).toBe(true);
      return expect(effects()).toEqual([]);
    }
    expect(nothing).toBe(false);
    if (killAt.startsWith("charge:")) expect(inDoubt).toBe(true);
    if (!inDoubt) {
      expect(asked).toEqual([]);
      expect([starts[1], done[1]]).toEqual([1, 1]);
      return expect(result).toEqual(ok("charge"));
    }
    // A write that may have happened waits for a person, and does not start again by itself.
    expect(asked).toMatchObject([
      { pause: { kind: "in-doubt", callId: call(1, 2), interruption: "crash" }, decision: { action: "done" } },
    ]);
    expect(starts[1]).toBe(starts[0]);
    expect(done[1]).toBe(done[0]);
    expect(result).toEqual({ kind: "ok", value: "a person saw it" });
  });

  test.each(["charge:1:inside", "charge:1:done", "append:2:after"])(
    "at %s: the call runs again when a person says so",
    async (killAt) => {
      const { inDoubt, asked, starts, done, result } = await killAndRecover("charge", killAt, "rerun");
      expect(inDoubt).toBe(true);
      expect(asked).toMatchObject([{ pause: { kind: "in-doubt" }, decision: { action: "rerun", by: "ann" } }]);
      expect([starts[1], done[1]]).toEqual([starts[0] + 1, done[0] + 1]);
      expect(result).toEqual(ok("charge"));
    },
  );

  test.each(["charge:1:inside", "charge:1:done"])(
    "at %s: the model reads that nobody knows when a person gives up",
    async (killAt) => {
      const { inDoubt, asked, starts, done, result } = await killAndRecover("charge", killAt, "give-up");
      expect(inDoubt).toBe(true);
      expect(asked).toMatchObject([{ pause: { kind: "in-doubt" }, decision: { action: "give-up" } }]);
      expect([starts[1], done[1]]).toEqual([starts[0], done[0]]);
      expect(result).toMatchObject({ kind: "error", code: "unknown_outcome" });
    },
  );

  test.each(["append:2:after", "keyed:1:inside", "keyed:1:done"])(
    "at %s: a call that is its own idempotency key runs again with the same call id, and nobody is asked",
    async (killAt) => {
      const { inDoubt, asked, starts, done, result } = await killAndRecover("keyed", killAt, "give-up");
      expect(inDoubt).toBe(true);
      expect(asked).toEqual([]);
      // Counted by call id: it is the same one.
      expect([starts[1], done[1]]).toEqual([starts[0] + 1, 1]);
      expect(result).toEqual(ok("keyed"));
    },
  );

  test.each([
    ["append:2:after", false],
    ["known:1:inside", false],
    ["known:1:done", true],
  ] as const)(
    "at %s: a tool that finds out what happened (%s) decides, and nobody is asked",
    async (killAt, happened) => {
      const { inDoubt, asked, starts, done, reconciled, result } = await killAndRecover("known", killAt, "give-up");
      expect([inDoubt, done[0]]).toEqual([true, happened ? 1 : 0]);
      expect([asked, reconciled]).toEqual([[], 1]);
      expect([starts[1], done[1]]).toEqual([happened ? starts[0] : starts[0] + 1, 1]);
      expect(result).toEqual(ok("known"));
    },
  );
});
