/** What one model call used. Tokens are whole numbers; `cachedInputTokens` and `cacheWriteTokens` are part of `inputTokens`. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  /** Billionths of a US dollar; `undefined` where nobody said what the call costs. */
  readonly costNanoUsd: number | undefined;
  /**
   * Where the cost comes from: the provider's answer, prices and the provider's token counts, prices and estimated tokens, a
   * model that is free, or nowhere. `none`: nothing is billed, because the provider refused the call or it was not made.
   */
  readonly costSource: "api" | "price-table" | "estimate" | "free" | "none" | "unknown";
  /** The provider gave no token counts: they are estimated from the text's length. */
  readonly estimated: boolean;
}

/** Why the model stopped. `interrupted`: the answer broke off before its end. */
export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "error" | "interrupted" | "other";
