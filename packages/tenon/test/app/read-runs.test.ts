import { expect, test } from "vitest";
import { Agent, createApp, defineTool, memoryStore } from "../../src/doors/tenon/index.js";
import { Text } from "../../src/doors/dto/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { callTool, failWith, rawTurn, replyWith, scriptedModel, testWith } from "../../src/doors/testing/index.js";
import { Desk, LookUp, SaveNote, Support } from "./desk.js";

class Login {
  @Text() name!: string;
  @Text({ sensitive: true }) password!: string;
}
const logIn = defineTool({ name: "log_in", description: "Logs in.", input: Login, run: ({ name }) => `hello ${name}` });
const logInWrite = defineTool({
  name: "log_in_write",
  description: "Logs in, and writes that down.",
  input: Login,
  access: "write",
  run: ({ name }) => `wrote ${name}`,
});

@Agent({ name: "door", description: "Lets people in.", tools: [logIn, logInWrite] })
class Door {}

for (const [kind, store] of [
  ["memory", () => memoryStore()],
  ["sqlite", () => sqliteStore(":memory:")],
] as const) {
  test(`${kind}: runs come newest first, by thread and state, as plain rows`, async () => {
    const model = scriptedModel(
      replyWith("one"),
      callTool(SaveNote, { title: "x" }),
      failWith(new Error("out of order")),
    );
    await using app = await createApp(Support, { models: { default: model }, store: store() });
    const first = await app.run({ prompt: "first" }, { threadId: "a", owner: "ann", metadata: { ticket: 1 } });
    const second = await app.run({ prompt: "second" }, { threadId: "b" });
    const third = await app.run({ prompt: "third" }, { threadId: "a", owner: "ann" });
    const rows = await app.runs();
    expect(rows).toEqual([
      {
        id: third.runId,
        threadId: "a",
        status: "failed",
        agent: "desk",
        prompt: "third",
        createdAt: expect.any(Number),
        endedAt: expect.any(Number),
        stopReason: "error",
      },
      {
        id: second.runId,
        threadId: "b",
        status: "paused",
        agent: "desk",
        prompt: "second",
        createdAt: expect.any(Number),
        endedAt: undefined,
        stopReason: "pause",
      },
      expect.objectContaining({ id: first.runId, status: "completed", stopReason: "answer" }),
    ]);
    const ids = async (filter: Parameters<typeof app.runs>[0]): Promise<readonly string[]> =>
      (await app.runs(filter)).map(({ id }) => id);
    expect(await ids({ threadId: "a" })).toEqual([third.runId, first.runId]);
    expect(await ids({ status: "paused" })).toEqual([second.runId]);
    expect(await ids({ status: ["paused", "failed"], limit: 1 })).toEqual([third.runId]);
    expect(await ids({ threadId: "nobody's" })).toEqual([]);
  });

  test(`${kind}: a run that waits is told with its calls, its pause and what it used; then its end`, async () => {
    const model = scriptedModel(
      callTool(LookUp, { q: "tea" }),
      callTool(SaveNote, { title: "milk" }),
      replyWith("saved it"),
    );
    await using app = await createApp(Support, { models: { default: model }, store: store() });
    const paused = await app.run(
      { prompt: "go" },
      { owner: "ann", metadata: { ticket: 7 }, executionContext: { lines: ["secret of the caller"] } },
    );
    const waiting = await app.inspect(paused.runId);
    expect(waiting).toMatchObject({
      id: paused.runId,
      status: "paused",
      stopReason: "pause",
      owner: "ann",
      metadata: { ticket: 7 },
      text: "",
      error: undefined,
      usage: paused.usage,
      pauses: paused.pauses,
    });
    expect(waiting.turns).toMatchObject([
      { turn: 1, calls: [{ tool: "look_up", input: { q: "tea" }, result: { kind: "ok", value: { found: "tea" } } }] },
      { turn: 2, calls: [{ tool: "save_note", input: { title: "milk" }, result: undefined }] },
    ]);
    expect(JSON.stringify(waiting)).not.toContain("secret of the caller");

    const result = await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } });
    const ended = await app.inspect(paused.runId);
    expect(ended).toMatchObject({ status: "completed", text: "saved it", pauses: [], usage: result.usage });
    expect(ended.turns[1]!.calls[0]!.result).toEqual({ kind: "ok", value: "saved milk" });
    expect(ended.turns[2]).toMatchObject({ turn: 3, text: "saved it", calls: [] });
  });
}

