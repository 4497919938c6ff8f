import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  DecisionRefusedError,
  defineTool,
  memoryStore,
  type App,
  type CallHook,
  type RunEvent,
  type RunResult,
  type Store,
} from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { Int, Text } from "../../src/doors/dto/index.js";
import { callAll, rawCall, replyWith, scriptedModel, type ScriptedModel } from "../../src/doors/testing/index.js";
import { appOf, assertValid, callsIn, resultsIn, start, ways } from "./wire.js";

class Order {
  @Int({ prompt: "how many" }) n!: number;
  @Text({ optional: true, sensitive: true }) card?: string;
}

/** A tool that waits for approval; tells what it ran with. */
function ordering() {
  const ran: { callId: string; n: number }[] = [];
  const tool = defineTool({
    name: "order",
    description: "Orders.",
    input: Order,
    access: "write",
    approval: true,
    run({ n }, { callId }) {
      ran.push({ callId, n });
      return `ordered ${n}`;
    },
  });
  return { tool, ran };
}

const order = (n: number, id = `o${n}`) => rawCall({ id, name: "order", arguments: JSON.stringify({ n }) });
const done = replyWith("done");
const yes = { approved: true, by: "ann" } as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-pauses-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stores: readonly [string, () => () => Store][] = [
  [
    "memory",
    () => {
      const store = memoryStore();
      return () => store;
    },
  ],
  ["sqlite", () => () => sqliteStore(join(folder, "tenon.db"))],
];

/** Each step in an app of its own, as in a process of its own. */
function apart(tools: Parameters<typeof appOf>[0], model: ScriptedModel, store: () => Store, hooks: CallHook[] = []) {
  return async <T>(work: (app: App) => Promise<T>): Promise<T> => {
    const app = await appOf(tools, model, { store: store() }, { hooks });
    try {
      return await work(app);
    } finally {
      if (store().kind === "sqlite") await app.close();
    }
  };
}

