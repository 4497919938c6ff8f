import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApp, defineTool, memoryStore, type App, type RunStatus } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { Int, ListOf, Nested, Text } from "../../src/doors/dto/index.js";
import {
  callAll,
  failWith,
  rawCall,
  rawTurn,
  replyWith,
  scriptedModel,
  type ModelStep,
  type RecordedRequest,
  type ScriptedModel,
} from "../../src/doors/testing/index.js";
import { partsStream, someUsage, writtenModel } from "./models.js";
import { agentOf, appOf, assertValid, callsIn, promptsIn, resultsIn, start, storedCalls, ways } from "./wire.js";

class Named {
  @Text() q!: string;
}

const look = defineTool({ name: "look", description: "Looks.", input: Named, run: ({ q }) => `saw ${q}` });
const fail = defineTool({
  name: "fail",
  description: "Fails.",
  run() {
    throw new Error("it failed");
  },
});
const save = defineTool({ name: "save", description: "Saves.", access: "write", approval: true, run: () => "saved" });

/** Hangs until it is told to go on; tells that it was started, and what its signal said. */
function hanging(access: "read" | "write", obeys: boolean) {
  const log: string[] = [];
  const tool = defineTool({
    name: "hang",
    description: "Hangs.",
    access,
    run(_input, { signal }): Promise<string> {
      log.push("started");
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          log.push((signal.reason as Error).name);
          if (obeys) reject(new Error("stopped"));
        });
      });
    },
  });
  return { tool, log };
}

