import { expect, test, vi } from "vitest";
import { Agent, createApp, defineTool, memoryStore, type RunEvent, type Store } from "../../src/doors/tenon/index.js";
import { createAppWith } from "../../src/app/create-app.js";
import { systemClock } from "../../src/util/clock.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { callTool, callTools, rawTurn, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { LookUp, SaveNote, Support } from "./desk.js";

const yes = { approved: true, by: "ann" } as const;

async function all(events: AsyncIterable<RunEvent>, into: RunEvent[] = []): Promise<readonly RunEvent[]> {
  for await (const event of events) into.push(event);
  return into;
}

const types = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);

/** `seq` rises within an activation, and an activation that is over does not come back. */
function expectCounted(events: readonly RunEvent[]): void {
  const before: string[] = [];
  let last: RunEvent | undefined;
  for (const event of events) {
    if (last !== undefined && event.activation === last.activation) expect(event.seq).toBe(last.seq + 1);
    else {
      expect(before).not.toContain(event.activation);
      before.push(event.activation);
    }
    last = event;
    expect(Object.isFrozen(event)).toBe(true);
    expect(event.at).toBeGreaterThan(0);
  }
}

/** A tool that holds until it is let go. */
function gated() {
  let open = (): void => {};
  let started = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const running = new Promise<void>((resolve) => (started = resolve));
  const tool = defineTool({
    name: "hold",
    description: "Holds.",
    run: async () => {
      started();
      await gate;
      return "held";
    },
  });
  return { tool, open: () => open(), running };
}

test("a run that has ended is told from its journal, once and in order", async () => {
  const model = scriptedModel(
    rawTurn({ text: "let me see", reasoning: "hm", calls: [{ name: "look_up", arguments: '{"q":"tea"}' }] }),
    replyWith("found it"),
  );
  await using app = await createApp(Support, { models: { default: model } });
  const { runId, usage } = await app.run({ prompt: "go" });
  const events = await all(app.watch(runId));
  expect(types(events)).toEqual([
    "run-start",
    "turn-start",
    "reasoning-delta",
    "text-delta",
    "tool-call",
    "usage",
    "tool-end",
    "turn-end",
    "turn-start",
    "text-delta",
    "usage",
    "turn-end",
    "run-end",
  ]);
  expectCounted(events);
  expect(events[0]).toMatchObject({ runId, agent: "desk", prompt: "go", activation: expect.stringMatching(/./) });
  expect(events[6]).toMatchObject({ name: "look_up", result: { kind: "ok", value: { found: "tea" } } });
  expect(events.at(-1)).toMatchObject({ status: "completed", stopReason: "answer", text: "found it", usage });
});

test("a run that waits is told up to its pause, and ends there; answered ones are not told again", async () => {
  const model = scriptedModel(
    callTools([
      [SaveNote, { title: "a" }],
      [SaveNote, { title: "b" }],
    ]),
    replyWith("done"),
  );
  await using app = await createApp(Support, { models: { default: model } });
  const paused = await app.run({ prompt: "go" });
  const first = await all(app.watch(paused.runId));
  expect(types(first)).toEqual([
    "run-start",
    "turn-start",
    "tool-call",
    "tool-call",
    "usage",
    "approval-request",
    "approval-request",
    "run-end",
  ]);
  expect(first[5]).toMatchObject({ pause: paused.pauses[0] });
  expect(first.at(-1)).toMatchObject({ status: "paused", stopReason: "pause", usage: paused.usage });
  await app.resume(paused.runId, { [paused.pauses[0]!.id]: yes });
  const second = await all(app.watch(paused.runId));
  expect(types(second).filter((type) => type === "approval-request")).toHaveLength(1);
  expect(types(second)).toContain("tool-end");
  expectCounted(second);
});

