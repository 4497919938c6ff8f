import { expect, onTestFinished } from "./vitest.js";
import type {
  JournalRecord,
  Lease,
  NewRun,
  PickUpResult,
  RunRow,
  StartRequest,
  StartResult,
  Store,
} from "../journal/store.js";
import type { JsonValue } from "../protocol/json.js";
import type { EndStatus, Outcome } from "../protocol/outcome.js";
import type { Pause, PauseAudit } from "../protocol/pause.js";
import type { Signal } from "../journal/store.js";

/** Gives an empty store each time it is called. */
export type OpenStore = () => Store | Promise<Store>;

/** The time of the contract's tests; leases last until `NOW + 10_000`. */
export const NOW = 1_790_000_000_000;

/** A store that is closed when the test is over. */
export async function openStore(open: OpenStore): Promise<Store> {
  const store = await open();
  onTestFinished(() => store.close());
  return store;
}

export function newRun(id: string, threadId: string, more: Partial<NewRun> = {}): NewRun {
  return {
    id,
    threadId,
    workflow: "desk",
    agent: "clerk",
    prompt: "find my notes",
    owner: undefined,
    metadata: {},
    model: undefined,
    toolNames: [],
    hadContext: false,
    loopVersion: 1,
    createdAt: NOW,
    ...more,
  };
}

export function lease(by = "app-1", until: number = NOW + 10_000): Lease {
  return { by, until };
}

export function request(run: NewRun, more: Partial<Omit<StartRequest, "run">> = {}): StartRequest {
  return { run, lease: lease(), now: NOW, queue: false, ...more };
}

/** Starts a run that must start. */
export async function started(store: Store, id: string, threadId: string, more: Partial<NewRun> = {}): Promise<RunRow> {
  return isKind(await store.start(request(newRun(id, threadId, more))), "started").run;
}

export function record(key: string, value: JsonValue = { said: key }): JournalRecord {
  return { key, type: "model", v: 1, activation: "activation-1", value };
}

export function pause(
  id: string,
  run: { readonly id: string; readonly threadId: string },
  more: Partial<Pause> = {},
): Pause {
  return {
    id,
    runId: run.id,
    threadId: run.threadId,
    kind: "approval",
    question: "Save it?",
    agent: "clerk",
    tool: "note_save",
    callId: `call_${run.id}_1_1`,
    input: { title: "Rent" },
    digest: "00",
    openedAt: NOW,
    ...more,
  };
}

/** A pause that asks what became of a call. */
export function doubt(id: string, run: { readonly id: string; readonly threadId: string }): Pause {
  return pause(id, run, { kind: "in-doubt", question: "Was it saved?", interruption: "cancel" });
}

export function signal(
  name: string,
  value: JsonValue = { approved: true, by: "ann" },
  id = `signal-${name}`,
  at: number = NOW,
): Signal {
  return { id, name, value, at };
}

/** How a pause is answered that nobody decides. */
export function lapse(name: string, lapsed: "expired" | "cancelled" | "superseded", at: number): Signal {
  return { id: name, name, value: { lapsed }, at };
}

export function outcome(status: EndStatus = "completed", text = "done"): Outcome {
  return {
    status,
    stopReason: status === "completed" ? "answer" : status === "failed" ? "error" : "cancel",
    text,
    usage: {
      inputTokens: 3,
      outputTokens: 2,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      costUsd: undefined,
      toolCostUsd: 0,
      modelCalls: 1,
      toolCalls: 0,
      calls: [],
    },
  };
}

/** Ends a run with nothing more to record. */
export async function ended(
  store: Store,
  run: RunRow,
  result: Outcome = outcome(),
  at: number = NOW + 1,
): Promise<void> {
  expect(await store.append({ runId: run.id, epoch: run.epoch, records: [], end: { outcome: result, at } })).toBe(
    "written",
  );
}

/** Opens pauses of a run that goes on. */
export async function opened(store: Store, run: RunRow, ...pauses: readonly Pause[]): Promise<void> {
  expect(await store.append({ runId: run.id, epoch: run.epoch, records: [], opened: pauses })).toBe("written");
}

/** Parks a run on pauses, or on plain ones of these ids. */
export async function paused(store: Store, run: RunRow, ...pauses: readonly (string | Pause)[]): Promise<void> {
  const all = pauses.map((one) => (typeof one === "string" ? pause(one, run) : one));
  await opened(store, run, ...all);
  const ids = all.map(({ id }) => id);
  expect(await store.park(run.id, run.epoch, ids)).toBe("parked");
}

/** What became of each pause of a run: its id, the decision, and when. */
export async function fates(
  store: Store,
  runId: string,
): Promise<readonly (readonly [string, PauseAudit["decision"], number | undefined])[]> {
  return (await store.audit(runId)).map(({ pause: { id }, decision, decidedAt }) => [id, decision, decidedAt] as const);
}

export async function idsOf(
  list: Promise<readonly { readonly id: string }[]> | readonly { readonly id: string }[],
): Promise<readonly string[]> {
  return (await list).map(({ id }) => id);
}

/** Takes a run that must be free to take. */
export async function pickedUp(
  store: Store,
  runId: string,
  by = "app-2",
  now: number = NOW,
): Promise<Extract<PickUpResult, { kind: "picked-up" }>> {
  return isKind(await store.pickUp(runId, lease(by, now + 10_000), now), "picked-up");
}

/** The result, which must be of this kind. */
export function isKind<R extends StartResult | PickUpResult, K extends R["kind"]>(
  result: R,
  kind: K,
): Extract<R, { kind: K }> {
  expect(result.kind).toBe(kind);
  return result as Extract<R, { kind: K }>;
}
