import type { AnswerPart } from "../llm/model.js";
import type { JsonValue } from "../protocol/json.js";
import type { AssistantPart, ToolCallPart, ToolResultPart } from "../protocol/message.js";
import type { ErrorData } from "../protocol/outcome.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { FinishReason, Usage } from "../protocol/usage.js";
import type { Admission } from "../tools/admission.js";
import type { Suspension } from "../tools/resumption.js";

/** An attempt of a model call that another one followed. */
export interface FailedAttempt {
  readonly model: string;
  readonly error: ErrorData;
  readonly usage: Usage;
}

/** What is recorded of a model call, under `turn:<n>/model`. `model` is who was asked last. */
export type TurnRecord = { readonly failedAttempts?: readonly FailedAttempt[] | undefined } & (
  | {
      readonly kind: "answer";
      readonly parts: readonly AssistantPart[];
      readonly finish: FinishReason;
      readonly usage: Usage;
      readonly model: string;
    }
  | { readonly kind: "failed"; readonly error: ErrorData; readonly usage: Usage; readonly model: string }
  /** The run was canceled while the model was answering. */
  | { readonly kind: "stopped"; readonly usage: Usage; readonly model: string }
);

/** What is recorded of a call's result. */
export interface CallRecord {
  readonly result: ToolResult;
  /** The tool's own cap on what the model reads, where it is not the default. */
  readonly maxChars?: number | undefined;
  readonly costNanoUsd?: number | undefined;
  /** The how-manieth call it is with the same input and result, where the model is told. */
  readonly repeat?: number | undefined;
  /** The result holds words of strangers. */
  readonly untrusted?: true | undefined;
  /** The input that it ran with, where a person changed it. */
  readonly edited?: JsonValue | undefined;
}

/** The calls of a turn with what was recorded of them, and what the model reads. */
export interface NotedTurn {
  readonly calls: readonly ToolCallPart[];
  readonly records: readonly CallRecord[];
  readonly parts: readonly ToolResultPart[];
}

/** What is recorded of an attempt of a call that has no result yet. */
export type OpenRecord = { readonly costNanoUsd?: number | undefined } & (
  | {
      /** Its handler asked a question. */
      readonly kind: "suspended";
      readonly suspension: Suspension;
      readonly input: JsonValue;
      readonly digest: string;
    }
  | {
      /** It was interrupted after it started, and somebody has to find out what happened. */
      readonly kind: "doubt";
      readonly interruption: "crash" | "timeout" | "cancel";
      /** What the model reads where nobody finds out. */
      readonly failure: ToolFailure;
      readonly digest: string;
    }
  /** A plain read that a hook asks about. */
  | { readonly kind: "asked"; readonly admission: Admission & { readonly kind: "ask" } }
);

/** Tells an attempt that has no result from one that has. */
export function isOpen(record: CallRecord | OpenRecord): record is OpenRecord {
  return !("result" in record);
}

/** Keys of the journal. */
export function modelKey(turn: number): string {
  return (modelKeys[turn] ??= `turn:${turn}/model`);
}

/** Every run has the same ones: as many as the longest run so far has turns. */
const modelKeys: string[] = [];

export function callKey(turn: number, callId: string): string {
  return (callKeyStarts[turn] ??= `turn:${turn}/call:`) + callId;
}

const callKeyStarts: string[] = [];

/** Tenon's own call id without its last part, the position in its turn, counted from 1. The whole is the same on every issue of the call, and different across runs and stores. */
export function callIdStart(runId: string, turn: number): string {
  return "call_" + runId + (turnsOfIds[turn] ??= `_${turn}_`);
}

/** Cached like the keys: each piece that an id is put together from is an object that lives as long as its run is kept. */
const turnsOfIds: string[] = [];

/** The calls of an answer, in order. */
export function callsOf(parts: readonly AssistantPart[]): readonly ToolCallPart[] {
  let calls: ToolCallPart[] | undefined;
  // Two iterators a turn would cost more than all else here.
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.type !== "tool-call") continue;
    if (calls === undefined) calls = [part];
    else calls.push(part);
  }
  return calls ?? none;
}

const none: readonly ToolCallPart[] = [];

/** The text of an answer. */
export function textOfParts(parts: readonly AssistantPart[]): string {
  let text = "";
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.type === "text") text += part.text;
  }
  return text;
}

/** The parts of an answer without texts that say nothing. */
export function withoutEmptyText(parts: readonly AnswerPart[]): readonly AnswerPart[] {
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.type === "text" && part.text === "")
      return parts.filter((other) => other.type !== "text" || other.text !== "");
  }
  return parts;
}
