import { NO_MODEL } from "../agents/run-tool.js";
import { recordedCall } from "../agents/transcript.js";
import { callsOf, modelKey, type TurnRecord } from "../agents/turn-record.js";
import type { JournalRecord } from "../journal/store.js";
import type { RunEventBody } from "../protocol/event.js";
import type { Pause } from "../protocol/pause.js";
import type { Toolset } from "../tools/toolset.js";

/** An event that the journal tells. */
export interface RecordedEvent {
  /** What it is about, unique in its turn: told once. */
  readonly what: string;
  readonly body: RunEventBody;
}

/** A turn as the journal tells it so far. */
export interface RecordedTurn {
  readonly turn: number;
  /** The activations that recorded something of it, in order. */
  readonly activations: readonly string[];
  /** In the order in which they happened, as far as the journal tells. */
  readonly events: readonly RecordedEvent[];
}

/** The turns of a run from `from` on, as events: what was recorded, without what only a listener hears. */
export function recordedTurns(
  records: readonly JournalRecord[],
  open: readonly Pause[],
  agent: string,
  tools: Toolset | undefined,
  from: number,
): readonly RecordedTurn[] {
  const byKey = new Map(records.map((record) => [record.key, record]));
  const turns: RecordedTurn[] = [];
  for (let turn = from; ; turn++) {
    const answer = byKey.get(modelKey(turn))?.value as TurnRecord | undefined;
    const head = `turn:${turn}/`;
    const activations = new Set<string>();
    for (const { key, activation } of records) if (key.startsWith(head)) activations.add(activation);
    if (answer === undefined) {
      // Its model call waits for money.
      const pause = open.find(({ callId }) => callId.endsWith(`_${turn}_0`));
      const events =
        pause === undefined ? [] : [{ what: `pause:${pause.id}`, body: { type: "pause", pause } as const }];
      if (events.length > 0) turns.push({ turn, activations: [...activations], events });
      return turns;
    }
    turns.push({
      turn,
      activations: [...activations],
      events: [...answerEvents(turn, answer, agent), ...callEvents(byKey, turn, answer, open, tools)],
    });
  }
}

function* answerEvents(turn: number, answer: TurnRecord, agent: string): Iterable<RecordedEvent> {
  yield { what: "start", body: { type: "turn-start", turn, agent } };
  for (const [at, { model, usage, error }] of (answer.failedAttempts ?? []).entries())
    yield { what: `attempt:${at}`, body: { type: "usage", turn, model, usage, failed: error } };
  if (answer.kind === "answer") {
    for (const [at, part] of answer.parts.entries()) {
      if (part.type === "text") yield { what: `delta:${at}`, body: { type: "text-delta", turn, text: part.text } };
      if (part.type === "reasoning")
        yield { what: `delta:${at}`, body: { type: "reasoning-delta", turn, text: part.text } };
    }
    for (const { callId, name, arguments: text } of callsOf(answer.parts))
      yield { what: `call:${callId}`, body: { type: "tool-call", turn, callId, name, arguments: text } };
  }
  // A call that somebody else asked for used no model.
  if (answer.model !== NO_MODEL)
    yield { what: "usage", body: { type: "usage", turn, model: answer.model, usage: answer.usage } };
}

function* callEvents(
  byKey: ReadonlyMap<string, JournalRecord>,
  turn: number,
  answer: TurnRecord,
  open: readonly Pause[],
  tools: Toolset | undefined,
): Iterable<RecordedEvent> {
  if (answer.kind !== "answer") return;
  const calls = callsOf(answer.parts);
  let left = calls.length;
  for (const call of calls) {
    const { callId } = call;
    const result = recordedCall(byKey, turn, call)?.result;
    if (result === undefined) continue;
    left--;
    const name = tools?.find(call.name)?.name ?? call.name;
    yield { what: `end:${callId}`, body: { type: "tool-end", callId, name, result, durationMs: 0 } };
  }
  for (const pause of open) {
    if (!calls.some(({ callId }) => callId === pause.callId)) continue;
    const type = pause.kind === "approval" ? "approval-request" : "pause";
    yield { what: `pause:${pause.id}`, body: { type, pause } };
  }
  if (left === 0) yield { what: "end", body: { type: "turn-end", turn, finish: answer.finish } };
}