const done = replyWith("done");
const hang = rawCall({ id: "h", name: "hang", arguments: "{}" });
const lookAt = (q: string, id = `look-${q}`) => rawCall({ id, name: "look", arguments: JSON.stringify({ q }) });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-history-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(ways)("%s", (way) => {
  describe.each([
    ["read", true, "cancelled"],
    ["read", false, "cancelled"],
    ["write", true, "unknown_outcome"],
    ["write", false, "unknown_outcome"],
  ] as const)("a %s (obeys its signal: %s)", (access, obeys, code) => {
    test("[B25] abort while it runs: the call has a result, and the thread goes on", async () => {
      const { tool, log } = hanging(access, obeys);
      const model = scriptedModel(callAll(lookAt("x"), hang, lookAt("y")), done);
      const store = memoryStore();
      await using app = await appOf([look, tool], model, { store });
      const stop = new AbortController();
      const running = start(app, way, "one", { threadId: "t", signal: stop.signal, runId: "run-00001" });
      await expect.poll(() => log).toEqual(["started"]);
      stop.abort();
      const stopped = await running;
      expect(stopped).toMatchObject({ status: "cancelled", stopReason: "cancel" });
      expect(log).toEqual(["started", "AbortError"]);
      const stored = await storedCalls(store, "run-00001");
      expect(stored).toHaveLength(3);
      expect(stored.find(({ callId }) => callId === "call_run-00001_1_2")?.result).toMatchObject({
        kind: "error",
        code,
      });

      expect(await start(app, way, "two", { threadId: "t" })).toMatchObject({ status: "completed", text: "done" });
      const request = model.requests[1];
      assertValid(request);
      expect(promptsIn(request)).toEqual(["one", "two"]);
      expect(resultsIn(request)).toMatchObject([
        { id: "look-x", text: "saw x", isError: false },
        { id: "h", isError: true },
        { id: "look-y", text: "saw y", isError: false },
      ]);
    });
  });

  test("[B25] calls that had not started when the run was stopped have a result too", async () => {
    const { tool, log } = hanging("read", true);
    const model = scriptedModel(
      callAll(...Array.from({ length: 12 }, (_, i) => rawCall({ id: `h${i}`, name: "hang", arguments: "{}" }))),
      done,
    );
    await using app = await appOf([tool], model);
    const stop = new AbortController();
    const running = start(app, way, "one", { threadId: "t", signal: stop.signal });
    await expect.poll(() => log.length).toBe(8);
    stop.abort();
    expect((await running).status).toBe("cancelled");
    expect(log.filter((line) => line === "started")).toHaveLength(8);
    await start(app, way, "two", { threadId: "t" });
    assertValid(model.requests[1]);
    const texts = resultsIn(model.requests[1]).map(({ text }) => text);
    expect(texts.filter((text) => text.includes("was not started"))).toHaveLength(4);
  });

  test("[B25] abort while the model answers, before and after its first words", async () => {
    for (const words of [
      [],
      [
        { type: "text-start", id: "0" },
        { type: "text-delta", id: "0", delta: "I will" },
        { type: "tool-input-start", id: "a", toolName: "look" },
        { type: "tool-input-delta", id: "a", delta: '{"q"' },
      ],
    ]) {
      let canceled = 0;
      const hung = (request: number) =>
        request === 1
          ? new Promise(() => {})
          : { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop" }, usage: someUsage };
      const model = writtenModel(hung, (request) =>
        request === 1
          ? partsStream(words, { onCancel: () => void canceled++ })
          : partsStream([
              { type: "text-start", id: "0" },
              { type: "text-delta", id: "0", delta: "done" },
              { type: "text-end", id: "0" },
              { type: "finish", finishReason: { unified: "stop" }, usage: someUsage },
            ]),
      );
      await using app = await createApp(agentOf([look]), { models: { default: model }, env: {} });
      const stop = new AbortController();
      const running = start(app, way, "one", { threadId: "t", signal: stop.signal });
      await expect.poll(() => model.requests.length).toBe(1);
      stop.abort();
      expect((await running).status).toBe("cancelled");
      expect(model.signals[0]!.aborted).toBe(true);
      expect(canceled).toBe(way === "stream" ? 1 : 0);
      expect(await start(app, way, "two", { threadId: "t" })).toMatchObject({ status: "completed", text: "done" });
      assertValid(model.requests[1]);
      expect(promptsIn(model.requests[1])).toEqual(["one", "two"]);
    }
  });

  test("[B25] a run that waits for a person and is canceled leaves a valid thread", async () => {
    const model = scriptedModel(callAll(lookAt("x"), rawCall({ id: "s", name: "save", arguments: "{}" })), done);
    await using app = await appOf([look, save], model);
    const paused = await start(app, way, "one", { threadId: "t" });
    expect(paused.status).toBe("paused");
    await app.cancel(paused.runId);
    expect((await start(app, way, "two", { threadId: "t" })).status).toBe("completed");
    assertValid(model.requests[1]);
    expect(resultsIn(model.requests[1])).toMatchObject([
      { id: "look-x", isError: false },
      { id: "s", isError: true },
    ]);
  });

  /** Ten runs of every kind in one thread: with parallel calls, unknown tools, failures, stops, limits, cut answers, no answer. */
  const thread: readonly { readonly steps: readonly ModelStep[]; readonly status: RunStatus }[] = [
    { steps: [done], status: "completed" },
    {
      steps: [
        callAll(lookAt("a"), lookAt("b"), rawCall({ id: "f", name: "fail", arguments: "{}" })),
        rawTurn({ text: "then", calls: [lookAt("c")] }),
        done,
      ],
      status: "completed",
    },
    { steps: [failWith(new Error("overloaded"))], status: "failed" },
    { steps: [callAll(lookAt("d"), lookAt("e")), failWith(new Error("overloaded"))], status: "failed" },
    { steps: [callAll(...Array.from({ length: 30 }, (_, i) => lookAt(`over-${i}`)))], status: "failed" },
    { steps: [rawTurn({ text: "cut", calls: [lookAt("f")], finish: "length" }), done], status: "completed" },
    { steps: [rawTurn({})], status: "completed" },
    {
      steps: [
        rawTurn({ text: " \n", calls: [rawCall({ id: "", name: "ghost.tool", arguments: "[" })] }),
        rawTurn({ text: "" }),
      ],
      status: "completed",
    },
    { steps: [rawTurn({ reasoning: "hm", text: "", calls: [lookAt("g", "look-a")] }), done], status: "completed" },
    { steps: [done], status: "completed" },
  ];

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 20])(
    "[B27] a window of %i runs never splits one, and starts with a user's message",
    async (turns) => {
      const model = scriptedModel();
      await using app = await appOf([look, fail], model, {}, { history: { turns } });
      const firsts: RecordedRequest[] = [];
      for (const [i, { steps, status }] of thread.entries()) {
        model.thenReturn(...steps);
        const asked = model.requests.length;
        expect(await start(app, way, `prompt ${i}`, { threadId: "t" }), `run ${i}`).toMatchObject({ status });
        firsts.push(model.requests[asked]!);
        expect(promptsIn(model.requests[asked])).toEqual(
          Array.from({ length: Math.min(turns, i) + 1 }, (_, back) => `prompt ${i - Math.min(turns, i) + back}`),
        );
      }
      for (const request of model.requests) assertValid(request);
      expect(firsts[0]!.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    },
  );
});