test("what is given is a copy: changing it changes nothing that is stored", async () => {
  await using app = await createApp(Support, { models: { default: scriptedModel(replyWith("one")) } });
  const { runId } = await app.run({ prompt: "go" }, { metadata: { list: [1] } });
  const given = (await app.inspect(runId)) as unknown as { metadata: { list: number[] }; usage: { calls: unknown[] } };
  given.metadata.list.push(2);
  given.usage.calls.length = 0;
  expect(await app.inspect(runId)).toMatchObject({ metadata: { list: [1] }, usage: { calls: [{}] } });
});

test("sensitive values are masked, in a read, a write and a repaired input; arguments that do not fit are not shown", async () => {
  const secret = "tulip-42";
  const model = scriptedModel(
    callTool(logIn, { name: "ann", password: secret }),
    callTool(logInWrite, { name: "ann", password: secret }),
    rawTurn({
      calls: [{ name: "log_in", arguments: JSON.stringify(JSON.stringify({ name: "bob", password: secret })) }],
    }),
    rawTurn({ calls: [{ name: "log_in", arguments: `{"password":"${secret}"}` }] }),
    rawTurn({ calls: [{ name: "gone", arguments: `{"password":"${secret}"}` }] }),
    replyWith("in"),
  );
  await using app = await createApp(Door, { models: { default: model } });
  const { runId } = await app.run({ prompt: "let me in" });
  const { turns } = await app.inspect(runId);
  const masked = { name: "ann", password: "***" };
  expect(turns.flatMap(({ calls }) => calls)).toMatchObject([
    { input: masked, result: { kind: "ok", value: "hello ann" } },
    { input: masked, result: { kind: "ok", value: "wrote ann" } },
    { input: { name: "bob", password: "***" }, result: { kind: "ok" } },
    { input: undefined, result: { kind: "error", code: "invalid_input" } },
    { tool: "gone", input: undefined, result: { kind: "error", code: "unknown_tool" } },
  ]);
  expect(JSON.stringify(turns)).not.toContain(secret);
});

test("a failed run is told with its error, in the run and in its turn", async () => {
  await using app = await createApp(Support, {
    models: { default: scriptedModel(failWith(new Error("out of order"))) },
  });
  const { runId, error } = await app.run({ prompt: "go" });
  expect(await app.inspect(runId)).toMatchObject({
    status: "failed",
    error,
    turns: [{ turn: 1, finish: undefined, calls: [], error: { code: "model_error" } }],
  });
});

test("bad filters and ids are refused; a closed app reads nothing", async () => {
  const app = await createApp(Support, { models: { default: scriptedModel() } });
  for (const filter of [null, [], { limit: 0 }, { limit: 1.5 }, { threadId: "" }, { status: "done" }, { thread: "a" }])
    await expect(app.runs(filter as never)).rejects.toMatchObject({ code: "bad_input" });
  await expect(app.runs({ status: ["paused", "done"] as never })).rejects.toThrow(/status must be/);
  await expect(app.inspect("no-such-run")).rejects.toMatchObject({ code: "run_not_found" });
  await expect(app.inspect(7 as never)).rejects.toMatchObject({ code: "bad_input" });
  await app.close();
  await expect(app.runs()).rejects.toMatchObject({ code: "app_closed" });
  await expect(app.inspect("no-such-run")).rejects.toMatchObject({ code: "app_closed" });
});

test("models are asked only where that is wanted, each once", async () => {
  const well = scriptedModel(replyWith("ok"));
  await using app = await createApp(Support, { models: { default: well } });
  expect((await app.health()).models).toBeUndefined();
  expect(well.requests).toHaveLength(0);
  const [asked, ...others] = (await app.health({ models: true })).models!;
  expect(others).toEqual([]);
  expect(asked).toMatchObject({ ok: true, error: undefined });
  expect(well.requests).toHaveLength(1);
  expect(await app.runs()).toEqual([]);
  await expect(app.health({ model: true } as never)).rejects.toThrow(/did you mean `models`/);

  await using ill = await createApp(Support, {
    models: { default: scriptedModel(failWith(new Error("out of order"))) },
  });
  expect((await ill.health({ models: true })).models).toMatchObject([{ ok: false, error: { code: "model_error" } }]);
  const stopped = await ill.health({ models: true, signal: AbortSignal.abort() });
  expect(stopped.models).toMatchObject([{ ok: false }]);
});

testWith(Support)("the app of a test reads its runs too", async ({ app, mockLlm }) => {
  mockLlm(Desk).thenReturn(replyWith("hello"));
  const { runId } = await app.run({ prompt: "go" });
  expect(await app.runs({ status: "completed" })).toMatchObject([{ id: runId }]);
  expect(await app.inspect(runId)).toMatchObject({ text: "hello" });
});
