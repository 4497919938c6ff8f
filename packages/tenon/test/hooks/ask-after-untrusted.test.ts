import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createApp, defineAgent, defineTool, memoryStore, type CallHook, type RunResult } from "tenon";
import { askAfterUntrusted } from "tenon/hooks";
import { sqliteStore } from "tenon/sqlite";
import { callTool, callTools, crashEverywhere, rawCall, replyWith, scriptedModel, type ModelStep } from "tenon/testing";
import { deskWith } from "../recovery/crash-desk.js";
import { appWith, look, Pay, Payment, web } from "./desk.js";

const question = (result: RunResult): readonly string[] => result.pauses.map((pause) => pause.question);
const asks = "Run pay? The model has read text from outside, which may have led it here (web).";
const hooks = [askAfterUntrusted()];

test.each(["agent", "app"])(
  "on the %s: a write after text from outside waits for a person; reads go on",
  async (where) => {
    const steps = [
      callTool(Pay, { to: "ann" }),
      callTool(web, { to: "x" }),
      callTool(look, { to: "y" }),
      callTool(Pay, { to: "mallory" }),
      replyWith("done"),
    ];
    const model = scriptedModel(...steps);
    await using app = await appWith(
      [Pay, look, web],
      model,
      where === "agent" ? { hooks } : {},
      where === "app" ? { hooks } : {},
    );
    const did: string[] = [];
    const asked = await app.run({ prompt: "go" }, { executionContext: { did } });
    expect(question(asked)).toEqual([asks]);
    expect(did).toEqual(["pay ann", "look y"]);
    const denied = await app.resume(asked.runId, { [asked.pauses[0]!.id]: { approved: false, reason: "no" } });
    expect(denied.status).toBe("completed");
    expect(did).toEqual(["pay ann", "look y"]);
  },
);

test("the same turn: the write was asked for before the text came; the next turn asks, and each write anew", async () => {
  const both = callTools([
    [web, { to: "x" }],
    [Pay, { to: "ann" }],
  ]);
  const next = callTools([
    [Pay, { to: "b" }],
    [Pay, { to: "c" }],
  ]);
  const model = scriptedModel(both, next, callTool(Pay, { to: "d" }), replyWith("done"));
  await using app = await appWith([Pay, web], model, { hooks });
  const did: string[] = [];
  const asked = await app.run({ prompt: "go" }, { executionContext: { did } });
  expect(did).toEqual(["pay ann"]);
  expect(question(asked)).toEqual([asks, asks]);
  const yes = { approved: true, by: "ann" } as const;
  const again = await app.resume(asked.runId, Object.fromEntries(asked.pauses.map(({ id }) => [id, yes])));
  expect(question(again)).toEqual([asks]);
  expect(did).toEqual(["pay ann", "pay b", "pay c"]);
  const end = await app.resume(again.runId, { [again.pauses[0]!.id]: { ...yes, edit: { to: "e" } } });
  expect(end.status).toBe("completed");
  expect(did.at(-1)).toBe("pay e");
});

test("the error of such a tool counts; a call that never ran does not", async () => {
  const broken = defineTool({
    name: "broken",
    description: "Breaks.",
    source: "untrusted",
    run: () => {
      throw new Error("pay mallory");
    },
  });
  const never: CallHook = {
    onBeforeCall: (_ctx, { toolName }) => (toolName === "web" ? { action: "deny", reason: "no" } : undefined),
  };
  const bad = rawCall({ id: "1", name: "web", arguments: "{}" });
  const model = scriptedModel(
    bad,
    callTool(web, { to: "x" }),
    callTool(Pay, { to: "a" }),
    callTool(broken),
    callTool(Pay, { to: "b" }),
  );
  await using app = await appWith([Pay, web, broken], model, { hooks: [...hooks, never] });
  const did: string[] = [];
  const asked = await app.run({ prompt: "go" }, { executionContext: { did } });
  expect(did).toEqual(["pay a"]);
  expect(question(asked)).toEqual([asks.replace("web", "broken")]);
});

test("the question names three tools, and a tool's own question counts before it", async () => {
  const tools = ["w1", "w2", "w3", "w4", "w5"].map((name) =>
    defineTool({ name, description: "d", source: "untrusted", run: () => name }),
  );
  const wire = defineTool({
    name: "wire",
    description: "d",
    access: "write",
    approval: () => "Wire it?",
    run: () => 1,
  });
  const model = scriptedModel(
    callTools(tools.map((tool) => [tool, {}]) as never),
    callTools([
      [Pay, { to: "a" }],
      [wire, {}],
    ]),
  );
  await using app = await appWith([Pay, wire, ...tools], model, { hooks });
  expect(question(await app.run({ prompt: "go" }))).toEqual([asks.replace("web", "w1, w2, w3 and 2 more"), "Wire it?"]);
});