test("where the run is active here, starts, progress and deltas are told as they come, and the rest once", async () => {
  const { tool, open, running } = gated();
  const talks = defineTool({
    name: "talk",
    description: "Talks.",
    run: (_input, ctx) => {
      ctx.progress({ done: 1 });
      return "said";
    },
  });
  @Agent({ name: "clerk", description: "d", tools: [tool, talks] })
  class Clerk {}
  const model = scriptedModel(callTool(tool), callTool(talks), replyWith("the end"));
  await using app = await createApp(Clerk, { models: { default: model } });
  const result = app.run({ prompt: "go" }, { runId: "run-00001" });
  await running;
  const events: RunEvent[] = [];
  const watching = all(app.watch("run-00001"), events);
  // Nobody listened to the first turn: the journal tells of it while the tool still runs.
  await expect.poll(() => types(events)).toEqual(["run-start", "turn-start", "tool-call", "usage"]);
  open();
  await watching;
  expect(
    types(events)
      .slice(4)
      .filter((type) => type !== "text-delta" && type !== "tool-input-delta"),
  ).toEqual([
    "tool-end",
    "turn-end",
    "turn-start",
    "tool-call",
    "usage",
    "tool-start",
    "tool-progress",
    "tool-end",
    "turn-end",
    "turn-start",
    "usage",
    "turn-end",
    "run-end",
  ]);
  expect(textOf(events)).toBe("the end");
  expectCounted(events);
  expect(new Set(events.map(({ activation }) => activation)).size).toBe(1);
  expect((await result).status).toBe("completed");
});

function textOf(events: readonly RunEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}

