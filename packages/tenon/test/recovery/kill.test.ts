import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunResult } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import type { CallRecord } from "../../src/agents/turn-record.js";

const child = fileURLToPath(new URL("./kill-child.mjs", import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-kill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(
  mode: "run" | "recover",
  killAt = "never",
): { readonly killed: boolean; readonly results: readonly RunResult[] } {
  const { signal, stdout, stderr, status } = spawnSync(process.execPath, [child, folder, mode, killAt], {
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

/** What the journal holds, by key. */
async function recorded(): Promise<ReadonlyMap<string, unknown>> {
  const store = sqliteStore(join(folder, "tenon.db"));
  const records = await store.records("kill-test-run");
  await store.close();
  return new Map(records.map(({ key, value }) => [key, value]));
}

const call = (turn: number, position: number): string => `call_kill-test-run_${turn}_${position}`;
const readKey = `turn:1/call:${call(1, 1)}`;
const writeKey = `turn:1/call:${call(1, 2)}`;
const secondReadKey = `turn:2/call:${call(2, 1)}`;

test("a run that nobody kills does each thing once", () => {
  expect(start("run").results).toMatchObject([{ status: "completed", text: "done" }]);
  expect([...effects()].sort()).toEqual(
    [
      "model 1",
      "model 2",
      "model 3",
      `look start ${call(1, 1)}`,
      `look end ${call(1, 1)}`,
      `charge start ${call(1, 2)}`,
      `charge end ${call(1, 2)}`,
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
    expect(start("run", killAt).killed).toBe(true);
    const before = effects();
    const journal = await recorded();
    // The lease of the killed process has to run out.
    await new Promise((resolve) => setTimeout(resolve, 350));
    const { results } = start("recover");

    if (killAt === "start:1:before") {
      expect(results).toEqual([]);
      return expect(effects()).toEqual([]);
    }
    const ended = killAt === "append:7:after";
    expect(results).toHaveLength(ended ? 0 : 1);
    if (!ended) expect(results[0]).toMatchObject({ status: "completed", text: "done", runId: "kill-test-run" });

    const after = effects();
    const done = await recorded();
    // No finished model call is paid again, and no finished call runs again.
    for (const turn of [1, 2, 3]) {
      const made = count(before, `model ${turn}`);
      expect(count(after, `model ${turn}`)).toBe(journal.has(`turn:${turn}/model`) ? made : made + 1);
    }
    for (const [key, callId] of [
      [readKey, call(1, 1)],
      [secondReadKey, call(2, 1)],
    ] as const) {
      const started = count(before, `look start ${callId}`);
      expect(count(after, `look start ${callId}`)).toBe(journal.has(key) ? started : started + 1);
      expect(done.get(key)).toMatchObject({ result: { kind: "ok", value: `look of ${callId}` } });
    }
    // A write starts once at the most. One whose intent is there without a result may have happened: the model reads that.
    const starts = count(after, `charge start ${call(1, 2)}`);
    const result = (done.get(`${writeKey}/run:1`) as CallRecord).result;
    const interrupted = journal.has(`${writeKey}/admit`) && !journal.has(`${writeKey}/run:1`);
    if (interrupted) {
      expect(starts).toBe(count(before, `charge start ${call(1, 2)}`));
      expect(result).toMatchObject({ kind: "error", code: "unknown_outcome" });
    } else {
      expect(starts).toBe(1);
      expect(result).toEqual({ kind: "ok", value: `charge of ${call(1, 2)}` });
    }
  });
});
