// A process that keeps runs going on a SQLite file until it is killed, and decides what they wait for.
// Arguments: folder, "busy" (keeps a few runs open for ever) or "drain" (ends when all runs have ended), and what is wrong with
// it, if anything: "keyed" (the tool runs again whatever its call id says), "charge" (the person lets it run again without a
// look), "known" (the tool says of each call that it happened). A process with a fault kills itself in the middle of such a call.
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, createApp, defineTool } from "tenon";
import { Int } from "tenon/dto";
import { sqliteStore } from "tenon/sqlite";

const [folder, mode, fault] = process.argv.slice(2);
const file = join(folder, "effects.txt");
const OPEN_RUNS = 4;

function note(line) {
  const handle = openSync(file, "a");
  appendFileSync(handle, `${line}\n`);
  fsyncSync(handle);
  closeSync(handle);
}

/** The world outside: what was done, as anybody can look it up. */
const lines = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
const wasDone = (line) => lines().includes(line);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether a process that started this call may still be at it. */
function mayGoOn(name, callId) {
  const begin = `start ${name} ${callId} `;
  return lines().some((line) => line.startsWith(begin) && isAlive(Number(line.slice(begin.length))));
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

class Order {}
Int()(Order.prototype, "n");

function tool(name, options, act) {
  return defineTool({
    name,
    description: `Does ${name}.`,
    input: Order,
    async run({ n }, ctx) {
      const first = fault !== undefined && !lines().some((line) => line.startsWith(`start ${name} ${ctx.callId} `));
      note(`start ${name} ${ctx.callId} ${process.pid}`);
      return act(ctx, n, first);
    },
    ...options,
  });
}

const dieOf = (name, first) => void (fault === name && first && process.kill(process.pid, "SIGKILL"));

const effect = (name) => async (ctx, _n, first) => {
  await pause(3);
  if (name === "known") dieOf(name, first);
  note(`effect ${name} ${ctx.callId}`);
  dieOf(name, first);
  await pause(3);
  return `${name} ${ctx.callId}`;
};
const once = async (line) => {
  await pause(2);
  if (fault === "keyed" || !wasDone(line)) note(line);
  await pause(2);
};

const tools = [
  tool("look", {}, async () => pause(4).then(() => "seen")),
  tool("charge", { access: "write" }, effect("charge")),
  tool("pay", { access: "write", approval: true }, effect("pay")),
  tool(
    "known",
    {
      access: "write",
      reconcile(callId) {
        const value = `known ${callId}`;
        if (fault === "known" || wasDone(`effect known ${callId}`)) return { outcome: "done", value };
        return { outcome: mayGoOn("known", callId) ? "unknown" : "not-done" };
      },
    },
    effect("known"),
  ),
  tool("keyed", { access: "write", inDoubt: "rerun" }, async (ctx, _n, first) => {
    await once(`effect keyed ${ctx.callId}`);
    dieOf("keyed", first);
    return `keyed ${ctx.callId}`;
  }),
  tool("quiz", {}, async (ctx) => [await ctx.pause("One?"), await ctx.pause("Two?")]),
  tool("job", { access: "write", inDoubt: "rerun", durable: true }, async (ctx) => {
    await ctx.step("one", () => once(`effect job ${ctx.callId}/one`));
    const answer = await ctx.pause("Go on?");
    await ctx.step("two", () => once(`effect job ${ctx.callId}/two`));
    return answer;
  }),
];

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
const storeStart = store.start.bind(store);
store.start = (request) => {
  const tell = (result) => {
    if (result.kind === "started") note(`accepted ${request.run.id}`);
    return result;
  };
  const result = storeStart(request);
  return result instanceof Promise ? result.then(tell) : tell(result);
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
function decisionOf({ id, kind, tool: name, callId }) {
  const by = "ann";
  if (kind === "question") return { answer: "yes", by };
  if (kind === "in-doubt") {
    if (fault === "charge") return { action: "rerun", by };
    // What the world says counts when nobody can change it any more: the process that ran the call is dead.
    if (mayGoOn(name, callId)) return undefined;
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

for (;;) {
  for (const open of await app.pauses()) {
    if (isToEnd(open.runId)) {
      app.cancel(open.runId).then(() => note(`ended ${open.runId}`));
      continue;
    }
    const decision = decisionOf(open);
    if (decision === undefined) continue;
    await app.decide(open.runId, { [open.id]: decision }).then(
      () => note(`decided ${open.id}`),
      (error) => refused(open, error),
    );
  }
  const open = (await store.runs({ status: ["running", "paused"], limit: 1_000 })).length;
  if (mode === "busy" && open < OPEN_RUNS) {
    const runId = `run-random-${next++}`;
    app.run({ prompt: runId }, { runId, threadId: `thread-${runId}` });
  } else if (mode === "drain" && open === 0) break;
  await pause(10);
}
await app.close();
await working;
console.log("drained");
