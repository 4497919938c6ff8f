// A process that runs, or recovers, one run on a SQLite file, and kills itself with SIGKILL at a given point.
// Arguments: folder, the tool with side effects, "run" with a kill point, or "recover" with what is decided of a call in doubt.
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createApp, defineTool, Agent } from "tenon";
import { sqliteStore } from "tenon/sqlite";

const [folder, write, mode, argument] = process.argv.slice(2);
const killAt = mode === "run" ? argument : "never";
const RUN = "kill-test-run";
const effects = join(folder, "effects.txt");

function note(line) {
  const file = openSync(effects, "a");
  appendFileSync(file, `${line}\n`);
  fsyncSync(file);
  closeSync(file);
}

const wasDone = (line) => existsSync(effects) && readFileSync(effects, "utf8").split("\n").includes(line);

/** Points are counted by name: `append:2:before`, `look:1:inside`. */
const counts = new Map();
function point(name, where) {
  if (where === "before" || where === "inside") counts.set(name, (counts.get(name) ?? 0) + 1);
  if (`${name}:${counts.get(name)}:${where}` === killAt) process.kill(process.pid, "SIGKILL");
}

const store = sqliteStore(join(folder, "tenon.db"));
for (const method of ["start", "append"]) {
  const original = store[method].bind(store);
  store[method] = (request) => {
    point(method, "before");
    const result = original(request);
    point(method, "after");
    return result;
  };
}

const turns = [
  [
    { type: "tool-call", toolCallId: "a", toolName: "look", input: "{}" },
    { type: "tool-call", toolCallId: "b", toolName: write, input: "{}" },
  ],
  [{ type: "tool-call", toolCallId: "c", toolName: "look", input: "{}" }],
  [{ type: "text", text: "done" }],
];

const model = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "test",
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const turn = prompt.filter(({ role }) => role === "assistant").length;
    note(`model ${turn + 1}`);
    point("model", "inside");
    await new Promise((resolve) => setTimeout(resolve, 5));
    return {
      content: turns[turn],
      finishReason: { unified: "stop" },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    };
  },
  async doStream() {
    throw new Error("nobody listens, so nothing is streamed");
  },
};

/** `inside` is before what the tool does to the world outside, `done` after it. */
function tool(name, options) {
  return defineTool({
    name,
    description: `Does ${name}.`,
    async run(_input, ctx) {
      note(`${name} start ${ctx.callId}`);
      point(name, "inside");
      await new Promise((resolve) => setTimeout(resolve, 5));
      // The world outside knows a call id that it has seen.
      if (name !== "keyed" || !wasDone(`${name} end ${ctx.callId}`)) note(`${name} end ${ctx.callId}`);
      point(name, "done");
      return `${name} of ${ctx.callId}`;
    },
    ...options,
  });
}

const tools = [
  tool("look", { access: "read" }),
  tool("charge", { access: "write" }),
  tool("keyed", { access: "write", inDoubt: "rerun" }),
  tool("known", {
    access: "write",
    reconcile(callId) {
      note(`known asked ${callId}`);
      return wasDone(`known end ${callId}`)
        ? { outcome: "done", value: `known of ${callId}` }
        : { outcome: "not-done" };
    },
  }),
];

class Clerk {}
Agent({ name: "clerk", description: "A clerk.", tools })(Clerk);

const decisions = {
  done: { action: "done", result: "a person saw it", by: "ann" },
  rerun: { action: "rerun", by: "ann" },
  "give-up": { action: "give-up", by: "ann", reason: "nobody knows" },
};

const app = await createApp(Clerk, { store, models: { default: model }, leaseMs: 300 });
const results = [];
if (mode === "run") results.push(await app.run({ prompt: "go" }, { runId: RUN, threadId: "thread" }));
else {
  // The lease of the killed process has to run out.
  while ((await store.run(RUN))?.status === "running") {
    results.push(...(await app.recover()).continued);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [pause] = await app.pauses();
  if (pause !== undefined) results.push(await app.resume(RUN, { [pause.id]: decisions[argument] }));
}
console.log(JSON.stringify(results));
await app.close();
