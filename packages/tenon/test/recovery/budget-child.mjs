// One process of several that run against one budget of a day. Arguments: database, first run, number of runs, `leaseMs`, model calls a run (`hang`: the second one never ends).
import { createApp, defineAgent, defineTool, defineWorkflow, usd } from "tenon";
import { priced } from "tenon/models";
import { sqliteStore } from "tenon/sqlite";

const [path, first, count, leaseMs, calls] = process.argv.slice(2);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks for a tool first where a run has two calls, then answers. Bills 300 tokens of input and 50 of output, which is less than is reserved. */
const model = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "test",
  supportedUrls: {},
  async doGenerate({ prompt }) {
    await pause(2 + Math.random() * 8);
    const called = calls === "1" || prompt.at(-1).role === "tool";
    if (called && calls === "hang") await new Promise(() => {});
    return {
      content: called
        ? [{ type: "text", text: "done" }]
        : [{ type: "tool-call", toolCallId: "1", toolName: "look", input: "{}" }],
      finishReason: { unified: called ? "stop" : "tool-calls" },
      usage: { inputTokens: { total: 300 }, outputTokens: { total: 50 } },
    };
  },
  doStream() {
    throw new Error("Nobody listens.");
  },
};

const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
const clerk = defineAgent({
  name: "clerk",
  description: "Works.",
  model: priced(model, { input: usd(1), output: usd(10) }),
  maxOutputTokens: 100,
  tools: [look],
});
/** A call costs 800,000 nano-USD: a hundred of them fit. */
const limits = { perDay: { workflow: { cost: usd(0.08) } }, reserve: "strict" };
const app = await createApp(defineWorkflow({ name: "desk", agents: [clerk], limits }), {
  store: sqliteStore(path, { synchronous: "normal" }),
  leaseMs: Number(leaseMs),
  env: {},
});

/** Until nobody has a run any more: not the process that is dead, nor one that works. */
async function recoverAll() {
  const all = { continued: [], skipped: [] };
  do {
    await pause(20);
    const { continued, skipped } = await app.recover();
    all.continued.push(...continued.map(({ runId }) => runId));
    all.skipped.push(...skipped);
  } while ((await app.runs({ status: "running" })).length > 0);
  return all;
}

process.stdout.write("ready\n");
const runs = Array.from({ length: Number(count) }, (_, i) =>
  app.run({ prompt: "go" }, { runId: `budget-run-${Number(first) + i}` }),
);
const ended = await Promise.all(runs);
const recovered = count === "0" ? await recoverAll() : undefined;
process.stdout.write(
  `${JSON.stringify({ ended: ended.map(({ status, stopReason }) => `${status} ${stopReason}`), recovered })}\n`,
);
await app.close();
