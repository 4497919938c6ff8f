import { recordedCall } from "../agents/transcript.js";
import { callKey, callsOf, modelKey, textOfParts, type TurnRecord } from "../agents/turn-record.js";
import { usageOfRecords } from "../agents/usage-of-records.js";
import type { JournalRecord, PastRun } from "../journal/store.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { ErrorData, RunUsage } from "../protocol/outcome.js";
import type { Pause, PauseAudit } from "../protocol/pause.js";
import type { ToolResult } from "../protocol/tool-result.js";
import type { FinishReason } from "../protocol/usage.js";
import { parseArguments } from "../schema/parse-arguments.js";
import type { Admission } from "../tools/admission.js";
import type { Toolset } from "../tools/toolset.js";
import type { RunSummary } from "./run-summary.js";
import { shownAudit } from "./shown-audit.js";

/** One call of a turn. */
export interface RunCall {
  readonly callId: string;
  /** The name as the model gave it. */
  readonly tool: string;
  /**
   * The checked input in its JSON form, as a person may have changed it, values of sensitive fields masked. `undefined` where the arguments do not fit, or the
   * agent has no such tool now: then nobody knows what of it is sensitive.
   */
  readonly input: JsonValue | undefined;
  /** `undefined` where none is recorded. */
  readonly result: ToolResult | undefined;
}

/** One model call of a run and what it asked for. */
export interface RunTurn {
  /** From 1. */
  readonly turn: number;
  /** Who answered, or was asked last. */
  readonly model: string;
  /** The attempts before that one, in order. */
  readonly failedAttempts: readonly { readonly model: string; readonly error: ErrorData }[];
  /** Why the model stopped; `undefined` where it gave no answer. */
  readonly finish: FinishReason | undefined;
  readonly text: string;
  readonly calls: readonly RunCall[];
  /** Why there is no answer. */
  readonly error: ErrorData | undefined;
}

/** A run with what it did so far, by its journal. Plain data, a copy; what is never stored (the execution context) is not in it. */
export interface RunDetails extends RunSummary {
  readonly owner: string | undefined;
  readonly metadata: JsonObject;
  readonly turns: readonly RunTurn[];
  /** Those that are open. */
  readonly pauses: readonly Pause[];
  /** All pauses in the order they opened, with who decided what, and when. Values of sensitive fields in edits are masked. */
  readonly audit: readonly PauseAudit[];
  readonly usage: RunUsage;
  /** The answer; empty where there is none yet. */
  readonly text: string;
  /** Why it failed. */
  readonly error: ErrorData | undefined;
}

/** Puts together what the journal tells of a run. `tools` are those that its agent has now. */
export async function detailsOf(
  summary: RunSummary,
  { run, records }: PastRun,
  pauses: readonly Pause[],
  audit: readonly PauseAudit[],
  tools: Toolset | undefined,
): Promise<RunDetails> {
  const { owner, metadata, outcome } = run;
  return structuredClone({
    ...summary,
    owner,
    metadata,
    turns: await turnsOf(records, tools),
    pauses,
    audit: await shownAudit(audit, records, tools),
    usage: outcome?.usage ?? usageOfRecords(records),
    text: outcome?.text ?? "",
    error: outcome?.error,
  });
}

async function turnsOf(records: readonly JournalRecord[], tools: Toolset | undefined): Promise<readonly RunTurn[]> {
  const byKey = new Map(records.map((record) => [record.key, record]));
  const turns: RunTurn[] = [];
  for (let turn = 1; ; turn++) {
    const record = byKey.get(modelKey(turn))?.value as TurnRecord | undefined;
    if (record === undefined) return turns;
    const { model } = record;
    const failedAttempts = (record.failedAttempts ?? []).map((attempt) => ({
      model: attempt.model,
      error: attempt.error,
    }));
    if (record.kind !== "answer") {
      const error = record.kind === "failed" ? record.error : undefined;
      turns.push({ turn, model, failedAttempts, finish: undefined, text: "", calls: [], error });
      continue;
    }
    const calls = callsOf(record.parts).map(async (call): Promise<RunCall> => {
      const input = await inputOf(byKey, turn, call, tools);
      return { callId: call.callId, tool: call.name, input, result: recordedCall(byKey, turn, call)?.result };
    });
    turns.push({
      turn,
      model,
      failedAttempts,
      finish: record.finish,
      text: textOfParts(record.parts),
      calls: await Promise.all(calls),
      error: undefined,
    });
  }
}

async function inputOf(
  byKey: ReadonlyMap<string, JournalRecord>,
  turn: number,
  call: ToolCallPart,
  tools: Toolset | undefined,
): Promise<JsonValue | undefined> {
  const tool = tools?.find(call.name);
  if (tool === undefined) return undefined;
  const key = callKey(turn, call.callId);
  for (const record of ["edit", "admit"]) {
    const admission = byKey.get(`${key}/${record}`)?.value as Admission | undefined;
    if (admission !== undefined && admission.kind !== "refused") return tool.input.mask(admission.input);
  }
  // A plain read records no input of its own: it is made again from the arguments, so that repairs are masked too.
  const parsed = parseArguments(call.arguments);
  if (!parsed.ok) return undefined;
  const checked = await tool.input.check(parsed.value);
  return checked.ok ? tool.input.mask(checked.input) : undefined;
}
