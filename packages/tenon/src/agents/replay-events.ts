import type { Scope } from "../journal/engine.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { FinishReason } from "../protocol/usage.js";
import type { RunState } from "./run-state.js";
import { callsOf, modelKey, type CallRecord, type TurnRecord } from "./turn-record.js";

/** The first turn that is shown again when a run is picked up: the last one with a recorded answer, or the first. */
export function lastRecordedTurn(scope: Scope): number {
  let turn = 1;
  while (scope.recordedBefore(modelKey(turn + 1))) turn++;
  return turn;
}

/** Tells of a turn's answer: what streamed by is not told again, except of an answer that was recorded earlier. */
export function tellAnswer(state: RunState, turn: number, answer: TurnRecord, replayed: boolean): void {
  const { emit } = state;
  if (emit === undefined) return;
  if (replayed)
    for (const { model, usage, error } of answer.failedAttempts ?? [])
      emit({ type: "usage", turn, model, usage, failed: error });
  if (answer.kind === "answer") {
    for (const part of answer.parts) {
      if (part.type === "tool-call") continue;
      if (replayed && part.type === "text") emit({ type: "text-delta", turn, text: part.text });
      if (replayed && part.type === "reasoning") emit({ type: "reasoning-delta", turn, text: part.text });
    }
    for (const call of callsOf(answer.parts))
      emit({ type: "tool-call", turn, callId: call.callId, name: call.name, arguments: call.arguments });
  }
  emit({ type: "usage", turn, model: answer.model, usage: answer.usage });
}

/** Tells of a turn's end, and first of the results that were recorded earlier. */
export function tellTurnEnd(
  state: RunState,
  turn: number,
  finish: FinishReason,
  calls: readonly ToolCallPart[],
  records: readonly CallRecord[],
): void {
  const { emit } = state;
  if (emit === undefined) return;
  for (const [i, call] of calls.entries()) {
    if (state.told?.has(call.callId) !== false) continue;
    emit({ type: "tool-end", callId: call.callId, name: call.name, result: records[i]!.result, durationMs: 0 });
  }
  emit({ type: "turn-end", turn, finish });
}
