import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TurnRecord } from "../../src/agents/turn-record.js";
import type { PauseAudit, Store, ToolResult } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { storedCalls } from "../known-failures/wire.js";
import { bundledChild } from "./bundled-child.js";

/**
 * Real processes, killed with SIGKILL at random moments while they start, run, recover, decide and cancel; where two share the
 * file, some are frozen past their lease before. What tools do to the world outside is a line in a file, written through to the
 * disk (or a key, where a service knows its keys); afterwards the world and the journal have to tell the same.
 */

const child = bundledChild("random-kills-child.mjs");
/** In the usual run few, each kind of world with its kinds of death; `npm run test:kills` makes 200. */
const KILLS = Number(process.env["TENON_KILLS"] ?? 64);
const SEED = Number(process.env["TENON_SEED"] ?? Date.now() % 2 ** 31);
/** A process lives until it has told so many things at most, so that a slow machine kills as much as a fast one. */
const LIFE = 24;
/** Or until it has started and had nothing to tell for so long, in milliseconds. */
const LONGEST_SILENCE_MS = 2_000;
/** In the middle of what comes next. */
const MORE_MS = 6;
/** One that is killed while it starts. */
const STARTING_MS = 250;
/** Longer than a lease of the child. */
const FROZEN_MS = 600;

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

