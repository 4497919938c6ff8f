import { RepeatedCallError } from "../errors/run-errors.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { Outcome } from "../protocol/outcome.js";
import { RepeatGuard, REPEATS_END, REPEATS_TOLD } from "../tools/repeat-guard.js";
import { resultText } from "../tools/result-text.js";
import type { RunState } from "./run-state.js";
import { failed } from "./stop-rules.js";
import type { CallRecord, NotedTurn } from "./turn-record.js";

/**
 * Notes the results of a turn for the repeat guard, and gives the outcome where a call was made too often. The first turn is
 * counted only when another one asks for calls: most runs make none after it.
 */
export function noteCalls(state: RunState, turn: NotedTurn): Outcome | undefined {
  if (state.repeats === undefined && state.firstCalls === undefined) {
    state.firstCalls = turn;
    return undefined;
  }
  countFirstCalls(state);
  return counted(state, state.repeats!, turn);
}

/** Before the calls of a turn: from here on the guard is asked. */
export function countFirstCalls(state: RunState): void {
  const first = state.firstCalls;
  if (first === undefined) return;
  state.firstCalls = undefined;
  // None of them was refused for its repeats: there was nothing before it.
  counted(state, (state.repeats = new RepeatGuard()), first);
}

function counted(state: RunState, guard: RepeatGuard, { calls, records, parts }: NotedTurn): Outcome | undefined {
  let outcome: Outcome | undefined;
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i]!;
    const { result, maxChars, repeat } = records[i]!;
    const refused = result.kind === "error" && result.code === "repeated";
    const name = state.ports.tools.find(call.name)?.name ?? call.name;
    if (refused && outcome === undefined) {
      const times = guard.before(name, call.arguments).times + 1;
      if (times >= REPEATS_END) outcome = failed(state, "repeat", new RepeatedCallError(name, times).toJSON());
    }
    // What the model reads, without the note that it was told.
    const text = repeat === undefined ? parts[i]!.content : resultText(result, maxChars);
    guard.made(name, call.arguments, text, refused);
  }
  return outcome;
}

/** The record of a call, with how often it gave this very result where the model is told. */
export function withRepeat(state: RunState, call: ToolCallPart, name: string, record: CallRecord): CallRecord {
  const guard = state.repeats;
  if (guard === undefined || !guard.any) return record;
  const before = guard.before(name, call.arguments);
  if (before.times + 1 < REPEATS_TOLD) return record;
  if (before.result !== resultText(record.result, record.maxChars)) return record;
  return { ...record, repeat: before.times + 1 };
}
