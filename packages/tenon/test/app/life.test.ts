import { expect, test } from "vitest";
import { createApp, memoryStore, defineTool, Agent, type RunEvent } from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { Desk, LookUp, SaveNote, Support, WaitLong, type Diary } from "./desk.js";

test("close gives running runs their grace, leaves the rest for recover, and takes no new ones", async () => {
  const store = memoryStore();
  const diary: Diary = { lines: [] };
  const app = await createApp(Support, { models: { default: scriptedModel(callTool(WaitLong)) }, store });
  const running = app.run({ prompt: "go" }, { runId: "run-00001", executionContext: diary });
  const left = expect(running).rejects.toMatchObject({ code: "app_closed", data: { runId: "run-00001" } });
  await expect.poll(() => diary.lines.length).toBe(1);
  await app.close({ graceMs: 20 });
  await left;
  await expect(app.run({ prompt: "more" })).rejects.toMatchObject({ code: "app_closed" });
  expect((await store.run("run-00001"))?.status).toBe("running");

  const model = scriptedModel(replyWith("over"));
  const withoutContext = await createApp(Support, { models: { default: model }, store });
  expect(await withoutContext.recover()).toMatchObject({
    continued: [],
    skipped: [{ runId: "run-00001", error: { code: "context_required" } }],
  });
  await expect(withoutContext.resume("run-00001")).rejects.toMatchObject({ code: "context_required" });
  expect(model.requests).toHaveLength(0);

  const again: Diary = { lines: [] };
  const seen: unknown[] = [];
  const next = await createApp(Support, {
    models: { default: model },
    store,
    restore: (run) => {
      seen.push(run);
      return { executionContext: again };
    },
  });
  const recovering = next.recover();
  await expect.poll(() => again.lines).toEqual(["wait_long started"]);
  await next.cancel("run-00001");
  expect(await recovering).toMatchObject({ continued: [{ runId: "run-00001", status: "cancelled" }], skipped: [] });
  expect(seen).toMatchObject([{ runId: "run-00001", agent: "desk", hadContext: true, toolNames: [] }]);
});

test("a run's own tools are needed again where another process resumes it", async () => {
  const store = memoryStore();
  const extra = defineTool({ name: "extra", description: "Extra.", run: () => "extra" });
  const first = await createApp(Support, {
    models: { default: scriptedModel(callTool(SaveNote, { title: "x" })) },
    store,
  });
  const paused = await first.agent(Desk).run({ prompt: "go", tools: [extra] });
  await first.close();
  const model = scriptedModel(callTool(extra), replyWith("done"));
  await using second = await createApp(Support, { models: { default: model }, store });
  const decision = { [paused.pauses[0]!.id]: { approved: true, by: "ann" } } as const;
  await expect(second.resume(paused.runId, decision)).rejects.toMatchObject({ code: "context_required" });
  expect(await second.pauses()).toHaveLength(1);
  expect(await second.resume(paused.runId, decision, { tools: [extra] })).toMatchObject({
    status: "completed",
    text: "done",
  });
});

test("decisions: the same twice is harmless, another one, an unknown one and an unclear one are refused", async () => {
  const model = scriptedModel(callTool(SaveNote, { title: "x" }), replyWith("done"));
  await using app = await createApp(Support, { models: { default: model } });
  const diary: Diary = { lines: [] };
  const paused = await app.run({ prompt: "go" }, { executionContext: diary });
  const id = paused.pauses[0]!.id;
  expect(id).toBe(`pause_call_${paused.runId}_1_1_1`);
  for (const bad of [
    {},
    { approved: true },
    { approved: "yes", by: "x" },
    { approved: false },
    { approved: true, by: "x", edit: "no patch" },
    null,
    "yes",
  ]) {
    await expect(app.resume(paused.runId, { [id]: bad as never })).rejects.toMatchObject({ code: "decision_refused" });
  }
  await expect(app.resume(paused.runId, { pause_of_nobody: { approved: true, by: "ann" } })).rejects.toMatchObject({
    code: "decision_refused",
  });
  await expect(
    app.resume(paused.runId, { [id]: { approved: true, by: "ann" }, pause_of_nobody: { approved: true, by: "ann" } }),
  ).rejects.toMatchObject({ code: "decision_refused" });
  expect(diary.lines).toEqual([]);
  expect(await app.resume(paused.runId)).toMatchObject({ status: "paused", pauses: [{ id }] });
  expect(await app.resume(paused.runId, { [id]: { approved: true, by: "ann" } })).toMatchObject({
    status: "completed",
  });
  expect(diary.lines).toEqual(["save_note x"]);
  await expect(app.resume(paused.runId, { [id]: { approved: false, reason: "no" } })).rejects.toMatchObject({
    code: "decision_refused",
  });
  expect(diary.lines).toEqual(["save_note x"]);
  await expect(app.resume("run-of-nobody", {})).rejects.toMatchObject({ code: "run_not_found" });
});

test("a denial: the tool does not run, and the model reads the reason", async () => {
  const model = scriptedModel(callTool(SaveNote, { title: "x" }), replyWith("all right"));
  await using app = await createApp(Support, { models: { default: model } });
  const diary: Diary = { lines: [] };
  const paused = await app.run({ prompt: "go" }, { executionContext: diary });
  expect(
    await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: false, reason: "not today" } }),
  ).toMatchObject({ status: "completed" });
  expect(diary.lines).toEqual([]);
  expect(JSON.stringify(model.requests[1])).toContain("save_note was not approved: not today");
});

