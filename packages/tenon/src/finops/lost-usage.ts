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

/**
 * The usage of an attempt of which a part is not known: no less than was reserved for it. A cost that its provider said stays as it
 * is, and so does one that nobody knows.
 */
export function usageInFull(usage: Usage, bound: Bound): Usage {
  const { costNanoUsd, costSource } = usage;
  return {
    ...usage,
    inputTokens: Math.max(usage.inputTokens, bound.inputTokens),
    outputTokens: Math.max(usage.outputTokens, bound.outputTokens),
    costNanoUsd:
      costNanoUsd === undefined || costSource === "api" || costSource === "free"
        ? costNanoUsd
        : Math.max(costNanoUsd, bound.costNanoUsd),
    estimated: true,
  };
}
