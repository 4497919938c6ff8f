// A process that runs, or recovers, one run whose active time is limited. Its time goes twenty-five times as fast, for all processes alike.
// Arguments: folder, when time began, "run" (kills itself with SIGKILL in the middle of a call) or "recover".
import { join } from "node:path";
import { createApp, defineAgent, defineTool, defineWorkflow } from "tenon";
import { sqliteStore } from "tenon/sqlite";

const [folder, began, mode] = process.argv.slice(2);
const FAST = 25;
const { now } = Date;
const { setTimeout: later } = globalThis;
Date.now = () => Math.round(Number(began) + (now() - Number(began)) * FAST);
const elapsed = performance.now.bind(performance);
performance.now = () => elapsed() * FAST;
globalThis.setTimeout = (run, ms, ...values) => later(run, ms / FAST, ...values);

const store = sqliteStore(join(folder, "tenon.db"));
const hang = defineTool({
  name: "hang",
  description: "Never answers.",
  timeoutMs: 100_000_000,
  run: () => {
    if (mode === "run") void killAtMark();
    return new Promise(() => {});
  },
});
async function killAtMark() {
  while (!(await store.records("timed-run")).some(({ key }) => key === "active:4"))
    await new Promise((resolve) => later(resolve, 5));
  process.kill(process.pid, "SIGKILL");
}
const model = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "m1",
  doGenerate: async () => ({
    content: [{ type: "tool-call", toolCallId: "1", toolName: "hang", input: "{}" }],
    finishReason: { unified: "tool-calls" },
    usage: {},
  }),
  doStream: () => Promise.reject(new Error("Nobody listens.")),
};
const clerk = defineAgent({ name: "clerk", description: "Works.", model, tools: [hang] });
const desk = defineWorkflow({ name: "desk", agents: [clerk], limits: { perRun: { wallTimeMs: 60_000 } } });
const app = await createApp(desk, { store, env: {} });
if (mode === "run") await app.run({ prompt: "go" }, { runId: "timed-run" });
let results = [];
while (results.length === 0) {
  results = (await app.recover()).continued;
  await new Promise((resolve) => later(resolve, 20));
}
process.stdout.write(JSON.stringify({ result: results[0], records: await store.records("timed-run") }));
process.exit(0);