/** A store that takes its time: every answer is a promise, and some come later than others. */
function late(): Store {
  const store = memoryStore();
  let asked = 0;
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function" || name === "close") return member;
      return async (...args: unknown[]) => {
        if (asked++ % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
        return (member as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

test.each([
  ["a store that answers at once", () => memoryStore()],
  ["a store that takes its time", late],
  ["SQLite", () => sqliteStore(":memory:")],
])("whenever a watcher comes, it hears the same of a run, with %s: nothing twice, nothing lost", async (_, store) => {
  const told: (readonly RunEvent[])[] = [];
  const model = scriptedModel(
    callTools([
      [LookUp, { q: "a" }],
      [LookUp, { q: "b" }],
    ]),
    callTool(LookUp, { q: "c" }),
    replyWith("one two three"),
  );
  const watching: Promise<unknown>[] = [];
  await using app = await createApp(Support, {
    models: { default: model },
    store: store(),
    onEvent: ({ runId }) => void watching.push(all(app.watch(runId)).then((events) => void told.push(events))),
  });
  await app.run({ prompt: "go" });
  await Promise.all(watching);
  const recorded = ["run-start", "turn-start", "tool-call", "usage", "tool-end", "turn-end", "run-end"];
  const shown = (events: readonly RunEvent[]): unknown =>
    events.filter(({ type }) => recorded.includes(type)).map((e) => [e.type, "callId" in e ? e.callId : ""]);
  expect(told.length).toBeGreaterThan(15);
  const journal = await all(app.watch(told[0]![0]!.runId));
  for (const events of told) {
    expect(textOf(events)).toBe("one two three");
    expect(shown(events)).toEqual(shown(journal));
    expectCounted(events);
  }
});

test("a run of another process is followed through its journal, without deltas of its own", async () => {
  const { tool, open, running } = gated();
  @Agent({ name: "clerk", description: "d", tools: [tool] })
  class Clerk {}
  const store = memoryStore();
  const there = await createApp(Clerk, {
    models: { default: scriptedModel(callTool(tool), replyWith("over")) },
    store,
  });
  await using here = await createApp(Clerk, { models: { default: scriptedModel() }, store });
  const result = there.run({ prompt: "go" }, { runId: "run-00001" });
  await running;
  const events: RunEvent[] = [];
  const watching = all(here.watch("run-00001"), events);
  await expect.poll(() => types(events)).toEqual(["run-start", "turn-start", "tool-call", "usage"]);
  open();
  await watching;
  expect(types(events).slice(4)).toEqual([
    "tool-end",
    "turn-end",
    "turn-start",
    "text-delta",
    "usage",
    "turn-end",
    "run-end",
  ]);
  expectCounted(events);
  expect((await result).text).toBe("over");
  await there.close();
});

test("an answered run is followed from the answer on: what its turn told is void, and told again", async () => {
  const store = memoryStore();
  const model = scriptedModel(callTool(SaveNote, { title: "x" }), replyWith("saved"));
  await using app = await createApp(Support, { models: { default: model }, store });
  const paused = await app.run({ prompt: "go" });
  await app.decide(paused.runId, { [paused.pauses[0]!.id]: yes });
  const events: RunEvent[] = [];
  const watching = all(app.watch(paused.runId), events);
  await expect.poll(() => types(events)).toEqual(["run-start", "turn-start", "tool-call", "usage"]);
  await app.recover();
  await watching;
  expect(
    types(events)
      .slice(4)
      .filter((type) => type !== "text-delta"),
  ).toEqual([
    "run-resumed",
    "turn-start",
    "tool-call",
    "usage",
    "tool-start",
    "tool-end",
    "turn-end",
    "turn-start",
    "usage",
    "turn-end",
    "run-end",
  ]);
  expect(textOf(events)).toBe("saved");
  expect(events[4]).toMatchObject({ turn: 1, seq: 1 });
  expectCounted(events);
});

test("what streamed by is void where another process takes the run over, and the answer is told whole", async () => {
  const store = memoryStore();
  let streamed = (): void => {};
  const halfway = new Promise<void>((resolve) => (streamed = resolve));
  const never = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "half",
    supportedUrls: {},
    doGenerate: () => new Promise<never>(() => {}),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          controller.enqueue({ type: "text-start", id: "1" });
          controller.enqueue({ type: "text-delta", id: "1", delta: "half an" });
        },
      }),
    }),
  };
  const events: RunEvent[] = [];
  let watching: Promise<unknown> | undefined;
  const first = await createApp(Support, {
    models: { default: never as never },
    store,
    onEvent: ({ type, runId }) => {
      if (type === "run-start") watching = all(first.watch(runId), events);
      if (type === "text-delta") streamed();
    },
  });
  const lost = first.run({ prompt: "go" }, { runId: "run-00001" }).catch(() => {});
  await using second = await createApp(Support, {
    models: { default: scriptedModel(replyWith("a whole answer")) },
    store,
  });
  await halfway;
  await expect.poll(() => textOf(events)).toBe("half an");
  // Another process takes it over.
  const row = (await store.run("run-00001"))!;
  store.release(row.id, row.epoch);
  await second.recover();
  await watching;
  expect(types(events)).toEqual([
    "run-start",
    "turn-start",
    "text-delta",
    "run-resumed",
    "turn-start",
    "text-delta",
    "usage",
    "turn-end",
    "run-end",
  ]);
  expect(textOf(events.slice(3))).toBe("a whole answer");
  expectCounted(events);
  expect(events.at(-1)).toMatchObject({ type: "run-end", text: "a whole answer" });
  await first.close({ graceMs: 0 });
  await lost;
});

test("a slow reader loses no text, and the run does not wait for it", async () => {
  const words = Array.from({ length: 3_000 }, (_, at) => `w${at} `);
  const model = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "wordy",
    supportedUrls: {},
    doGenerate: () => new Promise<never>(() => {}),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          controller.enqueue({ type: "text-start", id: "1" });
          for (const delta of words) controller.enqueue({ type: "text-delta", id: "1", delta });
          controller.enqueue({ type: "text-end", id: "1" });
          controller.enqueue({
            type: "finish",
            finishReason: { unified: "stop", raw: "stop" },
            usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
          });
          controller.close();
        },
      }),
    }),
  };
  let first: Promise<IteratorResult<RunEvent, undefined>> | undefined;
  let watch: AsyncIterableIterator<RunEvent, undefined, undefined> | undefined;
  await using app = await createApp(Support, {
    models: { default: model as never },
    onEvent: ({ type, runId }) => {
      if (type !== "run-start") return;
      watch = app.watch(runId);
      first = watch.next();
    },
  });
  const { text } = await app.run({ prompt: "go" });
  expect(text).toBe(words.join(""));
  const events = [(await first!).value!, ...(await all(watch!))];
  expect(events.length).toBeLessThan(1_100);
  expect(textOf(events)).toBe(words.join(""));
});