function spawnChild(...words: readonly string[]): ChildProcess {
  return spawn(process.execPath, ["--no-warnings", child, ...words], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Resolves when a process has told so many things, has nothing to tell, or has ended. */
function lived(made: ChildProcess, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count + "ready\n".length;
    let timer: NodeJS.Timeout | undefined;
    made.stdout!.on("data", (text: Buffer) => {
      left -= text.length;
      clearTimeout(timer);
      if (left <= 0) resolve();
      else timer = setTimeout(resolve, LONGEST_SILENCE_MS);
    });
    made.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** `freeze`: some are stopped longer than their lease first, so that another process has their runs when they wake up. */
async function killSome(folder: string, kills: number, freeze: boolean, random: () => number): Promise<void> {
  for (let at = 0; at < kills; at++) {
    const made = spawnChild(folder, "busy");
    const exit = once(made, "exit");
    const life = lived(made, Math.floor(random() * LIFE));
    // One in eight, and the first, is killed while it starts.
    await (at % 8 === 0 ? pause(random() * STARTING_MS) : life.then(() => pause(random() * MORE_MS)));
    if (freeze && at % 8 === 4) {
      made.kill("SIGSTOP");
      await pause(FROZEN_MS);
      made.kill("SIGCONT");
      await pause(random() * MORE_MS);
    }
    expect(made.exitCode, "it was still there").toBeNull();
    made.kill("SIGKILL");
    expect((await exit)[1]).toBe("SIGKILL");
  }
}

/** Ends all runs, in as many processes as it takes. */
async function drain(folder: string, ...fault: readonly string[]): Promise<void> {
  for (;;) {
    const made = spawnChild(folder, "drain", ...fault);
    made.stdout!.resume();
    const [code, signal] = (await once(made, "exit")) as [number | null, string | null];
    if (code === 0) return;
    expect([signal, fault.length]).toEqual(["SIGKILL", 1]);
  }
}

async function inFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-kills-"));
  try {
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const title = "%s kills, %s at a time: nothing is lost, nothing is doubled, every run ends (TENON_SEED=%s repeats)";

async function world(kills: number, processes: number, seed: number): Promise<void> {
  await inFolder(async (folder) => {
    const each = Array.from({ length: processes }, (_, at) => randomOf(seed * 31 + at));
    await Promise.all(each.map((random) => killSome(folder, kills / processes, processes > 1, random)));
    await drain(folder);
    expect(await assertTold(folder)).toBeGreaterThan(10);
  });
}

describe("random kills", { timeout: 240_000 }, () => {
  test.concurrent.each([
    [KILLS / 4, 1, SEED],
    [KILLS / 4, 1, SEED + 1],
  ])(title, world);
  test.each([[KILLS / 2, 2, SEED + 2]])(title, world);
});

describe("what is wrong is found", { timeout: 60_000 }, () => {
  test.each([
    ["a tool that says that its call id is its key, and does not look at it", "keyed", "effects of keyed"],
    ["a person who lets a call run again that has happened", "charge", "effects of charge"],
    ["a tool that says that a call happened that did not", "known", "effects of known"],
  ])("%s", async (_what, fault, found) => {
    await inFolder(async (folder) => {
      const [, signal] = (await once(spawnChild(folder, "busy", fault), "exit")) as [unknown, string | null];
      expect(signal).toBe("SIGKILL");
      await drain(folder, fault);
      await expect(assertTold(folder)).rejects.toThrow(found);
    });
  });
});

/** What the world outside tells: how often each thing is there, by kind and id. */
class Told {
  readonly #counts: Map<string, number> = new Map();
  readonly violations: readonly string[];

  constructor(folder: string) {
    const lines = readFileSync(join(folder, "effects.txt"), "utf8").trim().split("\n");
    this.violations = lines.filter((line) => line.startsWith("violation "));
    for (const line of lines) {
      const [kind, first, second] = line.split(" ") as [string, string, string | undefined];
      const key = `${kind} ${second ?? first}`;
      this.#add(key);
    }
    for (const key of readdirSync(join(folder, "keys"))) this.#add(`effect ${key.replace("+", "/")}`);
  }

  #add(key: string): void {
    this.#counts.set(key, this.count(key) + 1);
  }

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** The ids of a kind. */
  ids(kind: string): readonly string[] {
    return [...this.#counts.keys()]
      .filter((key) => key.startsWith(`${kind} `))
      .map((key) => key.slice(kind.length + 1));
  }
}

/** Compares the journal with the world outside, and gives the number of runs. */
async function assertTold(folder: string): Promise<number> {
  const told = new Told(folder);
  expect(told.violations).toEqual([]);
  const store = sqliteStore(join(folder, "tenon.db"));
  try {
    const runs = await store.runs({ limit: 100_000 });
    const calls = new Set<string>();
    const decided = new Set<string>();
    for (const { id, outcome } of runs) {
      const toEnd = Number(id.split("-").at(-1)) % 14 === 8;
      expect(outcome, id).toMatchObject(toEnd ? { status: "cancelled" } : { status: "completed", text: "done" });
      const audit = await store.audit(id);
      for (const { pause: asked, decision } of audit) if (decision !== undefined) decided.add(asked.id);
      expect(audit.length, `all pauses of ${id} have an answer`).toBe(audit.filter((one) => one.decision).length);
      for (const call of await callsOf(store, id)) {
        calls.add(call.callId);
        const asked = audit.filter((one) => one.pause.callId === call.callId);
        if (toEnd) assertNothingDone(call, told);
        else assertCall(call, asked, told);
      }
    }
    const ids = new Set(runs.map(({ id }) => id));
    for (const id of told.ids("accepted")) expect(ids, `the run ${id} that was accepted`).toContain(id);
    for (const id of told.ids("decided")) expect(decided, `the decision ${id} that was taken`).toContain(id);
    for (const id of told.ids("effect")) expect(calls, `the call of effect ${id}`).toContain(id.split("/")[0]);
    return runs.length;
  } finally {
    await store.close();
  }
}

interface Call {
  readonly callId: string;
  readonly name: string;
  readonly result: ToolResult;
}

/** The calls that a run's model asked for, each with its result. */
async function callsOf(store: Store, runId: string): Promise<readonly Call[]> {
  const results = new Map((await storedCalls(store, runId)).map(({ callId, result }) => [callId, result]));
  const calls: Call[] = [];
  for (const { key, value } of await store.records(runId)) {
    const turn = value as unknown as TurnRecord;
    if (!key.endsWith("/model") || turn.kind !== "answer") continue;
    for (const part of turn.parts) {
      if (part.type !== "tool-call") continue;
      const result = results.get(part.callId);
      expect(result, `the result of ${part.callId}`).toBeDefined();
      calls.push({ callId: part.callId, name: part.name, result: result! });
    }
  }
  return calls;
}

function assertCall({ callId, name, result }: Call, audit: readonly PauseAudit[], told: Told): void {
  const decisions = audit.map(({ decision }) => decision!);
  if (decisions.some((decision) => "approved" in decision && !decision.approved)) {
    expect(result, callId).toMatchObject({ kind: "error", code: "denied" });
    return assertNothingDone({ callId }, told);
  }
  const answer = { look: "seen", quiz: ["yes", "yes"], job: "yes" }[name] ?? `${name} ${callId}`;
  expect(result, callId).toEqual({ kind: "ok", value: answer });
  const effects = { look: [], quiz: [], job: [`${callId}/one`, `${callId}/two`] }[name] ?? [callId];
  for (const id of effects) expect(told.count(`effect ${id}`), `effects of ${name} ${id}`).toBe(1);
  if (name !== "charge" && name !== "pay") return;
  const reruns = decisions.filter((decision) => "action" in decision && decision.action === "rerun").length;
  expect(told.count(`start ${callId}`), `starts of ${name} ${callId}`).toBeLessThanOrEqual(1 + reruns);
}

function assertNothingDone({ callId }: Pick<Call, "callId">, told: Told): void {
  expect(told.count(`start ${callId}`), `${callId} was not approved`).toBe(0);
  expect(told.count(`effect ${callId}`), `${callId} was not approved`).toBe(0);
}
