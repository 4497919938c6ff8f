/** Models: the embedded one, and what models cost. */
export type { TokenPrices } from "../../config/token-prices.js";
export { genaiPrices } from "../../finops/genai-prices.js";
export type { BilledTokens, ModelPrice } from "../../finops/model-price.js";
export type { PriceMap, Prices, PriceTable } from "../../finops/price-book.js";
export { free } from "../../llm/free.js";
export type { LanguageModel, ModelRef } from "../../llm/model.js";
export { offlineModel } from "../../llm/offline-model.js";
export { priced } from "../../llm/priced.js";
