import { Agent, createApp, defineTool, type RunEvent } from "../../src/doors/tenon/index.js";
import { PlainText } from "../../src/doors/dto/index.js";
import { callTool, scriptedModel } from "../../src/doors/testing/index.js";
import { expect, test } from "vitest";

const unclear: readonly (readonly [string, () => unknown, RegExp])[] = [
  [
    "throws",
    () => {
      throw new Error("the ledger is away");
    },
    /the ledger is away/,
  ],
  ["rejects", () => Promise.reject(new Error("the ledger is away")), /the ledger is away/],
  ["gives nothing", () => undefined, /none of `done`/],
  ["gives another outcome", () => ({ outcome: "maybe" }), /none of `done`/],
  ["gives `done` without a value", () => ({ outcome: "done" }), /none of `done`/],
  ["gives a value that does not fit", () => ({ outcome: "done", value: { txt: 1 } }), /text/],
  ["never answers", () => new Promise(() => {}), /no answer in 25 ms/],
];

test.each(unclear)(
  "a reconcile that %s is told as a hook that failed, and a person is asked",
  async (_how, found, message) => {
    const events = await eventsOf(found);
    expect(events.filter(({ type }) => type === "hook-error")).toEqual([
      expect.objectContaining({ hook: "reconcile", message: expect.stringMatching(message) }),
    ]);
    expect(events.at(-1)).toMatchObject({ type: "run-end", status: "paused" });
  },
);

test("a reconcile that says that it does not know has not failed", async () => {
  const events = await eventsOf(() => ({ outcome: "unknown" }));
  expect(events.filter(({ type }) => type === "hook-error")).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "paused" });
});

/** What is told of a run whose write hangs until its time is over. */
async function eventsOf(reconcile: () => unknown): Promise<RunEvent[]> {
  class Clerk {}
  const post = defineTool({
    name: "post",
    description: "Posts a letter.",
    output: PlainText,
    access: "write",
    timeoutMs: 25,
    run: () => new Promise<PlainText>(() => {}),
    reconcile: reconcile as never,
  });
  Agent({ name: "clerk", description: "Posts.", prompt: "Post.", tools: [post] })(Clerk);
  const model = scriptedModel();
  model.thenReturn(callTool(post));
  await using app = await createApp(Clerk, { models: { default: model } });
  const events: RunEvent[] = [];
  await app.run({ prompt: "Go." }, { onEvent: (event) => events.push(event) });
  return events;
}