describe.each(stores)("%s", (_name, makeStore) => {
  test.each(ways)("[B32] after an approval nothing is stored twice, and no hook is asked twice (%s)", async (way) => {
    const { tool, ran } = ordering();
    const asked: string[] = [];
    const told: string[] = [];
    const hook: CallHook = {
      onBeforeCall: (_ctx, { toolCallId }) => void asked.push(toolCallId),
      onAfterCall: (_ctx, { toolCallId }) => void told.push(toolCallId),
    };
    const model = scriptedModel(order(2), done, replyWith("later"));
    const store = makeStore();
    const inApp = apart([tool], model, store, [hook]);
    const paused = await inApp((app) => start(app, way, "go", { threadId: "t" }));
    expect(paused.status).toBe("paused");
    const callId = paused.pauses[0]!.callId;
    const finished = await inApp((app) => app.resume(paused.runId, { [paused.pauses[0]!.id]: yes }));
    expect(finished).toMatchObject({ status: "completed", text: "done" });
    expect(asked).toEqual([callId]);
    expect(told).toEqual([callId]);
    expect(ran).toEqual([{ callId, n: 2 }]);
    await inApp((app) => start(app, way, "more", { threadId: "t" }));
    const last = model.requests.at(-1)!;
    assertValid(last);
    expect(last.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
    await inApp(async (app) => {
      const keys = (await app.inspect(paused.runId)).turns.map(({ calls }) => calls.length);
      expect(keys).toEqual([1, 0]);
    });
  });

  test("[B92] a decision about an old call is not taken for the one that waits now", async () => {
    const { tool, ran } = ordering();
    const model = scriptedModel(order(1), order(2), done);
    const inApp = apart([tool], model, makeStore());
    const first = await inApp((app) => app.run({ prompt: "go" }));
    const old = first.pauses[0]!.id;
    const second = await inApp((app) =>
      app.resume(first.runId, { [old]: { approved: false, reason: "no", by: "ann" } }),
    );
    expect(second.status).toBe("paused");
    const now = second.pauses[0]!.id;
    expect(now).not.toBe(old);
    await inApp(async (app) => {
      for (const decisions of [
        { [old]: yes },
        { [old]: yes, [now]: yes },
        { "pause_call_nobody-1_1_1_1": yes, [now]: yes },
        { [now]: { ...yes, digest: first.pauses[0]!.digest } },
      ])
        await expect(app.resume(first.runId, decisions)).rejects.toBeInstanceOf(DecisionRefusedError);
      expect(await app.pauses()).toMatchObject([{ id: now }]);
    });
    expect(ran).toEqual([]);
    const end = await inApp((app) => app.resume(first.runId, { [now]: { ...yes, digest: second.pauses[0]!.digest } }));
    expect(end.status).toBe("completed");
    expect(ran.map(({ n }) => n)).toEqual([2]);
  });

  test("[B94] three calls wait: each is decided by itself, in any order, in a process of its own", async () => {
    const { tool, ran } = ordering();
    const model = scriptedModel(callAll(order(1, "a"), order(2, "b"), order(3, "c")), done);
    const inApp = apart([tool], model, makeStore());
    const first = await inApp((app) => app.run({ prompt: "go" }));
    const [a, b, c] = first.pauses.map(({ id }) => id) as [string, string, string];
    const results: RunResult[] = [];
    for (const decisions of [{ [c]: yes }, { [a]: { approved: false, reason: "not this", by: "ann" } }, { [b]: yes }])
      results.push(await inApp((app) => app.resume(first.runId, decisions as never)));
    expect(results.map(({ status, pauses }) => [status, pauses.map(({ id }) => id)])).toEqual([
      ["paused", [a, b]],
      ["paused", [b]],
      ["completed", []],
    ]);
    expect(ran.map(({ n }) => n)).toEqual([3, 2]);
    expect(resultsIn(model.requests[1])).toMatchObject([
      { id: "a", isError: true, text: expect.stringContaining("not this") },
      { id: "b", text: "ordered 2" },
      { id: "c", text: "ordered 3" },
    ]);
  });

  test("[B97] an edit is checked; what ran is what is recorded and sent; the tool stays the same", async () => {
    const { tool, ran } = ordering();
    const model = scriptedModel(
      rawCall({ id: "o", name: "order", arguments: '{"n":1,"card":"4111"}' }),
      done,
      replyWith("later"),
    );
    const store = makeStore();
    const inApp = apart([tool], model, store);
    const first = await inApp((app) => app.run({ prompt: "go" }, { threadId: "t" }));
    const { id, input } = first.pauses[0]!;
    expect(input).toEqual({ n: 1, card: "***" });
    await inApp(async (app) => {
      for (const decision of [
        { ...yes, edit: { n: "x" } },
        { ...yes, edit: { n: null } },
        { ...yes, edit: { other: 1 } },
        { ...yes, edit: { card: "***" } },
        { ...yes, edit: [] },
        { ...yes, edit: { n: 2 }, tool: "look" },
        { ...yes, tool: "look" },
      ])
        await expect(app.resume(first.runId, { [id]: decision as never })).rejects.toBeInstanceOf(DecisionRefusedError);
      expect(await app.pauses()).toHaveLength(1);
    });
    expect(ran).toEqual([]);
    const end = await inApp((app) => app.resume(first.runId, { [id]: { ...yes, edit: { n: 2 } } }));
    expect(end.status).toBe("completed");
    expect(ran).toMatchObject([{ n: 2 }]);
    for (const request of [model.requests[1], undefined]) {
      if (request === undefined) await inApp((app) => app.run({ prompt: "more" }, { threadId: "t" }));
      const sent = request ?? model.requests.at(-1);
      assertValid(sent);
      expect(callsIn(sent)).toEqual([{ id: "o", name: "order", input: { n: 2, card: "4111" } }]);
      expect(resultsIn(sent)[0]!.text).toContain("a person changed the input");
    }
  });

  test("[B97] an edit that changes nothing is none", async () => {
    const { tool, ran } = ordering();
    const model = scriptedModel(order(1), done, replyWith("later"));
    const inApp = apart([tool], model, makeStore());
    const first = await inApp((app) => app.run({ prompt: "go" }, { threadId: "t" }));
    await inApp((app) => app.resume(first.runId, { [first.pauses[0]!.id]: { ...yes, edit: { n: 1 } } }));
    await inApp((app) => app.run({ prompt: "more" }, { threadId: "t" }));
    expect(ran).toMatchObject([{ n: 1 }]);
    for (const sent of model.requests.slice(1)) expect(resultsIn(sent)[0]!.text).toBe("ordered 1");
  });

  test("[B99] a pause is no error: nothing retries it, no hook hears of it, its clock stands still", async () => {
    let tries = 0;
    let cleanups = 0;
    const ends: unknown[] = [];
    const hook: CallHook = { onAfterCall: (_ctx, { ok, error }) => void ends.push({ ok, error }) };
    const tool = defineTool({
      name: "ask",
      description: "Asks.",
      timeoutMs: 30,
      async run(_input, ctx) {
        for (let attempt = 1; attempt <= 3; attempt++) {
          try {
            tries++;
            return `it is ${await ctx.pause<string>("Which color?")}`;
          } catch {
            // Try again.
          } finally {
            cleanups++;
          }
        }
        return "gave up";
      },
    });
    const model = scriptedModel(rawCall({ id: "q", name: "ask", arguments: "{}" }), done);
    const inApp = apart([tool], model, makeStore(), [hook]);
    const first = await inApp((app) => app.run({ prompt: "go" }));
    expect(first.pauses).toMatchObject([{ kind: "question", question: "Which color?" }]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect({ tries, cleanups, ends }).toEqual({ tries: 1, cleanups: 0, ends: [] });
    const end = await inApp((app) => app.resume(first.runId, { [first.pauses[0]!.id]: { answer: "red", by: "ann" } }));
    expect(end.status).toBe("completed");
    expect({ tries, cleanups, ends }).toEqual({ tries: 2, cleanups: 1, ends: [{ ok: true, error: undefined }] });
    expect(resultsIn(model.requests[1])).toMatchObject([{ text: "it is red" }]);
  });

  test("[B100] a decision from elsewhere, about a run that was streamed, leads to the rest and an end", async () => {
    const { tool, ran } = ordering();
    const model = scriptedModel(order(1), done);
    const inApp = apart([tool], model, makeStore());
    const events: RunEvent[] = [];
    const paused = await inApp(async (app) => {
      const stream = app.stream({ prompt: "go" });
      for await (const event of stream) events.push(event);
      return stream.result;
    });
    expect(events.at(-1)).toMatchObject({ type: "run-end", status: "paused" });
    const rest: RunEvent[] = [];
    const end = await inApp(async (app) => {
      const stream = app.resumeStream(paused.runId, { [paused.pauses[0]!.id]: yes });
      for await (const event of stream) rest.push(event);
      return stream.result;
    });
    expect(end).toMatchObject({ status: "completed", text: "done" });
    expect(ran).toHaveLength(1);
    expect(rest[0]).toMatchObject({ type: "run-resumed", turn: 1 });
    expect(rest.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
    expect(rest.filter(({ type }) => type === "tool-end")).toHaveLength(1);
  });

  test.each(["approved", "answered"])("[B63] a tool that was %s later gets a live signal", async (kind) => {
    const seen: AbortSignal[] = [];
    const hang = (_input: unknown, { signal }: { signal: AbortSignal }) => {
      seen.push(signal);
      return new Promise<string>(() => {});
    };
    const tool =
      kind === "approved"
        ? defineTool({ name: "late", description: "Waits.", approval: true, run: hang })
        : defineTool({
            name: "late",
            description: "Asks.",
            async run(input, ctx) {
              await ctx.pause("Well?");
              return hang(input, ctx);
            },
          });
    const inApp = apart([tool], scriptedModel(rawCall({ id: "a", name: "late", arguments: "{}" })), makeStore());
    const first = await inApp((app) => app.run({ prompt: "go" }));
    await inApp(async (app) => {
      const stop = new AbortController();
      const decision = kind === "approved" ? yes : { answer: "yes", by: "ann" };
      const running = app.resume(first.runId, { [first.pauses[0]!.id]: decision }, { signal: stop.signal });
      await expect.poll(() => seen.length).toBe(1);
      expect(seen[0]!.aborted).toBe(false);
      stop.abort();
      expect((await running).status).toBe("cancelled");
      expect(seen[0]!.aborted).toBe(true);
    });
  });

  test("[B25] a run that is ended while calls wait leaves a thread that goes on", async () => {
    const { tool, ran } = ordering();
    const ask = defineTool({ name: "ask", description: "Asks.", run: (_input, ctx) => ctx.pause("Well?") });
    const model = scriptedModel(
      callAll(order(1, "a"), rawCall({ id: "b", name: "ask", arguments: "{}" }), order(2, "c")),
      done,
    );
    const inApp = apart([tool, ask], model, makeStore());
    const first = await inApp((app) => app.run({ prompt: "go" }, { threadId: "t" }));
    await inApp(async (app) => {
      const pauses = await app.pauses();
      await app.cancel(first.runId);
      expect(await app.pauses()).toEqual([]);
      for (const { id, kind } of pauses)
        await expect(
          app.resume(first.runId, { [id]: kind === "approval" ? yes : { answer: 1, by: "ann" } }),
        ).rejects.toBeInstanceOf(DecisionRefusedError);
    });
    expect(ran).toEqual([]);
    await inApp((app) => app.run({ prompt: "more" }, { threadId: "t" }));
    assertValid(model.requests[1]);
    expect(resultsIn(model.requests[1]).map(({ id, isError }) => [id, isError])).toEqual([
      ["a", true],
      ["b", true],
      ["c", true],
    ]);
  });
});
