// A process whose handlers hang, ignore their signal, or end long before their timeout. It closes nothing and must end by itself.
import { Agent, createApp, defineTool } from "tenon";
import { callTool, replyWith, scriptedModel } from "tenon/testing";

process.on("unhandledRejection", (error) => {
  console.error("unhandled", error);
});

async function runWith(name, timeoutMs, run) {
  const tool = defineTool({ name, description: "Is slow.", timeoutMs, run });
  class Clerk {}
  Agent({ name: "clerk", description: "A clerk.", tools: [tool] })(Clerk);
  const app = await createApp(Clerk, {
    models: { default: scriptedModel(callTool(tool), replyWith("done")) },
    env: {},
  });
  return (await app.run({ prompt: "go" })).status;
}

let signal;
const hung = await runWith("hung", 50, (_input, ctx) => {
  signal = ctx.signal;
  return new Promise(() => {});
});
console.log(`hung ${hung} ${signal.aborted ? "aborted" : "not aborted"}`);
console.log(`ignored ${await runWith("ignored", 50, () => new Promise((resolve) => setTimeout(resolve, 200)))}`);
console.log(`quick ${await runWith("quick", 2 ** 31 - 1, async () => "quick")}`);
console.log("all runs ended");
