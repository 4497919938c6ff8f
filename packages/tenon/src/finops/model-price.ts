import type { TokenPrices } from "../config/token-prices.js";
import type { Usage } from "../protocol/usage.js";

/** Tokens of one call, as they are billed: cached ones and those put into the cache are part of the input. */
export type BilledTokens = Pick<Usage, "inputTokens" | "outputTokens" | "cachedInputTokens" | "cacheWriteTokens">;

/** What calls of one model cost, in whole nano-USD. */
export interface ModelPrice {
  /** What a call with these tokens costs, rounded up. */
  costOf(tokens: BilledTokens): number;
  /** What a call costs at most with so many tokens: at the dearest price that may apply to each. */
  boundOf(inputTokens: number, outputTokens: number): number;
}

const PER = 1_000_000;

/** The price of a model by prices of a million tokens. Exact: whole numbers, the sum rounded up once. */
export function priceOf(prices: TokenPrices): ModelPrice {
  const input = prices.input.nanoUsd;
  const output = prices.output.nanoUsd;
  const cached = prices.cachedInput?.nanoUsd ?? input;
  const written = prices.cacheWrite?.nanoUsd ?? input;
  const dearest = Math.max(input, cached, written);
  return {
    costOf: ({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens }) => {
      const plain = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
      return sumOf([
        [plain, input],
        [cachedInputTokens, cached],
        [cacheWriteTokens, written],
        [outputTokens, output],
      ]);
    },
    boundOf: (inputTokens, outputTokens) =>
      sumOf([
        [inputTokens, dearest],
        [outputTokens, output],
      ]),
  };
}

/** Whole nano-USD and what is over are summed apart: their product would not be exact as one number. */
function sumOf(kinds: readonly (readonly [tokens: number, price: number])[]): number {
  let whole = 0;
  let rest = 0;
  for (const [tokens, price] of kinds) {
    whole += tokens * Math.floor(price / PER);
    rest += tokens * (price % PER);
  }
  return Math.min(Number.MAX_SAFE_INTEGER, whole + Math.ceil(rest / PER));
}
