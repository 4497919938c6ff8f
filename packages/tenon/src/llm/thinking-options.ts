import type { JsonObject } from "../protocol/json.js";
import type { ProviderOptions, Thinking } from "./model-settings.js";

/** Tokens to think with, for providers that count them. */
const BUDGETS: Readonly<Record<Thinking, number>> = { off: 0, low: 2_048, medium: 8_192, high: 16_384 };

type Family = (thinking: Thinking) => JsonObject;

const effort: Family = (thinking) => ({ reasoningEffort: thinking === "off" ? "none" : thinking });

/** By the first word of a model's `provider`: the key of the provider's options, and what they say. */
const families: ReadonlyMap<string, readonly [key: string, options: Family]> = new Map([
  ["openai", ["openai", effort]],
  ["azure", ["openai", effort]],
  ["azure-openai", ["openai", effort]],
  [
    "anthropic",
    [
      "anthropic",
      (thinking) => ({
        thinking: thinking === "off" ? { type: "disabled" } : { type: "enabled", budgetTokens: BUDGETS[thinking] },
      }),
    ],
  ],
  ["google", ["google", (thinking) => ({ thinkingConfig: { thinkingBudget: BUDGETS[thinking] } })]],
  [
    "openrouter",
    ["openrouter", (thinking) => ({ reasoning: thinking === "off" ? { enabled: false } : { effort: thinking } })],
  ],
]);

/**
 * Thinking as a provider's own options, where its package has no common setting for it: every package of specification V2
 * or V3, and OpenRouter's. `undefined` for a provider that is not known.
 */
export function thinkingOptions(thinking: Thinking, provider: string): ProviderOptions | undefined {
  const family = families.get(familyOf(provider));
  return family === undefined ? undefined : { [family[0]]: family[1](thinking) };
}

/** Whether a provider's package takes `thinking` in its own options. */
export function hasThinkingOptions(provider: string): boolean {
  return families.has(familyOf(provider));
}

/** `anthropic.messages` is `anthropic`. */
export function familyOf(provider: string): string {
  const end = provider.indexOf(".");
  return end < 0 ? provider : provider.slice(0, end);
}
