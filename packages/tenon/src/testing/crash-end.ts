import { messagesOf } from "../agents/transcript.js";
import type { App } from "../app/app.js";
import type { JournalRecord, RunRow, Store } from "../journal/store.js";
import type { PauseAudit } from "../protocol/pause.js";
import { firstDifference } from "./crash-difference.js";
import { callIn, type CrashOutside } from "./crash-outside.js";
import type { CrashEnd } from "./crash-scenario.js";

/** How all runs of a world ended, and what happened outside. */
export async function endOf(store: Store, outside: CrashOutside): Promise<CrashEnd> {
  const runs: CrashEnd["runs"][number][] = [];
  for (const run of await allRuns(store)) {
    const { outcome, id: runId, n } = run;
    if (outcome === undefined) continue;
    const { status, stopReason, text, error, usage } = outcome;
    const messages = messagesOf({ run, records: await store.records(runId) });
    runs.push({ runId, n, status, stopReason, text, error, usage, messages });
  }
  const effects = [...outside.effects].sort((a, b) => (`${a.name} ${a.key}` < `${b.name} ${b.key}` ? -1 : 1));
  const requests = [...outside.requests.values()].map(({ request }) => request);
  return JSON.parse(JSON.stringify({ runs, effects, requests })) as CrashEnd;
}

/** What must hold of any end, whatever the scenario; the first thing that does not, in words. */
export async function faultOf(
  app: App,
  store: Store,
  outside: CrashOutside,
  undisturbed: CrashOutside | undefined,
): Promise<string | undefined> {
  if (outside.faults.length > 0) return outside.faults[0];
  const open = (await allRuns(store)).find(({ outcome }) => outcome === undefined);
  if (open !== undefined) return `the run ${open.id} did not end: it is ${open.status}`;
  const [left] = await store.pauses({});
  if (left !== undefined) return `the pause ${left.id} was left open: nobody can answer it any more`;
  for (const [id, { request, sent, lost }] of outside.requests) {
    const due = Math.max(1, undisturbed?.requests.get(id)?.sent ?? sent);
    if (sent > due + lost)
      return `a model call was paid again: the request whose last message is ${JSON.stringify(request.messages.at(-1))}`;
  }
  return startedTwice(app, store, outside);
}

/** What differs from the end of the undisturbed scenario; `undefined` where nothing does. What matters most comes first. */
export function differenceOf(end: CrashEnd, undisturbed: CrashEnd): string | undefined {
  return (
    firstDifference(statuses(end), statuses(undisturbed), "runs") ??
    effectsDifference(end, undisturbed) ??
    firstDifference(end.runs, undisturbed.runs, "runs") ??
    firstDifference(end.requests, undisturbed.requests, "requests")
  );
}

function effectsDifference(end: CrashEnd, undisturbed: CrashEnd): string | undefined {
  const found = namesOf(end);
  const wanted = namesOf(undisturbed);
  return found === wanted
    ? firstDifference(end.effects, undisturbed.effects, "effects")
    : `the effects are [${found}] in place of [${wanted}]`;
}

function statuses({ runs }: CrashEnd): object {
  return Object.fromEntries(runs.map(({ runId, status }) => [runId, status]));
}

function namesOf({ effects }: CrashEnd): string {
  return effects.map(({ name, key }) => (key === undefined ? name : `${name} ${key}`)).join(", ");
}

/** A write that was started more often than somebody said: its tool, or a person. */
async function startedTwice(app: App, store: Store, outside: CrashOutside): Promise<string | undefined> {
  const writes = new Set(
    app
      .describe()
      .agents.flatMap(({ tools }) => tools)
      .filter(({ access, inDoubt }) => access === "write" && inDoubt === "ask")
      .map(({ name }) => name),
  );
  for (const [callId, { tool, count }] of outside.starts) {
    if (count < 2 || !writes.has(tool)) continue;
    const { runId } = callIn(callId)!;
    const said =
      (await store.audit(runId)).filter((entry) => entry.pause.callId === callId && startsAgain(entry)).length +
      (await store.records(runId)).filter((record) => isNotDone(record, callId)).length;
    if (count > 1 + said)
      return `the write ${tool} was started ${count} times (${callId}), and nobody said that it may be more than ${1 + said}`;
  }
  return undefined;
}

function startsAgain({ decision }: PauseAudit): boolean {
  if (decision === undefined) return false;
  return "answer" in decision || ("action" in decision && decision.action === "rerun");
}

/** The tool itself found out that nothing had happened. */
function isNotDone({ key, type, value }: JournalRecord, callId: string): boolean {
  return (
    type === "reconcile" &&
    key.includes(`call:${callId}/`) &&
    (value as { readonly outcome?: unknown }).outcome === "not-done"
  );
}

async function allRuns(store: Store): Promise<readonly RunRow[]> {
  return [...(await store.runs({ limit: 100_000 }))].reverse();
}
