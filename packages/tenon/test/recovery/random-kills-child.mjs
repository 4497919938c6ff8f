// A process that keeps runs going on a SQLite file until it is killed, and decides what they wait for.
// Arguments: folder, "busy" (keeps a few runs open for ever) or "drain" (ends when all runs have ended), and what is wrong with
// it, if anything: "keyed" (the tool runs again whatever its call id says), "charge" (the person lets it run again without a
// look), "known" (the tool says of each call that it happened). A process with a fault kills itself in the middle of such a call.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, createApp } from "tenon";
import { sqliteStore } from "tenon/sqlite";
import { tools } from "./random-kills-tools.mjs";
import { fault, file, folder, lines, mayGoOn, mode, note, pause, wasDone } from "./random-kills-world.mjs";

const OPEN_RUNS = 4;
const parent = process.ppid;

const kinds = [
  ["look", "charge"],
  ["pay"],
  ["known", "look"],
  ["keyed", "keyed"],
  ["quiz"],
  ["job"],
  ["charge", "pay", "keyed"],
];
const numberOf = (runId) => Number(runId.split("-").at(-1));
/** Some of the runs that wait for a person are ended instead. */
const isToEnd = (runId) => numberOf(runId) % 14 === 8;

const store = sqliteStore(join(folder, "tenon.db"), { synchronous: "normal" });
const { start, pickUp } = store;
store.start = (request) => {
  const { id } = request.run;
  appendFileSync(file, `had ${id} ${process.pid}\n`);
  const tell = (result) => {
    if (result.kind === "started") note(`accepted ${id}`);
    return result;
  };
  const result = start.call(store, request);
  return result instanceof Promise ? result.then(tell) : tell(result);
};
store.pickUp = (runId, ...more) => {
  appendFileSync(file, `had ${runId} ${process.pid}\n`);
  return pickUp.call(store, runId, ...more);
};
/** What is paid: the model calls that the journal had before this process, and all of a run that has ended. */
const paid = new Set();
const before = await store.runs({ limit: 100_000 });
for (const { id, outcome } of before) {
  if (outcome !== undefined) paid.add(id);
  else for (const { key } of await store.records(id)) if (key.endsWith("/model")) paid.add(`${id} ${key}`);
}
/** Two processes may think of the same run: it is started once. */
let next = before.length;

const model = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "test",
  async doGenerate({ prompt }) {
    const runId = prompt.findLast(({ role }) => role === "user").content[0].text;
    const turn = prompt.filter(({ role }) => role === "assistant").length + 1;
    if (paid.has(runId) || paid.has(`${runId} turn:${turn}/model`))
      note(`violation ${runId} paid again for turn ${turn}`);
    await pause(3);
    const names = turn === 1 ? kinds[numberOf(runId) % kinds.length] : turn === 2 ? ["look"] : [];
    const content = names.map((toolName, i) => ({
      type: "tool-call",
      toolCallId: `${turn}${i}`,
      toolName,
      input: `{"n":${i}}`,
    }));
    if (content.length === 0) content.push({ type: "text", text: "done" });
    return {
      content,
      finishReason: { unified: "stop" },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    };
  },
  doStream: () => Promise.reject(new Error("nobody listens")),
};

class Clerk {}
Agent({ name: "clerk", description: "A clerk.", tools })(Clerk);

/** The same for the same pause, in every process; `undefined` while nobody can tell yet. */
function decisionOf({ id, kind, runId, tool: name, callId }) {
  const by = "ann";
  if (kind === "question") return { answer: "yes", by };
  if (kind === "in-doubt") {
    if (fault === "charge") return { action: "rerun", by };
    // What the world says counts when nobody can change it any more: who ran the call is dead.
    if (mayGoOn(runId, name, callId)) return undefined;
    return wasDone(`effect ${name} ${callId}`)
      ? { action: "done", result: `${name} ${callId}`, by }
      : { action: "rerun", by };
  }
  const hash = [...id].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);
  if (hash % 3 === 0) return { approved: false, reason: "no", by };
  return hash % 3 === 1 ? { approved: true, by } : { approved: true, edit: { n: 9 }, by };
}

const app = await createApp(Clerk, { store, models: { default: model }, leaseMs: 300 });
const working = app.work({
  pollMs: 40,
  onSkipped: (runId, { message }) => note(`violation ${runId} was skipped: ${message}`),
});
console.log("ready");

/** A call in doubt may have run again by now, and then another decision is the right one: the first counts. */
function refused(open, error) {
  if (error.code !== "decision_refused" || open.kind !== "in-doubt") throw error;
}

/** What was answered before, by anybody who is dead or by this process: nobody is asked for it again. */
const answered = new Set(lines().flatMap((line) => (/^(decided|ended) /.test(line) ? [line.split(" ")[1]] : [])));
function tellAnswered(what, id) {
  answered.add(id);
  note(`${what} ${id}`);
}

// Without the test that started it, nobody would kill it.
while (process.ppid === parent) {
  const known = new Set(answered);
  for (const open of await app.pauses()) {
    if (known.has(open.id) || known.has(open.runId)) note(`violation ${open.id} was answered and is asked again`);
    if (isToEnd(open.runId)) {
      void app.cancel(open.runId).then(() => tellAnswered("ended", open.runId));
      continue;
    }
    const decision = decisionOf(open);
    if (decision === undefined) continue;
    await app.decide(open.runId, { [open.id]: decision }).then(
      () => tellAnswered("decided", open.id),
      (error) => refused(open, error),
    );
  }
  const open = (await store.runs({ status: ["running", "paused"], limit: 1_000 })).length;
  if (mode === "busy" && open < OPEN_RUNS) {
    const runId = `run-random-${next++}`;
    void app.run({ prompt: runId }, { runId, threadId: `thread-${runId}` });
  } else if (mode === "drain" && open === 0) break;
  await pause(10);
}
await app.close();
await working;
console.log("drained");
