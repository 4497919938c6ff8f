// The tools of `random-kills-child.mjs`, one for each way to say what a crash means.
import { defineTool } from "tenon";
import { Int } from "tenon/dto";
import { fault, lines, mayGoOn, note, once, pause, wasDone } from "./random-kills-world.mjs";

/** The run of a call, by its id. */
export const runOf = (callId) => /^call_(.+)_\d+_\d+$/.exec(callId)[1];

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
export const tools = [
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
        return { outcome: mayGoOn(runOf(callId), "known", callId) ? "unknown" : "not-done" };
      },
    },
    effect("known"),
  ),
  tool("keyed", { access: "write", inDoubt: "rerun" }, async (ctx, _n, first) => {
    await once("keyed", ctx.callId);
    dieOf("keyed", first);
    return `keyed ${ctx.callId}`;
  }),
  tool("quiz", {}, async (ctx) => [await ctx.pause("One?"), await ctx.pause("Two?")]),
  tool("job", { access: "write", inDoubt: "rerun", durable: true }, async (ctx) => {
    await ctx.step("one", () => once("job", `${ctx.callId}/one`));
    const answer = await ctx.pause("Go on?");
    await ctx.step("two", () => once("job", `${ctx.callId}/two`));
    return answer;
  }),
];
