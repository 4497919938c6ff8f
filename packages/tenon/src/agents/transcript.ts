import type { JournalRecord, PastRun } from "../journal/store.js";
import type { JsonValue } from "../protocol/json.js";
import type { AssistantPart, Message, ToolCallPart, ToolResultPart, UserMessage } from "../protocol/message.js";
import type { Decision, Lapsed } from "../protocol/pause.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { Admission } from "../tools/admission.js";
import { filesOf } from "../tools/media.js";
import { repeatNote } from "../tools/repeat-guard.js";
import { readResult } from "../tools/result-text.js";
import { canonicalJson } from "../util/canonical-json.js";
import {
  callKey,
  callsOf,
  isOpen,
  modelKey,
  type CallRecord,
  type OpenRecord,
  type TurnRecord,
} from "./turn-record.js";

/** The user's message, as the model sees it. The prompt of a run is well-formed: it was made so before it was stored. */
export function userMessage(prompt: string): UserMessage {
  return { role: "user", parts: [{ type: "text", text: prompt }] };
}

/** The result of a call, as the model sees it. */
export function resultPart(call: ToolCallPart, record: CallRecord): ToolResultPart {
  const { text: content, ofFiles } = readResult(record.result, record.maxChars);
  // Where the model reads of a file, the file itself goes along.
  const files = ofFiles && record.result.kind === "ok" ? filesOf(record.result.value as JsonValue) : undefined;
  let part: ToolResultPart = {
    type: "tool-result",
    callId: call.callId,
    name: call.name,
    ok: record.result.kind === "ok",
    content: content + notesOf(record),
  };
  if (record.untrusted === true) part = { ...part, untrusted: true };
  return files === undefined || files.length === 0 ? part : { ...part, files };
}

/** What the model reads below a result. */
function notesOf({ repeat, edited }: CallRecord): string {
  const edit = edited === undefined ? "" : "\n[note: a person changed the input before the call ran]";
  return repeat === undefined ? edit : edit + repeatNote(repeat);
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
    const calls = callsOf(answer.parts);
    const ends = calls.map((call) => recordOf(byKey, turn, call));
    const edits = editsOf(calls, ends);
    const parts = edits === undefined ? answer.parts : withEdits(answer.parts, edits);
    if (parts.length > 0) messages.push({ role: "assistant", parts });
    if (calls.length === 0) break;
    messages.push({ role: "tool", parts: calls.map((call, i) => resultPart(call, ends[i]!)) });
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
  const plain = byKey.get(key)?.value as CallRecord | OpenRecord | undefined;
  if (plain !== undefined && !isOpen(plain)) return plain;
  for (let attempt = plain?.kind === "suspended" ? 2 : 1; ; attempt++) {
    const record = byKey.get(`${key}/run:${attempt}`)?.value as CallRecord | OpenRecord | undefined;
    if (record === undefined) break;
    if (isOpen(record)) continue;
    const admitted = byKey.get(`${key}/admit`)?.value as Admission | undefined;
    return withEdit(
      record,
      plain?.kind === "asked" ? plain.admission : admitted,
      byKey.get(`${key}/edit`)?.value as Admission | undefined,
    );
  }
  for (const refusable of ["edit", "admit"]) {
    const admission = byKey.get(`${key}/${refusable}`)?.value as Admission | undefined;
    if (admission?.kind === "refused") return { result: admission.result };
  }
  return undefined;
}

/** An edit that changes nothing is none. */
function withEdit(record: CallRecord, before: Admission | undefined, edit: Admission | undefined): CallRecord {
  if (edit?.kind !== "admitted" || before === undefined || before.kind === "refused") return record;
  return canonicalJson(before.input) === canonicalJson(edit.input) ? record : { ...record, edited: edit.input };
}

/** The parts of an answer with the inputs that its calls ran with: a person may have changed one. */
export function withEdits(
  parts: readonly AssistantPart[],
  edits: ReadonlyMap<string, JsonValue>,
): readonly AssistantPart[] {
  return parts.map((part) => {
    const edited = part.type === "tool-call" ? edits.get(part.callId) : undefined;
    return edited === undefined ? part : ({ ...part, input: edited } as AssistantPart);
  });
}

/** The inputs that a person changed, by call id; `undefined` where there is none. */
export function editsOf(
  calls: readonly ToolCallPart[],
  records: readonly CallRecord[],
): ReadonlyMap<string, JsonValue> | undefined {
  let edits: Map<string, JsonValue> | undefined;
  for (let i = 0; i < calls.length; i++) {
    const { edited } = records[i]!;
    if (edited !== undefined) (edits ??= new Map()).set(calls[i]!.callId, edited);
  }
  return edits;
}

/** The input that a call was admitted with, wherever it is recorded. */
export function admittedInput(records: readonly JournalRecord[], callId: string): JsonValue | undefined {
  for (const { key, value } of records) {
    if (key.endsWith(`/call:${callId}/admit`)) {
      const admission = value as unknown as Admission;
      return admission.kind === "refused" ? undefined : admission.input;
    }
    if (!key.endsWith(`/call:${callId}`)) continue;
    const open = value as unknown as CallRecord | OpenRecord;
    if (isOpen(open) && open.kind === "asked") return open.admission.input;
    if (isOpen(open) && open.kind === "suspended") return open.input;
  }
  return undefined;
}

/** What is recorded of a call; else what the journal of its ended run tells of its end. */
function recordOf(byKey: ReadonlyMap<string, JournalRecord>, turn: number, call: ToolCallPart): CallRecord {
  const found = recordedCall(byKey, turn, call);
  if (found !== undefined) return found;
  const key = callKey(turn, call.callId);
  const admission = byKey.get(`${key}/admit`)?.value as Admission | undefined;
  // Where somebody was asked, the answer says that it may have started; a question that nobody answered never does.
  const first = byKey.get(`${key}/wait:1`)?.value as Decision | Lapsed | undefined;
  const started =
    admission?.kind === "admitted" || (first !== undefined && "approved" in first && first.approved) || byKey.has(key);
  return { result: started ? unknownOutcome(call.name) : notRun(call.name) };
}

/** The result of a call that had not started when its run ended. */
export function notRun(name: string): ToolResult {
  return { kind: "error", code: "cancelled", message: `${name} was not started: the run was stopped` };
}

/** The result of a write that may have happened: it started, and nothing is known of its end. */
export function unknownOutcome(name: string): ToolFailure {
  return {
    kind: "error",
    code: "unknown_outcome",
    message: `${name} was interrupted after it started. It may have completed: check before you repeat it`,
  };
}
