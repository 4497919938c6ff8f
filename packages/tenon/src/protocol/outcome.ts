import type { JsonValue } from "./json.js";
import type { Usage } from "./usage.js";

/** A run ends as one of these. A `paused` run has not ended. */
export type EndStatus = "completed" | "failed" | "cancelled";
export type RunStatus = EndStatus | "running" | "paused";
export type StopReason = "answer" | "pause" | "limit" | "budget" | "repeat" | "cancel" | "error";

/** An error as data: the same before and after it was stored. */
export interface ErrorData {
  readonly code: string;
  readonly message: string;
  readonly data: { readonly [key: string]: JsonValue | undefined };
}

/** What a run used, all of its model calls together. */
export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  /** US dollars, models and tools; `undefined` where the cost of a model call is not known. */
  readonly costUsd: number | undefined;
  /** What tools reported, in US dollars; part of `costUsd`. */
  readonly toolCostUsd: number;
  /** A call counts once, however many attempts it took; limits of `modelCalls` count each attempt. */
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** One entry for each attempt of a model call, in order. */
  readonly calls: readonly Usage[];
}

/** What an answer that is not whole was cut off by: the limit of its tokens, or the provider's filter. */
export type CutOff = "length" | "content-filter";

/** How a run ended. Stored with it. */
export interface Outcome {
  readonly status: EndStatus;
  readonly stopReason: StopReason;
  readonly text: string;
  readonly usage: RunUsage;
  /** Only of a completed run whose answer is not whole: what cut it off. */
  readonly finish?: CutOff | undefined;
  readonly error?: ErrorData | undefined;
}