test("events come in order, frozen and counted; a listener that throws is survived and counted", async () => {
  const events: RunEvent[] = [];
  const model = scriptedModel(callTool(LookUp, { q: "x" }), replyWith("done"));
  await using app = await createApp(Support, {
    models: { default: model },
    onEvent() {
      throw new Error("a bad listener");
    },
  });
  await app.run({ prompt: "go" }, { onEvent: (event) => void events.push(event) });
  expect(events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1])).toEqual([
    "run-start",
    "turn-start",
    "tool-input-delta",
    "tool-call",
    "usage",
    "tool-start",
    "tool-end",
    "turn-end",
    "turn-start",
    "text-delta",
    "usage",
    "turn-end",
    "run-end",
  ]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(Object.isFrozen(events[0])).toBe(true);
  expect((await app.health()).faults).toBe(events.length);
});

test("a resumed run says from which turn on it shows everything again", async () => {
  const events: RunEvent[] = [];
  const model = scriptedModel(callTool(LookUp, { q: "x" }), callTool(SaveNote, { title: "x" }), replyWith("done"));
  await using app = await createApp(Support, { models: { default: model } });
  const paused = await app.run({ prompt: "go" });
  await app.resume(
    paused.runId,
    { [paused.pauses[0]!.id]: { approved: true, by: "ann" } },
    { onEvent: (event) => void events.push(event) },
  );
  expect(events[0]).toMatchObject({ type: "run-resumed", turn: 2, seq: 1 });
  expect(events.filter(({ type }) => type === "tool-call")).toMatchObject([{ name: "save_note" }]);
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
});

test("executionContext is never stored", async () => {
  const store = memoryStore();
  const secret = { lines: [], token: "very secret" };
  await using app = await createApp(Support, {
    models: { default: scriptedModel(callTool(SaveNote, { title: "x" })) },
    store,
  });
  const paused = await app.run({ prompt: "go" }, { executionContext: secret });
  expect(
    JSON.stringify([await store.run(paused.runId), await store.records(paused.runId), await store.pauses({})]),
  ).not.toContain("very secret");
});

test("bad input at the door of run: nothing is stored", async () => {
  const store = memoryStore();
  await using app = await createApp(Support, { models: { default: scriptedModel() }, store });
  class Stranger {}
  Agent({ name: "stranger", description: "d" })(Stranger);
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const bad: [unknown, unknown][] = [
    [{ prompt: "" }, {}],
    [{ prompt: 5 }, {}],
    [undefined, {}],
    [{ prompt: "x", promt: "y" }, {}],
    [{ prompt: "x" }, { runId: "short" }],
    [{ prompt: "x" }, { threadId: "" }],
    [{ prompt: "x" }, { onBusy: "later" }],
    [{ prompt: "x" }, { metadata: cycle }],
    [{ prompt: "x" }, { metadata: [] }],
    [{ prompt: "x" }, { signal: {} }],
    [{ prompt: "x" }, { unknownOption: 1 }],
    [{ prompt: "x" }, { model: 5 }],
    [{ prompt: "x" }, { agent: Stranger }],
    [{ prompt: "x" }, { agent: "nobody" }],
    [{ prompt: "x" }, null],
  ];
  for (const [input, options] of bad)
    await expect(app.run(input as never, options as never), JSON.stringify(input)).rejects.toMatchObject({
      code: "bad_input",
    });
  expect(() => app.agent(Stranger)).toThrow(/no such agent/);
  await expect(app.run({ prompt: "x", tools: [undefined as never] })).rejects.toMatchObject({
    code: "unknown_agent_tool",
  });
  expect(await store.runs({})).toEqual([]);
});

test("a run that has ended is followed without its context; one that was left says that it is in the way", async () => {
  const store = memoryStore();
  const context: Diary = { lines: [] };
  const first = await createApp(Support, {
    models: { default: scriptedModel(replyWith("done"), callTool(WaitLong)) },
    store,
  });
  const ended = await first.run({ prompt: "go" }, { runId: "run-00001", executionContext: context });
  const left = first.run({ prompt: "wait" }, { threadId: "t", executionContext: context }).catch(() => {});
  await expect.poll(() => context.lines.length).toBe(1);
  await first.close({ graceMs: 0 });
  await left;

  await using second = await createApp(Support, { models: { default: scriptedModel() }, store });
  expect(await second.run({ prompt: "go" }, { runId: "run-00001" })).toEqual(ended);
  await expect(second.run({ prompt: "more" }, { threadId: "t" })).rejects.toMatchObject({
    code: "thread_busy",
    cause: { code: "context_required" },
  });
});

test("resume with the context that a run needs does not ask restore", async () => {
  const store = memoryStore();
  const first = await createApp(Support, {
    models: { default: scriptedModel(callTool(SaveNote, { title: "x" })) },
    store,
  });
  const paused = await first.run({ prompt: "go" }, { executionContext: { lines: [] } });
  await first.close();
  await using next = await createApp(Support, {
    models: { default: scriptedModel(replyWith("done")) },
    store,
    restore: () => Promise.reject(new Error("restore was asked")),
  });
  const diary: Diary = { lines: [] };
  const decision = { [paused.pauses[0]!.id]: { approved: true, by: "ann" } } as const;
  expect(await next.resume(paused.runId, decision, { executionContext: diary })).toMatchObject({ text: "done" });
  expect(diary.lines).toEqual(["save_note x"]);
});
