import { checkOptions, maybe, shownValue, type OptionRule } from "./options.js";
import { isUsd, type Usd } from "./units.js";

/** What a model costs, per million tokens of each kind. */
export interface TokenPrices {
  readonly input: Usd;
  /** Thinking included. */
  readonly output: Usd;
  /** Input that the provider had in its cache; default the price of input. */
  readonly cachedInput?: Usd | undefined;
  /** Input that the provider puts into its cache; default the price of input. */
  readonly cacheWrite?: Usd | undefined;
}

/** What is wrong with prices, as clauses. */
export function tokenPricesFaults(prices: unknown): readonly string[] {
  return checkOptions(prices, rules);
}

function price(name: string): OptionRule {
  return (value) =>
    isUsd(value)
      ? undefined
      : `${name} must be the price of a million tokens, not ${shownValue(value)}${typeof value === "number" ? `; write \`${name}: usd(${value})\`` : ""}`;
}

const rules = {
  input: price("input"),
  output: price("output"),
  cachedInput: maybe(price("cachedInput")),
  cacheWrite: maybe(price("cacheWrite")),
};
