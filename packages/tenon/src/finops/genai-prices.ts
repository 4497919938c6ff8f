import type * as genai from "@pydantic/genai-prices";
import { loadPeer } from "../config/load-peer.js";
import type { ModelPrice } from "./model-price.js";
import type { PriceTable } from "./price-book.js";

const PEER = "@pydantic/genai-prices";

type Peer = Pick<typeof genai, "calcPrice">;

/**
 * List prices of the common providers' models, as the installed release of `@pydantic/genai-prices` knows them: tiers by the
 * size of a request, and prices that begin on a date, included. Fetches nothing. Rejects with `MissingPeerError` where the
 * package is not installed.
 */
export async function genaiPrices(
  load: () => Promise<Peer> = () => import("@pydantic/genai-prices"),
): Promise<PriceTable> {
  const peer = await loadPeer(load, PEER, "^0.1", "The price table");
  return {
    source: PEER,
    priceOf: ({ id, provider }) => tablePrice(peer, id, providerId(provider)) ?? tablePrice(peer, id, undefined),
  };
}

function tablePrice(peer: Peer, id: string, provider: string | undefined): ModelPrice | undefined {
  const nanoUsd = (usage: genai.Usage): number | undefined => {
    try {
      const found = peer.calcPrice(usage, id, provider === undefined ? {} : { providerId: provider });
      return found === null ? undefined : toNano(found.total_price);
    } catch {
      // Unknown providers, and units that a model has no price for.
      return undefined;
    }
  };
  if (nanoUsd({ input_tokens: 1, output_tokens: 1 }) === undefined) return undefined;
  return {
    costOf: ({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens }) => {
      const plain = { input_tokens: inputTokens, output_tokens: outputTokens };
      const whole = { ...plain, cache_read_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens };
      return nanoUsd(whole) ?? nanoUsd(plain) ?? 0;
    },
    boundOf: (inputTokens, outputTokens) => {
      const plain = { input_tokens: inputTokens, output_tokens: outputTokens };
      return Math.max(nanoUsd(plain) ?? 0, nanoUsd({ ...plain, cache_write_tokens: inputTokens }) ?? 0);
    },
  };
}

/** `openai.responses` is `openai`. */
function providerId(provider: string): string {
  const [vendor] = provider.split(".");
  return vendor!;
}

/** Up, but not for the noise of a product of decimals. */
function toNano(usd: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(usd * 1e9 - 1e-3));
}
