import type { CallSettings } from "./call-settings.js";
import type { ProviderOptions } from "./model-settings.js";

interface Asked {
  readonly provider: string;
  readonly modelId: string;
}

type Reasoning = CallSettings["reasoning"];

/** The share of its longest answer that a model may think with, as the AI SDK's packages have it. */
const SHARES = { none: 0, low: 0.1, medium: 0.3, high: 0.6 } as const;
const LEAST = 1_024;

/**
 * How long answers of Anthropic's models can be, where they are given a number of tokens to think with; 0 for those that think as
 * much as they like within the length of their answer.
 */
const CLAUDES: readonly (readonly [id: RegExp, tokens: number])[] = [
  [/claude-(sonnet|opus)-4-[6-9]|claude-[a-z]+-[5-9]/, 0],
  [/claude-opus-4-5|claude-(sonnet|haiku)-4|claude-3-7/, 64_000],
  [/claude-opus-4/, 32_000],
  [/claude-(3|instant|v?2)/, 8_192],
  [/claude-/, 0],
  [/(?:)/, 4_096],
];
const COHERE = 32_768;
const NOVA = 65_536;

/** The tokens to think with that a provider's package adds to the length of an answer for the common setting; elsewhere they are part of it. */
export function mappedThinking(reasoning: Reasoning, model: Asked): number {
  if (reasoning === undefined || reasoning === "none") return 0;
  const longest = longestOf(model);
  return longest === 0 ? 0 : Math.min(longest, Math.max(LEAST, Math.ceil(longest * SHARES[reasoning])));
}

function longestOf({ provider, modelId }: Asked): number {
  if (/^cohere\b/.test(provider)) return COHERE;
  const anthropic = /\banthropic\b/.test(provider) || (/\bbedrock\b/.test(provider) && /anthropic/.test(modelId));
  return anthropic ? CLAUDES.find(([id]) => id.test(modelId))![1] : 0;
}

/** How long an answer can be whose package sends no limit: Bedrock's, for a Nova model that is to think much. Else 0. */
export function mostWithoutLimit(
  reasoning: Reasoning,
  options: ProviderOptions | undefined,
  { provider, modelId }: Asked,
): number {
  if (!/\bbedrock\b/.test(provider) || !/amazon\.nova-2/.test(modelId)) return 0;
  const { reasoningConfig } = options?.["amazonBedrock"] ?? options?.["bedrock"] ?? {};
  const effort = (reasoningConfig as { readonly maxReasoningEffort?: unknown } | undefined)?.maxReasoningEffort;
  return reasoning === "high" || effort === "high" || effort === "xhigh" || effort === "max" ? NOVA : 0;
}
