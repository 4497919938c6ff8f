import type { JournalRecord, PastRun } from "../journal/store.js";
import type { JsonValue } from "../protocol/json.js";
import type { Message, ToolCallPart, ToolResultPart, UserMessage } from "../protocol/message.js";
import type { ToolResult } from "../protocol/tool-result.js";
import type { Admission } from "../tools/invoke-tool.js";
import { filesOf } from "../tools/media.js";
import { repeatNote } from "../tools/repeat-guard.js";
import { resultText } from "../tools/result-text.js";
import { callKey, callsOf, modelKey, type CallRecord, type TurnRecord } from "./turn-record.js";

/** The user's message, as the model sees it: well-formed text. */
export function userMessage(prompt: string): UserMessage {
  return { role: "user", parts: [{ type: "text", text: prompt.toWellFormed() }] };
}

/** The result of a call, as the model sees it. */
export function resultPart(call: ToolCallPart, record: CallRecord): ToolResultPart {
  const content = resultText(record.result, record.maxChars);
  // Where the model reads of a file, the file itself goes along.
  const files =
    record.result.kind === "ok" && content.includes(" bytes]") ? filesOf(record.result.value as JsonValue) : undefined;
  const part: ToolResultPart = {
    type: "tool-result",
    callId: call.callId,
    name: call.name,
    ok: record.result.kind === "ok",
    content: record.repeat === undefined ? content : content + repeatNote(record.repeat),
  };
  return files === undefined || files.length === 0 ? part : { ...part, files };
}

/**
 * The messages of a run that has ended, derived from its records: they are stored once. Always a valid history: a call
 * without a recorded result gets one that says what is known of it.
 */
export function messagesOf({ run, records }: PastRun): readonly Message[] {
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
  return messages;
}

/** What is recorded of a call's end, in whichever of its records; `undefined` where nothing is. */
export function recordedCall(
  byKey: ReadonlyMap<string, JournalRecord>,
  turn: number,
  call: ToolCallPart,
): CallRecord | undefined {
  const key = callKey(turn, call.callId);
  const found = (byKey.get(key) ?? byKey.get(`${key}/run:1`))?.value as CallRecord | undefined;
  if (found !== undefined) return found;
  const admission = byKey.get(`${key}/admit`)?.value as Admission | undefined;
  return admission?.kind === "refused" ? { result: admission.result } : undefined;
}

/** What is recorded of a call; else what the journal of its ended run tells of its end. */
function recordOf(byKey: ReadonlyMap<string, JournalRecord>, turn: number, call: ToolCallPart): CallRecord {
  const found = recordedCall(byKey, turn, call);
  if (found !== undefined) return found;
  const key = callKey(turn, call.callId);
  const admission = byKey.get(`${key}/admit`)?.value as Admission | undefined;
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
