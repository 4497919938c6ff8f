import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApp, defineTool, memoryStore, type Store } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { Int } from "../../src/doors/dto/index.js";
import { callAll, rawCall, rawTurn, replyWith, scriptedModel, type RawCall } from "../../src/doors/testing/index.js";
import { agentOf, appOf, assertValid, callsIn, play, resultsIn, storedCalls, ways } from "./wire.js";

class Numbered {
  @Int() q!: number;
}

/** A tool that keeps what it was called with, by call id. */
function counted(name = "count") {
  const calls = new Map<string, number>();
  const tool = defineTool({
    name,
    description: "Counts.",
    input: Numbered,
    run({ q }, ctx) {
      expect(calls.has(ctx.callId), `${ctx.callId} runs once`).toBe(false);
      calls.set(ctx.callId, q);
      return `result ${q}`;
    },
  });
  return { tool, calls };
}

const call = (id: RawCall["id"], q: number) => rawCall({ id, name: "count", arguments: JSON.stringify({ q }) });
const done = replyWith("done");
const runId = "run-of-this-test";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-ids-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(ways)("%s", (way) => {
  test("[B22] two calls of one turn with one id both run, and are told apart", async () => {
    const { tool, calls } = counted();
    const { requests, stored, result } = await play([tool], [callAll(call("x", 1), call("x", 2)), done], way);
    expect([...calls]).toEqual([
      [`call_${result.runId}_1_1`, 1],
      [`call_${result.runId}_1_2`, 2],
    ]);
    const [first, second] = callsIn(requests[1]);
    expect(first!.id).toBe("x");
    expect(second!.id).not.toBe("x");
    expect([first!.input, second!.input]).toEqual([{ q: 1 }, { q: 2 }]);
    expect(resultsIn(requests[1])).toMatchObject([
      { id: "x", text: "result 1" },
      { id: second!.id, text: "result 2" },
    ]);
    expect(stored).toHaveLength(2);
  });

  test("[B22] one id in every turn, and many times in one", async () => {
    const { tool, calls } = counted();
    const turn = (from: number) => callAll(...[0, 1, 2].map((i) => call("call_0", from + i)));
    const { requests } = await play([tool], [turn(1), turn(4), turn(7), done], way);
    expect([...calls.values()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(callsIn(requests[3]).map(({ input }) => input)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((q) => ({ q })));
    expect(resultsIn(requests[3]).map(({ text }) => text)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((q) => `result ${q}`),
    );
    // What was sent once is sent the same way again.
    expect(callsIn(requests[3]).slice(0, 6)).toEqual(callsIn(requests[2]));
  });

  test.each<[string, RawCall["id"]]>([
    ["empty", ""],
    ["null", null],
    ["absent", undefined],
    ["white space", " "],
  ])("[B24] ids that are %s: four calls, four ids", async (_kind, id) => {
    const { tool, calls } = counted();
    const { requests, result } = await play(
      [tool],
      [callAll(call(id, 1), call(id, 2)), callAll(call(id, 3), call(id, 4)), done],
      way,
    );
    expect(result.status).toBe("completed");
    expect([...calls.values()]).toEqual([1, 2, 3, 4]);
    expect(new Set(callsIn(requests[2]).map((sent) => sent.id)).size).toBe(4);
    expect(resultsIn(requests[2]).map(({ text }) => text)).toEqual(["result 1", "result 2", "result 3", "result 4"]);
  });

  test("[B24] a made-up id is one that every provider takes, and gives way to a provider's own", async () => {
    const { tool } = counted();
    const { requests } = await play(
      [tool],
      [callAll(call("", 1), call("kept by the provider", 2), call(null, 3)), done],
      way,
    );
    const ids = callsIn(requests[1]).map(({ id }) => id);
    expect(ids[1]).toBe("kept by the provider");
    for (const id of [ids[0], ids[2]]) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
  });
});

test("the same provider id in two threads gives two different call ids", async () => {
  const { tool, calls } = counted();
  const model = scriptedModel(call("x", 1), done, call("x", 2), done, call("x", 3), done);
  await using app = await appOf([tool], model);
  const runs = [
    await app.run({ prompt: "go" }, { threadId: "one" }),
    await app.run({ prompt: "go" }, { threadId: "two" }),
    await app.run({ prompt: "go" }, { threadId: "two" }),
  ];
  expect([...calls]).toEqual(runs.map(({ runId: id }, i) => [`call_${id}_1_1`, i + 1]));
  expect(calls.size).toBe(3);
  // Each thread keeps the provider's id on the wire, once.
  expect(callsIn(model.requests[1]).map(({ id }) => id)).toEqual(["x"]);
  expect(callsIn(model.requests[3]).map(({ id }) => id)).toEqual(["x"]);
  const third = callsIn(model.requests[5]).map(({ id }) => id);
  expect(third[0]).toBe("x");
  expect(new Set(third).size).toBe(2);
  for (const request of model.requests) assertValid(request);
});

test("[B22] the same provider id in two runs of one thread, and after a reload from SQLite", async () => {
  const { tool, calls } = counted();
  const path = join(folder, "tenon.db");
  const requests = [];
  for (const q of [1, 2, 3]) {
    const model = scriptedModel(callAll(call("x", q), call("x", q * 10)), done);
    const app = await appOf([tool], model, { store: sqliteStore(path) });
    await app.run({ prompt: `turn ${q}` }, { threadId: "t", runId: `run-0000${q}` });
    await app.close();
    requests.push(...model.requests);
  }
  expect([...calls.values()]).toEqual([1, 10, 2, 20, 3, 30]);
  for (const request of requests) assertValid(request);
  const last = callsIn(requests.at(-1));
  expect(last.map(({ input }) => input)).toEqual([1, 10, 2, 20, 3, 30].map((q) => ({ q })));
  expect(last.slice(0, 4)).toEqual(callsIn(requests.at(-3)));
  expect(last[0]!.id).toBe("x");
});

const stores: readonly [string, () => (again: boolean) => Store][] = [
  [
    "memory",
    () => {
      const store = memoryStore();
      return () => store;
    },
  ],
  ["SQLite", () => () => sqliteStore(join(folder, "tenon.db"))],
];

describe.each(stores)("after a restart in the middle, %s", (_kind, open) => {
  test.each<[string, RawCall["id"]]>([
    ["B22", "x"],
    ["B24", ""],
    ["B24", null],
  ])("[%s] the same call ids and wire ids come back (%j)", async (_case, id) => {
    const storeOf = open();
    const started: string[] = [];
    let release: ((text: string) => void) | undefined;
    const slow = defineTool({
      name: "count",
      description: "Counts.",
      input: Numbered,
      run({ q }, ctx): Promise<string> | string {
        started.push(`${ctx.callId} ${q}`);
        return q === 4 && release === undefined ? new Promise((resolve) => (release = resolve)) : `result ${q}`;
      },
    });
    const turns = [callAll(call(id, 1), call(id, 2)), callAll(call(id, 3), call(id, 4))];

    // The process dies while the fourth call runs.
    const before = scriptedModel(...turns);
    const dying = await appOf([slow], before, { store: storeOf(false) });
    const left = dying.run({ prompt: "go" }, { runId, threadId: "t" }).catch((thrown: unknown) => thrown);
    await expect.poll(() => started.length).toBe(4);
    await dying.close({ graceMs: 0 });
    expect(await left).toMatchObject({ code: "app_closed" });
    release!("too late");

    const after = scriptedModel(done);
    const store = storeOf(true);
    const app = await appOf([slow], after, { store });
    expect(await app.recover()).toMatchObject({ continued: [{ status: "completed", text: "done" }], skipped: [] });
    expect(started).toEqual([
      `call_${runId}_1_1 1`,
      `call_${runId}_1_2 2`,
      `call_${runId}_2_1 3`,
      `call_${runId}_2_2 4`,
      `call_${runId}_2_2 4`,
    ]);
    assertValid(after.requests[0]);
    expect(callsIn(after.requests[0]).slice(0, 2)).toEqual(callsIn(before.requests[1]));
    expect(resultsIn(after.requests[0]).map(({ text }) => text)).toEqual([
      "result 1",
      "result 2",
      "result 3",
      "result 4",
    ]);
    const stored = await storedCalls(store, runId);
    expect(new Set(stored.map(({ callId }) => callId)).size).toBe(4);
    expect(stored).toHaveLength(4);
    await app.close();
  });

  test("[B24] an answer that was not recorded is asked for again, and its calls get the same call ids, whatever the provider's are", async () => {
    const storeOf = open();
    const { tool, calls } = counted();
    const hung = { ...bareModel, doGenerate: () => new Promise<never>(() => {}) };
    const dying = await createApp(agentOf([tool]), { models: { default: hung }, store: storeOf(false), env: {} });
    const left = dying.run({ prompt: "go" }, { runId, threadId: "t" }).catch((thrown: unknown) => thrown);
    await dying.close({ graceMs: 0 });
    expect(await left).toMatchObject({ code: "app_closed" });
    await using app = await appOf([tool], scriptedModel(callAll(call("another", 1), call("", 2)), done), {
      store: storeOf(true),
    });
    await app.recover();
    expect([...calls]).toEqual([
      [`call_${runId}_1_1`, 1],
      [`call_${runId}_1_2`, 2],
    ]);
  });
});

test("[B22] the same script in the same run id gives the same bytes on the wire", async () => {
  const sent: string[] = [];
  for (let i = 0; i < 2; i++) {
    const { tool } = counted();
    const model = scriptedModel(
      callAll(call("", 1), call("x", 2), call("x", 3)),
      rawTurn({ calls: [call(null, 4), call("x", 5)] }),
      done,
    );
    await using app = await appOf([tool], model);
    await app.run({ prompt: "go" }, { runId });
    sent.push(JSON.stringify(model.requests));
  }
  expect(sent[0]).toBe(sent[1]);
});

const bareModel = {
  specificationVersion: "v4" as const,
  provider: "test",
  modelId: "test",
  doGenerate: () => Promise.reject(new Error("not asked")),
  doStream: () => Promise.reject(new Error("not asked")),
};
