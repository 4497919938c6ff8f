import type { Bound } from "./ledger.js";
import type { ModelPrice } from "./model-price.js";

/**
 * The most that a model call is expected to use, by the size of its request and of its answer. Without a price (a free model, or
 * one whose provider says afterwards what a call costs) no money is reserved. See `limits.reserve`.
 */
export function callBound(
  requestBytes: number,
  outputTokens: number,
  price: ModelPrice | undefined,
  strict: boolean,
): Bound {
  const inputTokens = strict ? requestBytes : Math.ceil(requestBytes / 3);
  return { inputTokens, outputTokens, costNanoUsd: price?.boundOf(inputTokens, outputTokens) ?? 0 };
}
