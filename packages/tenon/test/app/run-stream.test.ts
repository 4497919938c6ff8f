import { expect, test } from "vitest";
import { RunStream } from "../../src/app/run-stream.js";
import type { RunResult } from "../../src/app/run-result.js";
import type { RunEvent } from "../../src/protocol/event.js";

const result = { text: "done" } as RunResult;

/** A stream with what a run would do with it. */
function opened() {
  const run = Promise.withResolvers<RunResult>();
  let tell!: (event: RunEvent) => void;
  const left: string[] = [];
  const stream = new RunStream(
    (listener) => {
      tell = listener;
      return run.promise;
    },
    () => left.push("left"),
  );
  return { stream, tell, run, left };
}

let seq = 0;
const at = { runId: "r", activation: "a", at: 1 };

function delta(text: string, type: "text-delta" | "reasoning-delta" = "text-delta", turn = 1): RunEvent {
  return Object.freeze({ type, turn, text, seq: ++seq, ...at });
}

function textOf(next: IteratorResult<RunEvent, undefined>): unknown {
  return next.done ? "end" : (next.value as { readonly text?: string }).text;
}

test("readers that wait get the events in the order they came, each one event, then the end", async () => {
  const { stream, tell, run } = opened();
  const reads = [stream.next(), stream.next(), stream.next(), stream.next()];
  for (const text of ["a", "b"]) tell(delta(text));
  run.resolve(result);
  expect(await Promise.all(reads.map(async (read) => textOf(await read)))).toEqual(["a", "b", "end", "end"]);
  expect(textOf(await stream.next())).toBe("end");
});

test("events that came before anybody read are there, in order, also when reading and telling take turns", async () => {
  const { stream, tell, run } = opened();
  const texts: unknown[] = [];
  for (let i = 0; i < 3_000; i++) {
    tell(delta(`${i} `, i % 2 === 0 ? "text-delta" : "reasoning-delta"));
    if (i % 3 !== 0) texts.push(textOf(await stream.next()));
  }
  run.resolve(result);
  await stream.result;
  for await (const event of stream) texts.push((event as { readonly text: string }).text);
  expect(texts).toEqual(Array.from({ length: 3_000 }, (_, i) => `${i} `));
});

test("past a thousand events that nobody reads, deltas of one kind and turn are merged, and nothing else", async () => {
  const { stream, tell, run } = opened();
  for (let i = 0; i < 1_100; i++) tell(delta("x"));
  tell(delta("y", "reasoning-delta"));
  tell(delta("y", "reasoning-delta"));
  tell(delta("z", "text-delta", 2));
  tell({ type: "turn-start", turn: 3, agent: "b", seq: ++seq, ...at });
  run.resolve(result);
  await stream.result;
  const events: RunEvent[] = [];
  for await (const event of stream) events.push(event);
  expect(events).toHaveLength(1_003);
  expect(events.slice(0, 999).every((event) => event.type === "text-delta" && event.text === "x")).toBe(true);
  expect(events.slice(999).map((event) => ("text" in event ? event.text : event.type))).toEqual([
    "x".repeat(101),
    "yy",
    "z",
    "turn-start",
  ]);
  expect(events.every((event) => event.type === "turn-start" || Object.isFrozen(event))).toBe(true);
});

test("pieces of a call's arguments are merged with those of the same call alone", async () => {
  const { stream, tell, run } = opened();
  const input = (callId: string, text: string): RunEvent =>
    Object.freeze({ type: "tool-input-delta", turn: 1, callId, name: "t", text, seq: ++seq, ...at });
  for (let i = 0; i < 1_000; i++) tell(delta("x"));
  for (const one of ["a1", "a2", "b3", "b4", "a5"]) tell(input(one[0]!, one[1]!));
  run.resolve(result);
  await stream.result;
  const events: RunEvent[] = [];
  for await (const event of stream) events.push(event);
  expect(
    events.slice(1_000).map((event) => "callId" in event && "text" in event && [event.callId, event.text]),
  ).toEqual([
    ["a", "12"],
    ["b", "34"],
    ["a", "5"],
  ]);
});

test("a run that cannot start: the first who waits gets the error, the others the end", async () => {
  const { stream, run } = opened();
  const reads = [stream.next(), stream.next()];
  run.reject(new Error("busy"));
  await expect(reads[0]).rejects.toThrow("busy");
  expect(textOf(await reads[1]!)).toBe("end");
  expect(textOf(await stream.next())).toBe("end");
});

test("leaving cancels once, ends those who wait, and drops what was not read", async () => {
  const { stream, tell, run, left } = opened();
  tell(delta("a"));
  tell(delta("b"));
  expect(textOf(await stream.next())).toBe("a");
  await stream.return();
  await stream.return();
  expect(left).toEqual(["left"]);
  expect(textOf(await stream.next())).toBe("end");
  tell(delta("c"));
  run.resolve(result);
  await stream.result;
  expect(textOf(await stream.next())).toBe("end");

  const waited = opened();
  const reads = [waited.stream.next(), waited.stream.next()];
  await waited.stream.return();
  expect(await Promise.all(reads.map(async (read) => textOf(await read)))).toEqual(["end", "end"]);
  waited.run.resolve(result);
});
