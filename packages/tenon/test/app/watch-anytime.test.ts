import { expect, test } from "vitest";
import { Agent, createApp, defineTool, type App, type RunEvent } from "../../src/doors/tenon/index.js";
import { Int } from "../../src/doors/dto/index.js";
import { callTool, callTools, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { stores } from "./stores.js";

class Wait {
  @Int() ms!: number;
}
const input = {
  input: Wait,
  run: ({ ms }: Wait) => new Promise<string>((done) => setTimeout(() => done(`${ms}`), ms)),
};
const read = defineTool({ name: "read", description: "Reads.", ...input });
const write = defineTool({ name: "write", description: "Writes.", access: "write", ...input });
const asks = defineTool({ name: "asks", description: "Asks first.", access: "write", approval: true, ...input });

@Agent({ name: "clerk", description: "d", tools: [read, write, asks] })
class Clerk {}

const script = () => [
  callTools([
    [read, { ms: 3 }],
    [write, { ms: 1 }],
    [read, { ms: 0 }],
  ]),
  callTools([
    [asks, { ms: 2 }],
    [write, { ms: 4 }],
    [asks, { ms: 1 }],
  ]),
  callTool(read, { ms: 2 }),
  replyWith("one two three four five"),
];

/** What a reader shows who obeys `run-resumed`: by turn what was told of it, and the end. */
function shown(events: readonly RunEvent[]): unknown {
  const turns = new Map<number, unknown[]>();
  const told: unknown[] = [];
  let current = 0;
  for (const event of events) {
    if (event.type === "run-resumed") for (const turn of turns.keys()) if (turn >= event.turn) turns.delete(turn);
    if ("turn" in event) current = event.turn;
    if ("callId" in event) current = Number(event.callId.split("_").at(-2));
    const turn = turns.get(current) ?? [];
    if (event.type === "run-start" || event.type === "run-end")
      told.push([event.type, { ...event, at: 0, seq: 0, activation: "" }]);
    if (event.type === "turn-start" || event.type === "turn-end" || event.type === "usage") turn.push([event.type]);
    if (event.type === "tool-call") turn.push([event.type, event.callId]);
    if (event.type === "tool-end") turn.push([event.type, event.callId, event.result]);
    if (event.type === "approval-request") turn.push([event.type, event.pause.id]);
    if (event.type === "text-delta") {
      const text = turn.find((entry) => (entry as unknown[])[0] === "text") as [string, string] | undefined;
      if (text === undefined) turn.push(["text", event.text]);
      else text[1] += event.text;
    }
    if (turn.length > 0) turns.set(current, turn);
  }
  return [told, [...turns].map(([turn, entries]) => [turn, entries.map((entry) => JSON.stringify(entry)).sort()])];
}

async function all(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const heard: RunEvent[] = [];
  for await (const event of events) heard.push(event);
  return heard;
}

/** Lets watchers come every millisecond or two until `over`, and gives what each heard. */
async function watchAnytime(
  app: App,
  runId: string,
  over: Promise<unknown>,
): Promise<readonly (readonly RunEvent[])[]> {
  const watching: Promise<readonly RunEvent[]>[] = [];
  const state = { over: false };
  void over.then(() => (state.over = true));
  for (let at = 0; !state.over; at++) {
    watching.push(all(app.watch(runId)));
    await (at % 2 === 0 ? new Promise((resolve) => setTimeout(resolve, 1)) : new Promise(setImmediate));
  }
  return Promise.all(watching);
}

test.each(stores)("on %s: whoever comes at whatever moment shows the same in the end", async (_kind, newStore) => {
  for (let round = 0; round < 3; round++) {
    const store = newStore();
    await using app = await createApp(Clerk, { models: { default: scriptedModel(...script()) }, store });
    await using other = await createApp(Clerk, { models: { default: scriptedModel() }, store });
    const runId = `run-${10_000 + round}`;
    const first = app.run({ prompt: "go" }, { runId });
    const [here, there] = await Promise.all([watchAnytime(app, runId, first), watchAnytime(other, runId, first)]);
    const paused = await first;
    expect(paused.pauses).toHaveLength(2);
    const half = shown(await all(app.watch(runId)));
    for (const events of [...here, ...there]) expect(shown(events)).toEqual(half);

    const [one, two] = paused.pauses;
    await app.resume(runId, { [one!.id]: { approved: true, by: "ann" } });
    await app.decide(runId, { [two!.id]: { approved: false, reason: "no" } });
    const second = app.result(runId);
    const watching = [watchAnytime(app, runId, second), watchAnytime(other, runId, second)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    await app.recover();
    expect(await second).toMatchObject({ status: "completed", text: "one two three four five" });
    const whole = shown(await all(other.watch(runId)));
    for (const events of (await Promise.all(watching)).flat()) expect(shown(events)).toEqual(whole);
  }
});
