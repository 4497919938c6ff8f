import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { Agent, createApp, defineWorkflow, ModelError, Workflow, usd } from "../../src/doors/tenon/index.js";
import { callTool, failWith, rawTurn, replyWith, scriptedModel, ScriptError } from "../../src/doors/testing/index.js";
import { ListAll } from "./desk.js";

@Agent({ name: "lister", description: "Lists.", prompt: "You list.", tools: [ListAll] })
class Lister {}

test("requests are what was sent, in order, in the provider's form", async () => {
  const model = scriptedModel(callTool(ListAll), replyWith("There it is."), replyWith("Again."));
  await using app = await createApp(Lister, { models: { default: model }, env: {} });
  const { threadId } = await app.run({ prompt: "List." });
  await app.run({ prompt: "Once more." }, { threadId });
  expect(model.requests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
    ["system", "user"],
    ["system", "user", "assistant", "tool"],
    ["system", "user", "assistant", "tool", "assistant", "user"],
  ]);
  expect(model.requests[1]!.messages.slice(2)).toEqual([
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "step_1_1", toolName: "list_all", input: {} }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "step_1_1",
          toolName: "list_all",
          output: { type: "text", value: "all of it" },
        },
      ],
    },
  ]);
  expect(model.requests[0]!.tools).toMatchObject([
    { name: "list_all", description: "Lists everything.", inputSchema: { type: "object" } },
  ]);
});

test("requests are frozen copies: neither a later request nor the caller changes them", async () => {
  const model = scriptedModel(replyWith("a"), replyWith("b"));
  const content = [{ type: "text", text: "hi" }];
  const prompt = [{ role: "user", content }];
  await model.doGenerate({ prompt, tools: [{ name: "f" }] });
  content[0]!.text = "changed";
  prompt.length = 0;
  expect(model.requests).toEqual([
    { messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }], tools: [{ name: "f" }] },
  ]);
  const { messages, tools } = model.requests[0]!;
  for (const part of [
    model.requests,
    model.requests[0],
    messages,
    messages[0],
    messages[0]!.content,
    messages[0]!.content[0],
    tools,
    tools[0],
  ])
    expect(Object.isFrozen(part)).toBe(true);
});

test("an unexpected request fails the run with the request's number and the user's last words", async () => {
  const model = scriptedModel(callTool(ListAll));
  await using app = await createApp(Lister, { models: { default: model }, env: {} });
  for (const onEvent of [undefined, () => {}]) {
    const result = await app.run({ prompt: `List "it". ${"x".repeat(300)}` }, { onEvent });
    expect(result.status).toBe("failed");
    expect(ScriptError.is(result.error)).toBe(true);
    expect(result.error).toMatchObject({
      code: "script_error",
      data: { model: "scripted", request: model.requests.length },
    });
    expect(result.error!.message).toMatch(
      `has no step for its request ${model.requests.length}: the last user text is "List \\"it\\". xxx`,
    );
    expect(result.error!.message.length).toBeLessThan(500);
  }
  expect(model.requests).toHaveLength(3);
});

test("failWith reaches the run as the provider's failure, and the thread can go on", async () => {
  const model = scriptedModel(failWith(Object.assign(new Error("overloaded"), { statusCode: 529 })), replyWith("Now."));
  const workflow = defineWorkflow({ name: "once", agents: [Lister], defaults: { modelCall: { retries: 0 } } });
  await using app = await createApp(workflow, { models: { default: model }, env: {} });
  const failed = await app.run({ prompt: "List." });
  expect(failed).toMatchObject({ status: "failed", error: { code: "model_error", data: { status: 529 } } });
  expect(ModelError.is(failed.error)).toBe(true);
  expect(failed.error!.message).toContain("overloaded");
  expect(await app.run({ prompt: "Again." }, { threadId: failed.threadId })).toMatchObject({
    status: "completed",
    text: "Now.",
  });
});

test("it is free, so that a run with a money limit may use it, until a step reports a cost", async () => {
  @Workflow({ name: "thrifty", agents: [Lister], limits: { perRun: { cost: usd(0.5) } } })
  class Thrifty {}
  const model = scriptedModel(replyWith("free"), rawTurn({ calls: [callTool(ListAll)], usage: { costUsd: 0.6 } }));
  await using app = await createApp(Thrifty, { models: { default: model }, env: {} });
  expect((await app.run({ prompt: "a" })).usage).toMatchObject({
    costUsd: 0,
    calls: [{ costSource: "free", estimated: false }],
  });
  expect(await app.run({ prompt: "b" })).toMatchObject({
    status: "failed",
    stopReason: "budget",
    usage: { costUsd: 0.6, calls: [{ costSource: "api" }] },
  });
});

test("a turn without usage is estimated, and says so", async () => {
  const model = scriptedModel(rawTurn({ text: "four by four.", usage: null }));
  await using app = await createApp(Lister, { models: { default: model }, env: {} });
  expect((await app.run({ prompt: "a" })).usage.calls).toMatchObject([{ estimated: true }]);
});

test("remaining holds the steps that no request used; thenReturn adds to the end and gives the model", async () => {
  const model = scriptedModel(replyWith("a"));
  expect(model.thenReturn(callTool(ListAll), replyWith("c"))).toBe(model);
  const options = { prompt: [] };
  expect((await model.doGenerate(options)).content).toEqual([{ type: "text", text: "a" }]);
  expect(model.remaining.map(({ label }) => label)).toEqual(["callTool(list_all)", "replyWith"]);
});

test("a script takes steps only, and a bad list is not taken in part", () => {
  const model = scriptedModel();
  expect(() => model.thenReturn(replyWith("a"), "b" as never)).toThrow(/number 2 is "b"/);
  expect(() => scriptedModel({ kind: "turn" } as never)).toThrow(/number 1 is an object/);
  expect(model.remaining).toEqual([]);
});

test("a request that is stopped before it starts uses no step", async () => {
  const model = scriptedModel(replyWith("a"));
  await expect(model.doGenerate({ prompt: [], abortSignal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(
    "stop",
  );
  await expect(model.doStream({ prompt: [], abortSignal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(
    "stop",
  );
  expect(model.requests).toEqual([]);
  expect(model.remaining).toHaveLength(1);
});

test("the module of the scripted model loads no test runner", async () => {
  const script = `
    import { registerHooks } from "node:module";
    registerHooks({ resolve(specifier, context, next) {
      if (specifier.startsWith("vitest")) throw new Error("loads " + specifier);
      return next(specifier, context);
    } });
    const { scriptedModel } = await import(process.argv[1] + "scripted-model.mjs");
    for (const name of ["reply-with", "call-tool", "fail-with", "raw-turn"]) await import(process.argv[1] + name + ".mjs");
    const { replyWith } = await import(process.argv[1] + "reply-with.mjs");
    console.log(JSON.stringify((await scriptedModel(replyWith("hi")).doGenerate({ prompt: [] })).content));`;
  const scratch = resolve(import.meta.dirname, "../../../../.scratch");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "scripted-model-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await build({
    entryPoints: ["scripted-model", "reply-with", "call-tool", "fail-with", "raw-turn"].map((name) => `${name}.ts`),
    absWorkingDir: join(import.meta.dirname, "../../src/testing"),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  const { href } = pathToFileURL(`${folder}/`);
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script, href]);
  expect(JSON.parse(stdout)).toEqual([{ type: "text", text: "hi" }]);
});
