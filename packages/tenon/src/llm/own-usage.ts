/** Counts in the form of V4; what is left out is as the package has it. */
export interface OwnUsage {
  readonly inputTokens: { readonly total: unknown; readonly cacheRead?: unknown };
  readonly outputTokens?: { readonly total: unknown } | undefined;
}

type Fields = { readonly [key: string]: unknown };

/**
 * What a provider with a form of usage of its own says, where its package does not pass all of it on; `undefined` for any
 * other. Cohere: the tokens that it bills, of which the thousand or so that it adds to a prompt by itself are none (its API
 * reference, `usage.billed_units`); all, with the cached ones, only where it does not say. Google's interactions: what its
 * own tools put into the prompt is input, and is not in `total_input_tokens`.
 */
export function toOwnUsage(raw: unknown): OwnUsage | undefined {
  const usage = fieldsOf(raw);
  if (usage === undefined) return undefined;
  const billed = fieldsOf(usage["billed_units"]);
  if (typeof billed?.["input_tokens"] === "number")
    return { inputTokens: { total: billed["input_tokens"] }, outputTokens: { total: billed["output_tokens"] } };
  const tokens = fieldsOf(usage["tokens"]);
  if (tokens !== undefined)
    return {
      inputTokens: { total: tokens["input_tokens"], cacheRead: usage["cached_tokens"] },
      outputTokens: { total: tokens["output_tokens"] },
    };
  const { total_input_tokens: input, total_tool_use_tokens: ofTools, total_cached_tokens: cacheRead } = usage;
  return typeof input === "number" && typeof ofTools === "number"
    ? { inputTokens: { total: input + ofTools, cacheRead } }
    : undefined;
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}
