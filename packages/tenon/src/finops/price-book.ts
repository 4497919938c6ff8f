import { shownValue } from "../config/options.js";
import { tokenPricesFaults, type TokenPrices } from "../config/token-prices.js";
import { onceEach } from "../util/once-each.js";
import { isPlainObject } from "../util/plain-object.js";
import { priceOf, type ModelPrice } from "./model-price.js";

/** A model, as far as its price depends on it. */
export interface PricedModel {
  readonly id: string;
  /** The provider's id, as its package gives it. */
  readonly provider: string;
  /** Prices of its own. */
  readonly prices: TokenPrices | undefined;
}

/** Prices of many models, as of a date. */
export interface PriceTable {
  /** Where the prices are from, in words for people. */
  readonly source: string;
  /** The price of a model, or `undefined` for one that is not in it. */
  priceOf(model: { readonly id: string; readonly provider: string }): ModelPrice | undefined;
}

/** Prices by the ids of models. */
export interface PriceMap {
  readonly [id: string]: TokenPrices;
}

/** What an app says of prices: the first that knows a model counts. */
export type Prices = PriceTable | PriceMap | readonly (PriceTable | PriceMap)[];

/** The prices of an app: a model's own, then those of the app in their order. Each model is looked up once. */
export class PriceBook {
  readonly #sources: readonly (PriceTable | PriceMap)[];
  /** The price of a model. */
  readonly of: (model: PricedModel) => ModelPrice | undefined = onceEach((model) => this.#find(model));

  constructor(prices: Prices | undefined) {
    this.#sources = prices === undefined ? [] : listOf(prices);
  }

  /** Whether the app names a model by its id. Tables, which are of hosted models, do not count. */
  names(id: string): boolean {
    return this.#sources.some((source) => !isTable(source) && isObject(source) && Object.hasOwn(source, id));
  }

  #find(model: PricedModel): ModelPrice | undefined {
    if (model.prices !== undefined) return priceOf(model.prices);
    for (const source of this.#sources) {
      if (isTable(source)) {
        const price = source.priceOf(model);
        if (price !== undefined) return price;
      } else if (Object.hasOwn(source, model.id)) return priceOf(source[model.id]!);
    }
    return undefined;
  }
}

/** What is wrong with the prices of an app, as a clause for an assembly error. */
export function pricesFault(prices: unknown): string | undefined {
  if (prices === undefined) return undefined;
  const faults = listOf(prices as Prices).flatMap((source: unknown) => {
    if (isTable(source)) return [];
    if (source instanceof Promise) return ["prices is a promise; write `prices: await …`"];
    if (!isPlainObject(source))
      return [
        `prices must be prices by the ids of models, or a table such as \`await genaiPrices()\`, not ${shownValue(source)}`,
      ];
    return Object.entries(source).flatMap(([id, own]) =>
      tokenPricesFaults(own).map((fault) => `prices[${JSON.stringify(id)}]: ${fault}`),
    );
  });
  return faults.length === 0 ? undefined : faults.join("; ");
}

function listOf(prices: Prices): readonly (PriceTable | PriceMap)[] {
  return Array.isArray(prices) ? (prices as readonly (PriceTable | PriceMap)[]) : [prices as PriceTable | PriceMap];
}

function isTable(source: unknown): source is PriceTable {
  return isObject(source) && typeof (source as PriceTable).priceOf === "function";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
