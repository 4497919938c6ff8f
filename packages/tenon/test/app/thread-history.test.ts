import { expect, test } from "vitest";
import { MemoryStore } from "../../src/journal/memory-store.js";
import type { PastRun } from "../../src/journal/store.js";
import { createApp, defineAgent, defineWorkflow, memoryStore, type Store } from "../../src/doors/tenon/index.js";
import {
  failWith,
  rawCall,
  rawTurn,
  replyWith,
  scriptedModel,
  type RecordedRequest,
} from "../../src/doors/testing/index.js";
import { assertValid, callsIn, resultsIn } from "../known-failures/wire.js";
import { LookUp, Support } from "./desk.js";

/** Gives each reader its own copy of what is stored, as a file does. */
class CopyingStore extends MemoryStore {
  override window(threadId: string, before: number, count: number): readonly PastRun[] {
    return structuredClone(super.window(threadId, before, count));
  }
}

const look = (id: string, q: string) => rawCall({ id, name: "look_up", arguments: JSON.stringify({ q }) });

/** A thread of ten runs: ids on the wire that come again, a run without an answer, a model of its own for one run. */
async function conversation(store: Store): Promise<readonly RecordedRequest[]> {
  const model = scriptedModel(
    replyWith("one"),
    rawTurn({ text: "I look.", calls: [look("c1", "a"), look("c2", "b")] }),
    replyWith("two"),
    rawTurn({ calls: [look("c1", "c"), look("c1", "d")] }),
    rawTurn({ calls: [look("c2", "e")] }),
    replyWith("three"),
    failWith(new Error("overloaded")),
    replyWith("five"),
    rawTurn({ calls: [look("c1", "f")] }),
    replyWith("six"),
    replyWith("eight"),
    rawTurn({ calls: [look("c2", "g")] }),
    replyWith("nine"),
    replyWith("ten"),
  );
  const other = scriptedModel(rawTurn({ calls: [look("c1", "h")] }), replyWith("seven"));
  await using app = await createApp(Support, { store, models: { default: model } });
  for (let i = 1; i <= 10; i++) {
    const { status } = await app.run(
      { prompt: `question ${i}` },
      { threadId: "t", runId: `thread-run-${i}`, ...(i === 7 ? { model: other as never } : {}) },
    );
    expect(status).toBe(i === 4 ? "failed" : "completed");
  }
  expect([...model.remaining, ...other.remaining]).toEqual([]);
  return [...model.requests, ...other.requests];
}

test("what a run leaves to the next one of its thread is what the records give", async () => {
  const kept = await conversation(memoryStore());
  expect(JSON.stringify(kept)).toBe(JSON.stringify(await conversation(new CopyingStore(1000))));
});

test("the window moves on run by run, and the messages of two runs on end that have one speaker are one", async () => {
  const requests = (await conversation(memoryStore())).slice(0, 14);
  const users = requests.map(({ messages }) =>
    messages
      .filter(({ role }) => role === "user")
      .map(({ content }) =>
        (content as unknown as readonly { readonly text: string }[])
          .map(({ text }) => text.replace("question ", ""))
          .join("+"),
      ),
  );
  expect(users.at(-1)).toEqual(["5", "6", "7", "8", "9", "10"]);
  expect(users[7]).toEqual(["1", "2", "3", "4+5"]);
  expect(users[8]).toEqual(["1", "2", "3", "4+5", "6"]);
  expect(users[10]).toEqual(["3", "4+5", "6", "7", "8"]);
});

test("an id on the wire is there once in what is sent, and free again once its run is out of the window", async () => {
  const requests = await conversation(memoryStore());
  for (const request of requests) {
    const ids = callsIn(request).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
  const last = JSON.stringify(requests[13]!.messages);
  expect(last).toContain('"toolCallId":"c2"');
  expect(last).not.toContain('"toolCallId":"c1"');
});

test.each([
  ["kept", () => memoryStore()],
  ["read", () => new CopyingStore(1000)],
])("an id on the wire is there once where runs are shown that did not see each other: %s", async (_how, storeOf) => {
  const short = defineAgent({ name: "short", description: "Looks.", tools: [LookUp], history: { turns: 1 } });
  const long = defineAgent({ name: "long", description: "Looks.", tools: [LookUp], history: { turns: 9 } });
  const model = scriptedModel(
    rawTurn({ calls: [look("c1", "a"), look("c2", "b")] }),
    replyWith("one"),
    replyWith("two"),
    rawTurn({ calls: [look("c1", "c"), look("c3", "d")] }),
    replyWith("three"),
    rawTurn({ calls: [look("c1", "e")] }),
    replyWith("four"),
    replyWith("five"),
    rawTurn({ calls: [look("c1", "f")] }),
    replyWith("six"),
    replyWith("seven"),
  );
  const workflow = defineWorkflow({ name: "desk", agents: [short, long] });
  await using app = await createApp(workflow, { store: storeOf(), models: { default: model } });
  for (const [i, agent] of [short, short, short, long, short, short, long].entries())
    await app.run({ prompt: `question ${i}` }, { threadId: "t", runId: `thread-run-${i}`, agent });
  expect(model.remaining).toEqual([]);
  for (const request of model.requests) assertValid(request);
  const shown = model.requests.at(-1);
  expect(callsIn(shown).map(({ input }) => (input as { q: string }).q)).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(resultsIn(shown).map(({ id }) => id)).toEqual(callsIn(shown).map(({ id }) => id));
  // The newest run that has an id keeps it, and what nobody else has stays.
  const [a, b, c, d, e, f] = callsIn(shown).map(({ id }) => id);
  expect([b, d, f]).toEqual(["c2", "c3", "c1"]);
  expect(new Set([a, c, e]).size).toBe(3);
});
