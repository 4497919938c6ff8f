// One process of several on one SQLite file. Arguments: folder, what to do, run id.
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { Agent, createApp, defineTool } from "tenon";
import { sqliteStore } from "tenon/sqlite";

const [folder, what, runId, threadId] = process.argv.slice(2);
const note = (line) => appendFileSync(join(folder, "effects.txt"), `${line}\n`);

const pay = defineTool({
  name: "pay",
  description: "Pays.",
  access: "write",
  approval: true,
  run: (_input, ctx) => (note(`pay ${ctx.callId}`), "paid"),
});
const slow = defineTool({
  name: "slow",
  description: "Is slow.",
  run: (_input, ctx) =>
    new Promise((resolve) => {
      note(`slow ${process.pid}`);
      if (what === "run-stop") {
        // Frozen in the middle of its own code: its result is there before any timer has fired.
        process.kill(process.pid, "SIGSTOP");
        return resolve("slept");
      }
      if (what === "recover-hold") {
        const look = () => (existsSync(join(folder, "go")) ? resolve("held") : setTimeout(look, 20));
        return look();
      }
      ctx.signal.addEventListener("abort", () => {
        note(`aborted ${ctx.signal.reason.message}`);
        resolve("stopped");
      });
      if (what !== "run-slow" && what !== "run-say") setTimeout(() => resolve("slept"), 300);
    }),
});
const listen = defineTool({
  name: "listen",
  description: "Waits until it is stopped.",
  run: (_input, ctx) =>
    new Promise((resolve) => {
      if (what === "recover-hold") return resolve("heard");
      ctx.signal.addEventListener("abort", () => note(`aborted ${ctx.signal.reason.message}`));
    }),
});

const model = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "test",
  async doGenerate({ prompt }) {
    const asked = prompt.findLast(({ role }) => role === "user").content[0].text;
    const answered = prompt.at(-1).role === "tool";
    note(`model ${asked} after ${prompt.filter(({ role }) => role === "user").length - 1}`);
    const content = answered
      ? [{ type: "text", text: `done ${asked}` }]
      : asked === "pay" || asked === "slow"
        ? [{ type: "tool-call", toolCallId: "a", toolName: asked, input: "{}" }]
        : asked === "both"
          ? ["listen", "slow"].map((toolName) => ({ type: "tool-call", toolCallId: toolName, toolName, input: "{}" }))
          : [{ type: "text", text: `said ${asked}` }];
    return {
      content,
      finishReason: { unified: "stop" },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    };
  },
  async doStream() {
    throw new Error("nobody listens");
  },
};

class Clerk {}
Agent({ name: "clerk", description: "A clerk.", tools: [pay, slow, listen] })(Clerk);
const app = await createApp(Clerk, {
  store: sqliteStore(join(folder, "tenon.db")),
  models: { default: model },
  leaseMs: 600,
});

const tell = (result) => console.log(JSON.stringify(result));
const failed = ({ code, message }) => ({ code, message });
switch (what) {
  case "run-slow":
  case "run-slow-short":
    tell(await app.run({ prompt: "slow" }, { runId, threadId }).catch(failed));
    break;
  case "run-stop":
    tell(await app.run({ prompt: "both" }, { runId, threadId }).catch(failed));
    break;
  case "run-pay":
    tell(await app.run({ prompt: "pay" }, { runId, threadId }).catch(failed));
    break;
  case "run-say":
    tell(await app.run({ prompt: runId }, { runId, threadId }).catch(failed));
    break;
  case "approve": {
    const pauses = await app.pauses({ runId });
    tell(
      await app
        .resume(runId, { [pauses[0]?.id ?? `pause_call_${runId}_1_1_1`]: { approved: true, by: "ann" } })
        .catch(failed),
    );
    break;
  }
  case "cancel":
    tell(await app.cancel(runId).catch(failed));
    break;
  case "recover":
    tell(await app.recover());
    break;
  case "recover-hold": {
    let continued = [];
    while (continued.length === 0) ({ continued } = await app.recover());
    tell(continued[0]);
    break;
  }
}
await app.close();