test("leaving cancels nothing and leaves no listener; before the first event too", async () => {
  const { tool, open, running } = gated();
  @Agent({ name: "clerk", description: "d", tools: [tool] })
  class Clerk {}
  const model = scriptedModel(callTool(tool), replyWith("over"));
  const streams = vi.spyOn(model, "doStream");
  await using app = await createApp(Clerk, { models: { default: model } });
  const result = app.run({ prompt: "go" }, { runId: "run-00001" });
  await running;
  for await (const event of app.watch("run-00001")) if (event.type === "usage") break;
  const unread = app.watch("run-00001");
  expect(await unread.return!()).toEqual({ value: undefined, done: true });
  expect(await unread.next()).toEqual({ value: undefined, done: true });
  open();
  expect(await result).toMatchObject({ status: "completed", text: "over" });
  expect(model.requests).toHaveLength(2);
  // A turn streams where somebody listens.
  expect(streams).not.toHaveBeenCalled();
});

test("who leaves, gives up or is closed leaves no timer behind", async () => {
  let timers = 0;
  const clock = {
    ...systemClock,
    setTimer(run: () => void, ms: number) {
      let live = true;
      timers++;
      const over = (): void => {
        if (live) timers--;
        live = false;
      };
      const timer = systemClock.setTimer(() => {
        over();
        run();
      }, ms);
      return { ...timer, clear: () => (over(), timer.clear()) };
    },
  };
  const store = memoryStore();
  const there = await createApp(Support, {
    models: { default: scriptedModel(callTool(SaveNote, { title: "x" })) },
    store,
  });
  const paused = await there.run({ prompt: "go" });
  await there.decide(paused.runId, { [paused.pauses[0]!.id]: yes });
  const app = await createAppWith(Support, { models: { default: scriptedModel() }, store }, { clock });
  for await (const event of app.watch(paused.runId)) if (event.type === "usage") break;
  expect(timers).toBe(0);
  const stop = new AbortController();
  const waiting = app.result(paused.runId, { signal: stop.signal }).catch(() => {});
  await expect.poll(() => timers).toBe(1);
  stop.abort();
  await waiting;
  expect(timers).toBe(0);
  const watching = all(app.watch(paused.runId)).catch(() => {});
  const result = app.result(paused.runId).catch(() => {});
  await expect.poll(() => timers).toBe(2);
  await app.close();
  await Promise.all([watching, result]);
  expect(timers).toBe(0);
  await there.close();
});

test("unknown runs, ids that are none, a closed app and a failing store are told to the reader", async () => {
  const { tool, running } = gated();
  @Agent({ name: "clerk", description: "d", tools: [tool] })
  class Clerk {}
  const store: Store = memoryStore();
  const app = await createApp(Clerk, { models: { default: scriptedModel(callTool(tool)) }, store });
  await expect(all(app.watch("run-of-nobody"))).rejects.toMatchObject({ code: "run_not_found" });
  await expect(all(app.watch(7 as never))).rejects.toMatchObject({ code: "bad_input" });
  const result = app.run({ prompt: "go" }, { runId: "run-00001" }).catch(() => {});
  await running;
  const watching = all(app.watch("run-00001"));
  const ended = expect(watching).rejects.toMatchObject({ code: "app_closed", data: { runId: "run-00001" } });
  await app.close({ graceMs: 0 });
  await ended;
  await result;
  await expect(all(app.watch("run-00001"))).rejects.toMatchObject({ code: "app_closed" });

  await using broken = await createApp(Clerk, {
    models: { default: scriptedModel() },
    store: Object.assign(store, { records: () => Promise.reject(new Error("disk is gone")) }),
  });
  await expect(all(broken.watch("run-00001"))).rejects.toThrow("disk is gone");
});
