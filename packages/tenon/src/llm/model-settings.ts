import type { JsonObject } from "../protocol/json.js";

/** How much a model thinks before it answers. */
export type Thinking = "off" | "low" | "medium" | "high";

/** Options of a provider's own, by the provider's name as its package calls it: `{ anthropic: { … } }`. */
export type ProviderOptions = { readonly [provider: string]: JsonObject };

/** What an agent says of every call of its model. Frozen, and the same object for every request of the agent. */
export interface ModelSettings {
  /** Undefined: what the provider does by default. */
  readonly thinking: Thinking | undefined;
  /** Undefined: the provider's own limit. */
  readonly maxOutputTokens: number | undefined;
  readonly providerOptions: ProviderOptions | undefined;
}