test("hooks hear of it before and after, and the model is told nothing", async () => {
  const heard: unknown[] = [];
  const hook: CallHook = {
    onBeforeCall: (_ctx, { toolName, untrusted, untrustedTools, edited }) =>
      void heard.push([toolName, untrusted, untrustedTools, edited]),
    onAfterCall: (_ctx, { toolName, untrusted, untrustedTools }) =>
      void heard.push([toolName, untrusted, untrustedTools]),
  };
  const model = scriptedModel(
    callTool(web, { to: "x" }),
    rawCall({ id: "2", name: "functions.web", arguments: '{"to":"y"}' }),
    callTool(look, { to: "z" }),
    replyWith("done"),
  );
  await using app = await appWith([look, web], model, { hooks: [hook] });
  await app.run({ prompt: "go" });
  expect(heard).toEqual([
    ["web", false, [], false],
    ["web", false, []],
    ["web", true, ["web"], false],
    ["web", true, ["web"]],
    ["look", true, ["web"], false],
    ["look", true, ["web"]],
  ]);
  expect(JSON.stringify(model.requests)).not.toContain("untrusted");
});

test("it holds for the next runs of the thread, in another process, for another agent without the tool, as long as the model is shown it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-hooks-"));
  try {
    const path = join(folder, "runs.db");
    const Reader = defineAgent({ name: "reader", description: "Reads.", tools: [web] });
    const Payer = defineAgent({ name: "payer", description: "Pays.", tools: [Pay], hooks, history: { turns: 2 } });
    const open = async (agent: typeof Reader | typeof Payer, ...steps: readonly ModelStep[]) =>
      createApp(agent, { store: sqliteStore(path), models: { default: scriptedModel(...steps) }, env: {} });
    const inThread = { threadId: "thread" };
    await using reader = await open(Reader, callTool(web, { to: "x" }), replyWith("read"));
    await reader.run({ prompt: "read" }, inThread);
    await reader.close();

    let asked: RunResult;
    {
      await using payer = await open(
        Payer,
        callTool(Pay, { to: "ann" }),
        callTool(Pay, { to: "ann" }),
        replyWith("paid"),
      );
      asked = await payer.run({ prompt: "pay" }, inThread);
      expect(question(asked)).toEqual([asks]);
      expect((await payer.run({ prompt: "pay" }, { threadId: "other" })).status).toBe("completed");
    }
    await using later = await open(
      Payer,
      replyWith("paid"),
      replyWith("hello"),
      callTool(Pay, { to: "bob" }),
      replyWith("paid"),
    );
    const yes = { [asked.pauses[0]!.id]: { approved: true, by: "ann" } as const };
    expect((await later.resume(asked.runId, yes)).text).toBe("paid");
    await later.run({ prompt: "hi" }, inThread);
    // The run that read it left the window of two runs.
    expect((await later.run({ prompt: "pay" }, inThread)).status).toBe("completed");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("whenever the process ends, the same writes are asked about", async () => {
  let pauses: string[] = [];
  await crashEverywhere({
    app: (world) => {
      const pay = defineTool({
        name: "pay",
        description: "Pays.",
        input: Payment,
        access: "write",
        run: ({ to }, ctx) => world.effect("pay", ctx.callId, () => to),
      });
      const steps = [
        callTools([
          [web, { to: "x" }],
          [pay, { to: "a" }],
        ]),
        callTool(pay, { to: "b" }),
        replyWith("done"),
      ];
      return deskWith(world, [web, pay], steps, { hooks });
    },
    drive: (app) => app.run({ prompt: "go" }, { runId: "crash-run", threadId: "t" }),
    decide: (pause) => {
      if (pause.kind !== "approval") return undefined;
      pauses = [...pauses, pause.question];
      return { approved: false, reason: "no" };
    },
    compare: (end, undisturbed) => {
      expect(end).toEqual(undisturbed);
      expect(end.effects.map(({ value }) => value)).toEqual(["a"]);
      expect(new Set(pauses)).toEqual(new Set([asks]));
    },
  });
});

test("outside a run nothing is asked", async () => {
  await using app = await appWith([Pay, web], scriptedModel(), { hooks }, { hooks, store: memoryStore() });
  await app.tool(web).invoke({ to: "x" });
  expect(await app.tool(Pay).invoke({ to: "ann" })).toEqual({ kind: "ok", value: "paid ann" });
});

test("`source` is shown by describe, and checked", async () => {
  await using app = await appWith([look, web], scriptedModel());
  expect(app.describe().agents[0]!.tools.map(({ name, source }) => [name, source])).toEqual([
    ["look", "trusted"],
    ["web", "untrusted"],
  ]);
  const bad = defineTool({ name: "bad", description: "d", source: "outside" as never, run: () => 1 });
  await expect(appWith([bad], scriptedModel())).rejects.toThrow('source must be "trusted" or "untrusted"');
});
