// A process that runs (or recovers) one run on a SQLite file and kills itself with SIGKILL at a given point.
// Arguments: folder, "run" or "recover", kill point.
import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { createApp, defineTool, Agent } from "tenon";
import { sqliteStore } from "tenon/sqlite";

const [folder, mode, killAt] = process.argv.slice(2);

function note(line) {
  const file = openSync(join(folder, "effects.txt"), "a");
  appendFileSync(file, `${line}\n`);
  fsyncSync(file);
  closeSync(file);
}

/** Points are counted by name: `append:2:before`, `look:1:inside`. */
const counts = new Map();
function point(name, where) {
  if (where !== "after") counts.set(name, (counts.get(name) ?? 0) + 1);
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
    { type: "tool-call", toolCallId: "b", toolName: "charge", input: "{}" },
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

function tool(name, access) {
  return defineTool({
    name,
    description: `Does ${name}.`,
    access,
    async run(_input, ctx) {
      note(`${name} start ${ctx.callId}`);
      point(name, "inside");
      await new Promise((resolve) => setTimeout(resolve, 5));
      note(`${name} end ${ctx.callId}`);
      return `${name} of ${ctx.callId}`;
    },
  });
}

class Clerk {}
Agent({ name: "clerk", description: "A clerk.", tools: [tool("look", "read"), tool("charge", "write")] })(Clerk);

const app = await createApp(Clerk, { store, models: { default: model }, leaseMs: 300 });
const results =
  mode === "run"
    ? [await app.run({ prompt: "go" }, { runId: "kill-test-run", threadId: "thread" })]
    : (await app.recover()).continued;
console.log(JSON.stringify(results));
await app.close();
