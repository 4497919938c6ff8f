import { RepeatedCallError } from "../errors/run-errors.js";
import type { ToolCallPart, ToolResultPart } from "../protocol/message.js";
import type { Outcome } from "../protocol/outcome.js";
import { RepeatGuard, REPEATS_END, REPEATS_TOLD } from "../tools/repeat-guard.js";
import { resultText } from "../tools/result-text.js";
import type { RunState } from "./run-state.js";
import { failed } from "./stop-rules.js";
import type { CallRecord } from "./turn-record.js";

/** Notes the results of a turn for the repeat guard, and gives the outcome where a call was made too often. */
export function noteCalls(
  state: RunState,
  calls: readonly ToolCallPart[],
  records: readonly CallRecord[],
  parts: readonly ToolResultPart[],
): Outcome | undefined {
  const guard = (state.repeats ??= new RepeatGuard());
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