class Deep {
  @ListOf("text") tags!: string[];
  @Int({ optional: true }) n?: number;
}
class Rich {
  @Text() text!: string;
  @Nested(Deep) inside!: Deep;
}

const rich = defineTool({
  name: "rich",
  description: "Takes much.",
  input: Rich,
  run: (input) => ({ seen: input, at: new Date(0), none: null }),
});
const odd = '{ "text" : "北京 🌍 \\ud83c\\udf0d \\u0000 \\"q\\" \\n", "inside": {"tags":["","ü"], "n": 1.0e1} }';

/** Five runs of a thread, with everything that was sent. `open` gives the app anew before each of them, and before a decision. */
async function conversation(open: (model: ScriptedModel) => Promise<App>): Promise<readonly RecordedRequest[]> {
  const model = scriptedModel(
    callAll(
      rawCall({ id: "r1", name: "rich", arguments: odd }),
      lookAt("b"),
      rawCall({ id: "", name: "look", arguments: '{"q":7' }),
      rawCall({ id: "r1", name: "ghost", arguments: '{"a":[1,{"b":null}]}' }),
    ),
    done,
    rawTurn({ reasoning: "I think", text: "First.", calls: [rawCall({ id: "r2", name: "rich", arguments: odd })] }),
    replyWith("🌍 done "),
    callAll(lookAt("x"), rawCall({ id: "s", name: "save", arguments: "" })),
    done,
    failWith(new Error("overloaded")),
    lookAt("last"),
    done,
  );
  for (let i = 0; i < 5; i++) {
    let app = await open(model);
    const { pauses, runId } = await app.run(
      { prompt: `prompt ${i}` },
      { threadId: "t", runId: `run-0000${i}`, owner: "ann" },
    );
    if (pauses.length === 0) continue;
    app = await open(model);
    await app.resume(runId, { [pauses[0]!.id]: { approved: true, by: "bob" } });
  }
  expect(model.remaining).toHaveLength(0);
  for (const request of model.requests) assertValid(request);
  return model.requests;
}

test("[B30] the store is closed and opened again before each run: the requests are those made without", async () => {
  const tools = [rich, look, save] as const;
  let only: App | undefined;
  const kept = await conversation(async (model) => (only ??= await appOf(tools, model)));
  await only!.close();

  let last: App | undefined;
  const reloaded = await conversation(async (model) => {
    await last?.close();
    return (last = await appOf(tools, model, { store: sqliteStore(join(folder, "tenon.db")) }));
  });
  await last!.close();
  expect(reloaded).toEqual(kept);
  expect(JSON.stringify(reloaded)).toBe(JSON.stringify(kept));

  const calls = callsIn(reloaded.at(-1));
  expect(calls.map(({ name }) => name)).toEqual(["rich", "look", "look", "ghost", "rich", "look", "save", "look"]);
  expect(calls[0]!.input).toEqual(JSON.parse(odd));
  expect(calls[3]!.input).toEqual({ a: [1, { b: null }] });
});
