// A process that keeps runs going on a SQLite file until it is killed, and decides what they wait for.
// Arguments: folder, "busy" (keeps a few runs open for ever) or "drain" (ends when all runs have ended).
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, createApp, defineTool } from "tenon";
import { Int } from "tenon/dto";
import { sqliteStore } from "tenon/sqlite";

const [folder, mode] = process.argv.slice(2);
const file = join(folder, "effects.txt");
const OPEN_RUNS = 4;

function note(line) {
  const handle = openSync(file, "a");
  appendFileSync(handle, `${line}\n`);
  fsyncSync(handle);
  closeSync(handle);
}

/** The world outside: what was done, as anybody can look it up. */
const wasDone = (line) => existsSync(file) && readFileSync(file, "utf8").split("\n").includes(line);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Order {}
Int()(Order.prototype, "n");

function tool(name, options, act) {
  return defineTool({
    name,
    description: `Does ${name}.`,
    input: Order,
    async run({ n }, ctx) {
      note(`start ${name} ${ctx.callId}`);
      return act(ctx, n);
    },
    ...options,
  });
}

const effect = (name) => async (ctx) => {
  await pause(3);
  note(`effect ${name} ${ctx.callId}`);
  await pause(3);
  return `${name} ${ctx.callId}`;
};
const once = async (line) => {
  await pause(2);
  if (!wasDone(line)) note(line);
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
      reconcile: (callId) =>
        wasDone(`effect known ${callId}`) ? { outcome: "done", value: `known ${callId}` } : { outcome: "not-done" },
    },
    effect("known"),
  ),
  tool("keyed", { access: "write", inDoubt: "rerun" }, async (ctx) => {
    await once(`effect keyed ${ctx.callId}`);
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

const store = sqliteStore(join(folder, "tenon.db"), { synchronous: "normal" });
/** What is paid: the model calls that the journal had before this process. */
const paid = new Set();
for (const { id } of store.runs({ limit: 100_000 }))
  for (const { key } of store.records(id)) if (key.endsWith("/model")) paid.add(`${id} ${key}`);

const model = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "test",
  async doGenerate({ prompt }) {
    const runId = prompt.findLast(({ role }) => role === "user").content[0].text;
    const turn = prompt.filter(({ role }) => role === "assistant").length + 1;
    if (paid.has(`${runId} turn:${turn}/model`)) note(`violation ${runId} paid again for turn ${turn}`);
    await pause(3);
    const names = turn === 1 ? kinds[Number(runId.split("-").at(-1)) % kinds.length] : turn === 2 ? ["look"] : [];
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

/** The same for the same pause, in every process. */
function decisionOf({ id, kind, tool: name, callId }) {
  const by = "ann";
  const hash = [...id].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);
  if (kind === "question") return { answer: "yes", by };
  if (kind === "in-doubt")
    return wasDone(`effect ${name} ${callId}`)
      ? { action: "done", result: `${name} ${callId}`, by }
      : { action: "rerun", by };
  if (hash % 3 === 0) return { approved: false, reason: "no", by };
  return hash % 3 === 1 ? { approved: true, by } : { approved: true, edit: { n: 9 }, by };
}

const app = await createApp(Clerk, { store, models: { default: model }, leaseMs: 300 });
const working = app.work({ pollMs: 40 });
console.log("ready");

for (;;) {
  for (const open of await app.pauses()) {
    // What the world says is looked up when nobody can change it any more: the process that ran the call is dead.
    await app.decide(open.runId, { [open.id]: decisionOf(open) }).catch((error) => {
      if (error.code !== "decision_refused") throw error;
    });
  }
  const open = store.runs({ status: ["running", "paused"], limit: 1_000 }).length;
  if (mode === "busy" && open < OPEN_RUNS) {
    const runId = `run-random-${store.runs({ limit: 100_000 }).length}`;
    app.run({ prompt: runId }, { runId, threadId: `thread-${runId}` }).catch((error) => {
      if (error.code !== "run_exists") throw error;
    });
  } else if (mode === "drain" && open === 0) break;
  await pause(10);
}
await app.close();
await working;
console.log("drained");
