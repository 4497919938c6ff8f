import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Decision, PauseAudit, ToolResult } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { storedCalls } from "../known-failures/wire.js";

/**
 * Real processes, killed with SIGKILL at random moments while they run, recover and decide. What tools do to the world outside
 * is a line in a file, written through to the disk; afterwards the file and the journal have to tell the same.
 */

const child = fileURLToPath(new URL("./random-kills-child.mjs", import.meta.url));
const SEED = Number(process.env["TENON_SEED"] ?? Date.now() % 2 ** 31);

/** Kills of each world, and how many processes it has at a time. */
const worlds = [
  { kills: 75, processes: 1 },
  { kills: 75, processes: 1 },
  { kills: 60, processes: 2 },
] as const;

/** Mulberry32, by Tommy Ettinger, in the public domain. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function startChild(folder: string, mode: "busy" | "drain"): Promise<ChildProcess> {
  const made = spawn(process.execPath, ["--no-warnings", child, folder, mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first] = (await Promise.race([once(made.stdout!, "data"), once(made, "exit")])) as [unknown];
  expect(String(first)).toContain("ready");
  return made;
}

async function killSome(folder: string, kills: number, random: () => number): Promise<void> {
  for (let at = 0; at < kills; at++) {
    const made = await startChild(folder, "busy");
    const exit = once(made, "exit");
    await pause(random() * 180);
    expect(made.exitCode, "it was still there").toBeNull();
    made.kill("SIGKILL");
    expect((await exit)[1]).toBe("SIGKILL");
  }
}

interface Told {
  readonly starts: ReadonlyMap<string, number>;
  readonly effects: ReadonlyMap<string, number>;
  readonly violations: readonly string[];
}

function worldOutside(folder: string): Told {
  const starts = new Map<string, number>();
  const effects = new Map<string, number>();
  const violations: string[] = [];
  for (const line of readFileSync(join(folder, "effects.txt"), "utf8").split("\n")) {
    const [kind, , id] = line.split(" ");
    if (kind === "start") starts.set(id!, (starts.get(id!) ?? 0) + 1);
    if (kind === "effect") effects.set(id!, (effects.get(id!) ?? 0) + 1);
    if (kind === "violation") violations.push(line);
  }
  return { starts, effects, violations };
}

test.each(worlds.map((world, at) => ({ ...world, seed: SEED + at })))(
  "$kills kills, $processes processes at a time: nothing is lost, nothing is doubled (seed $seed; TENON_SEED repeats)",
  { timeout: 240_000, concurrent: true },
  async ({ kills, processes, seed }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-kills-"));
    try {
      const random = randomOf(seed);
      await Promise.all(
        Array.from({ length: processes }, () => killSome(folder, Math.ceil(kills / processes), random)),
      );
      const last = await startChild(folder, "drain");
      await once(last, "exit");
      expect(last.exitCode).toBe(0);
      await assertTold(folder, worldOutside(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

async function assertTold(folder: string, { starts, effects, violations }: Told): Promise<void> {
  expect(violations).toEqual([]);
  const store = sqliteStore(join(folder, "tenon.db"));
  const runs = await store.runs({ limit: 100_000 });
  expect(runs.length).toBeGreaterThan(10);
  const known = new Set<string>();
  for (const run of runs) {
    expect(run, run.id).toMatchObject({ status: "completed", outcome: { text: "done" } });
    const audit = await store.audit(run.id);
    for (const { callId, result } of await storedCalls(store, run.id)) {
      known.add(callId);
      assertCall(
        callId,
        result,
        audit.filter(({ pause }) => pause.callId === callId),
        starts,
        effects,
      );
    }
  }
  for (const id of effects.keys()) expect(known, `the call of effect ${id}`).toContain(id.split("/")[0]);
  await store.close();
}

function assertCall(
  callId: string,
  result: ToolResult,
  audit: readonly PauseAudit[],
  starts: Told["starts"],
  effects: Told["effects"],
): void {
  const decisions = audit.map(({ decision }) => decision as Decision);
  const denied = decisions.some((decision) => "approved" in decision && !decision.approved);
  if (denied) {
    expect(result, callId).toMatchObject({ kind: "error", code: "denied" });
    expect(starts.has(callId), `${callId} was denied`).toBe(false);
    return;
  }
  expect(result, callId).toMatchObject({ kind: "ok" });
  const name = String((result as { readonly value: unknown }).value).split(" ")[0]!;
  if (!["charge", "pay", "known", "keyed"].includes(name)) return;
  expect(effects.get(callId), `effects of ${name} ${callId}`).toBe(1);
  if (name !== "charge" && name !== "pay") return;
  const reruns = decisions.filter((decision) => "action" in decision && decision.action === "rerun").length;
  expect(starts.get(callId), `starts of ${name} ${callId}`).toBeLessThanOrEqual(1 + reruns);
}
