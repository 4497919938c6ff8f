import type { JournalRecord, PastRun, RunRow } from "../journal/store.js";
import type { Message, ToolCallPart, ToolResultPart, UserMessage } from "../protocol/message.js";
import type { ToolResult } from "../protocol/tool-result.js";
import type { Admission } from "../tools/invoke-tool.js";
import { resultText } from "../tools/result-text.js";
import { callKey, callsOf, modelKey, type CallRecord, type TurnRecord } from "./turn-record.js";

/** The user's message, as the model sees it. */
export function userMessage(prompt: string): UserMessage {
  return { role: "user", parts: [{ type: "text", text: prompt }] };
}

/** The result of a call, as the model sees it. */
export function resultPart(call: ToolCallPart, record: CallRecord): ToolResultPart {
  return {
    type: "tool-result",
    callId: call.callId,
    name: call.name,
    ok: record.result.kind === "ok",
    content: resultText(record.result, record.maxChars),
  };
}

const derived: WeakMap<RunRow, readonly Message[]> = new WeakMap();

/**
 * The messages of a run that has ended, derived from its records: they are stored once. Always a valid history: a call
 * without a recorded result gets one that says what is known of it.
 */
export function messagesOf({ run, records }: PastRun): readonly Message[] {
  const known = derived.get(run);
  if (known !== undefined) return known;
  const byKey = new Map(records.map((record) => [record.key, record]));
  const messages: Message[] = [userMessage(run.prompt)];
  for (let turn = 1; ; turn++) {
    const answer = byKey.get(modelKey(turn))?.value as TurnRecord | undefined;
    if (answer === undefined || answer.kind !== "answer") break;
    if (answer.parts.length > 0) messages.push({ role: "assistant", parts: answer.parts });
    const calls = callsOf(answer.parts);
    if (calls.length === 0) break;
    messages.push({ role: "tool", parts: calls.map((call) => resultPart(call, recordOf(byKey, turn, call))) });
  }
  derived.set(run, messages);
  return messages;
}

/** What is recorded of a call, in whichever of its records; else what its journal tells of its end. */
function recordOf(byKey: ReadonlyMap<string, JournalRecord>, turn: number, call: ToolCallPart): CallRecord {
  const key = callKey(turn, call.callId);
  const found = (byKey.get(key) ?? byKey.get(`${key}/run:1`))?.value as CallRecord | undefined;
  if (found !== undefined) return found;
  const admission = byKey.get(`${key}/admit`)?.value as Admission | undefined;
  if (admission?.kind === "refused") return { result: admission.result };
  const started = admission?.kind === "admitted" || byKey.has(`${key}/wait:1`);
  return { result: started ? unknownOutcome(call.name) : notRun(call.name) };
}

/** The result of a call that had not started when its run ended. */
export function notRun(name: string): ToolResult {
  return { kind: "error", code: "cancelled", message: `${name} was not started: the run was stopped` };
}

/** The result of a write that may have happened: it started, and nothing is known of its end. */
export function unknownOutcome(name: string): ToolResult {
  return {
    kind: "error",
    code: "unknown_outcome",
    message: `${name} was interrupted after it started. It may have completed: check before you repeat it`,
  };
}
