import type { Usage } from "../protocol/usage.js";
import type { Bound } from "./ledger.js";

/** The usage of a call that was not made. */
export const nothingUsed: Usage = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costNanoUsd: 0,
  costSource: "none",
  estimated: false,
});

/** The usage of an attempt of which nothing is known: all that was reserved for it, as an estimate. */
export function boundUsage({ inputTokens, outputTokens, costNanoUsd }: Bound): Usage {
  const none = { cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  return { ...none, inputTokens, outputTokens, costNanoUsd, costSource: "estimate", estimated: true };
}
