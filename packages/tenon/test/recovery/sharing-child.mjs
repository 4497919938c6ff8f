// One process of several that share the runs of one SQLite file. Arguments: folder, `leaseMs`, what to do, its argument.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, createApp, defineTool } from "tenon";
import { sqliteStore } from "tenon/sqlite";

const [folder, leaseMs, what, argument] = process.argv.slice(2);
const file = join(folder, "effects.txt");
const note = (line) => appendFileSync(file, `${line}\n`);
const lines = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Long enough that only what came from the other process can have been sooner, and much less than a third of a long lease. */
const PATIENCE_MS = 8_000;

const pay = defineTool({
  name: "pay",
  description: "Pays.",
  access: "write",
  approval: true,
  async run(_input, ctx) {
    await pause(2);
    note(`pay ${ctx.callId} ${process.pid}`);
    return "paid";
  },
});
const beside = defineTool({
  name: "beside",
  description: "Waits until something is paid.",
  async run() {
    note("beside");
    const until = Date.now() + PATIENCE_MS;
    while (Date.now() < until) {
      if (lines().some((line) => line.startsWith("pay "))) return "saw it";
      await pause(20);
    }
    return "gave up";
  },
});
const endless = defineTool({
  name: "endless",
  description: "Goes on until it is stopped.",
  run: (_input, ctx) =>
    new Promise((resolve) => {
      note("endless");
      const timer = setTimeout(() => resolve("gave up"), PATIENCE_MS);
      ctx.signal.addEventListener("abort", () => {
        note(`aborted ${ctx.signal.reason.message}`);
        clearTimeout(timer);
        resolve("stopped");
      });
    }),
});

/** Calls the tools that the prompt names, and then says what they gave. */
const model = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "test",
  async doGenerate({ prompt }) {
    const last = prompt.at(-1);
    const content =
      last.role === "tool"
        ? [{ type: "text", text: last.content.map(({ output }) => output.value).join(", ") }]
        : last.content[0].text
            .split(" ")
            .map((toolName, i) => ({ type: "tool-call", toolCallId: `${i}`, toolName, input: "{}" }));
    return {
      content,
      finishReason: { unified: "stop" },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    };
  },
  doStream: () => Promise.reject(new Error("nobody listens")),
};

class Clerk {}
Agent({ name: "clerk", description: "A clerk.", tools: [pay, beside, endless] })(Clerk);
const store = sqliteStore(join(folder, "tenon.db"), { synchronous: "normal" });
const app = await createApp(Clerk, { store, models: { default: model }, leaseMs: Number(leaseMs) });
const yes = { approved: true, by: "ann" };
const openRuns = async () => (await store.runs({ status: ["running", "paused"], limit: 10_000 })).length;
const run = (prompt, runId) => app.run({ prompt }, { runId, threadId: `thread-${runId}` });

const deeds = {
  run: () => run(argument, "run-00001"),
  cancel: () => app.cancel("run-00001"),
  /** Decides, and leaves the run to the process that has it, or (`resume`) waits for its end. */
  async decide() {
    let open = [];
    while (open.length === 0) open = await app.pauses();
    const decisions = { [open[0].id]: yes };
    return argument === "resume" ? app.resume(open[0].runId, decisions) : app.decide(open[0].runId, decisions);
  },
  /** Starts runs, some at a time, and recovers what others decided, until all have ended. */
  async recover() {
    const paused = [];
    const lane = async (name) => {
      for (let n = 0; n < Number(argument); n++) {
        const { status } = await run(n % 2 === 0 ? "pay" : "pay pay", `run-lane-${name}-${n}`);
        paused.push(status === "paused");
        await pause(Math.random() * 4);
      }
    };
    const lanes = Promise.all(["a", "b", "c"].map(lane)).then(() => (lanes.over = true));
    while (lanes.over !== true || (await openRuns()) > 0) {
      await app.recover();
      await pause(Math.random() * 4);
    }
    return paused.filter(Boolean).length;
  },
  /** Decides what is open, at random moments, one pause at a time, until so many runs have ended. */
  async decideAll() {
    const all = Number(argument);
    while ((await store.runs({ status: ["completed"], limit: 10_000 })).length < all) {
      for (const open of await app.pauses()) {
        if (Math.random() < 0.5) await pause(Math.random() * 4);
        await app.decide(open.runId, { [open.id]: yes });
      }
      await pause(Math.random() * 2);
    }
  },
  async work() {
    const working = app.work({ pollMs: 20 });
    while (!existsSync(join(folder, "stop"))) await pause(20);
    await app.close();
    await working;
  },
  /** Gives the others work until each of them did some, and at least so many runs. */
  async seed() {
    let n = 0;
    const payers = () => new Set(lines().flatMap((line) => (line.startsWith("pay ") ? [line.split(" ")[2]] : [])));
    for (; n < Number(argument) || payers().size < 2; n++) {
      const { runId, pauses } = await run("pay", `run-seed-${n}`);
      await app.decide(runId, { [pauses[0].id]: yes });
      await pause(Math.random() * 10);
    }
    while ((await openRuns()) > 0) await pause(20);
    return n;
  },
};
console.log(JSON.stringify((await deeds[what]()) ?? null));
await app.close();
