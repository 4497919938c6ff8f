import type { RunRow } from "../journal/store.js";
import type { CutOff, ErrorData, Outcome, RunUsage, StopReason } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";

interface ResultBase {
  readonly runId: string;
  readonly threadId: string;
  readonly stopReason: StopReason;
  readonly text: string;
  readonly usage: RunUsage;
  /** Open pauses; only a paused run has any. */
  readonly pauses: readonly Pause[];
}

/** How a run ended, or that it waits. What happened inside a run is its status, never a throw. */
export type RunResult<T = string> =
  | (ResultBase & {
      readonly status: "completed";
      readonly output: T;
      /** Only there where the answer is not whole: what cut it off. */
      readonly finish?: CutOff | undefined;
      readonly error?: undefined;
    })
  | (ResultBase & { readonly status: "paused" | "cancelled"; readonly output?: undefined; readonly error?: undefined })
  | (ResultBase & { readonly status: "failed"; readonly output?: undefined; readonly error: ErrorData });

/** The result of a run that has ended. */
export function endedResult(run: RunRow, outcome: Outcome): RunResult<any> {
  const { status, stopReason, text, usage, error } = outcome;
  const { id: runId, threadId } = run;
  if (status === "completed") {
    const result = { runId, threadId, status, stopReason, text, output: text, usage, pauses: none };
    return outcome.finish === undefined ? result : { ...result, finish: outcome.finish };
  }
  const base = { runId, threadId, stopReason, text, usage, pauses: none };
  return status === "failed" ? { ...base, status, error: error! } : { ...base, status };
}

/** The result of a run that waits for a person. */
export function pausedResult(run: RunRow, pauses: readonly Pause[], usage: RunUsage): RunResult<any> {
  return { runId: run.id, threadId: run.threadId, status: "paused", stopReason: "pause", text: "", usage, pauses };
}

/** The result of a run that was stopped before it was started; nothing of it is stored. */
export function neverStarted(runId: string, threadId: string): RunResult<any> {
  return { runId, threadId, status: "cancelled", stopReason: "cancel", text: "", usage: noUsage, pauses: none };
}

export const noUsage: RunUsage = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
  toolCostUsd: 0,
  modelCalls: 0,
  toolCalls: 0,
  calls: [],
});

const none: readonly Pause[] = Object.freeze([]);
