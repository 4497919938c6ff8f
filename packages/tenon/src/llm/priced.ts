import { tokenPricesFaults, type TokenPrices } from "../config/token-prices.js";
import { BadInputError } from "../errors/run-errors.js";
import { DeclaredModel } from "./declared-model.js";
import type { LanguageModel } from "./model.js";
import { assertModelObject } from "./v4-fault.js";

/** The member that has a model object's prices; shared by all copies of the package. */
const PRICES: unique symbol = Symbol.for("tenon.prices") as never;

/**
 * Declares what a model costs, per million tokens: `priced(model, { input: usd(3), output: usd(15) })`. Gives a model object of
 * the same kind. These prices win over those of the app; a cost that the provider reports wins over both. Throws
 * `BadInputError` for what is no model object, and for prices that are none.
 */
export function priced(model: LanguageModel, prices: TokenPrices): LanguageModel {
  assertModelObject(
    model,
    "priced",
    (id) =>
      `Give its price with the app: \`createApp(…, { prices: { ${id}: { input: usd(…), output: usd(…) } } })\`, or pass the model object of its provider's package.`,
  );
  const faults = tokenPricesFaults(prices);
  if (faults.length > 0)
    throw new BadInputError(
      `The prices of the model ${model.modelId} cannot be used`,
      faults.join("; "),
      "Give `input` and `output`, and where they differ `cachedInput` and `cacheWrite`, each as `usd(…)` per million tokens.",
    );
  return new PricedModel(model, Object.freeze({ ...prices }));
}

/** What `priced` said of a model, in any copy of the package. */
export function pricesOf(model: LanguageModel): TokenPrices | undefined {
  return (model as { readonly [PRICES]?: TokenPrices })[PRICES];
}

class PricedModel extends DeclaredModel {
  readonly [PRICES]: TokenPrices;

  constructor(model: LanguageModel, prices: TokenPrices) {
    super(model);
    this[PRICES] = prices;
  }
}
