import type { Usage } from "../protocol/usage.js";
import type { ModelPrice } from "./model-price.js";

/** A usage with its cost by a price, where its provider said none. Estimated tokens make an estimated cost. */
export function pricedUsage(usage: Usage, price: ModelPrice | undefined): Usage {
  if (usage.costNanoUsd !== undefined || price === undefined) return usage;
  const costSource = usage.estimated ? "estimate" : "price-table";
  return { ...usage, costNanoUsd: price.costOf(usage), costSource };
}
