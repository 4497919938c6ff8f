import { toOwnUsage } from "./own-usage.js";

type ServerUsage = {
  readonly prompt_tokens?: number | null | undefined;
  readonly completion_tokens?: number | null | undefined;
  readonly total_tokens?: number | null | undefined;
  readonly prompt_tokens_details?:
    | { readonly cached_tokens?: number | null | undefined; readonly cache_write_tokens?: number | null | undefined }
    | null
    | undefined;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null | undefined } | null | undefined;
  /** Moonshot's place for it. */
  readonly cached_tokens?: number | null | undefined;
  /** DeepSeek's place for it. */
  readonly prompt_cache_hit_tokens?: number | null | undefined;
};

/**
 * What an OpenAI-compatible server says of a call's usage, in the form of V4. A count that it does not send stays missing,
 * so that it is estimated and flagged; the packages' own mapping makes some of them zeros. Reasoning that a server counts
 * beside its completion is part of the output here, as it is of the bill.
 */
export function toServerUsage(given: unknown): any {
  const usage = given as ServerUsage | null | undefined;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined;
  return {
    inputTokens: {
      total: usage?.prompt_tokens ?? undefined,
      noCache: undefined,
      cacheRead:
        usage?.prompt_tokens_details?.cached_tokens ??
        usage?.cached_tokens ??
        usage?.prompt_cache_hit_tokens ??
        undefined,
      cacheWrite: usage?.prompt_tokens_details?.cache_write_tokens ?? undefined,
    },
    outputTokens: { total: outputOf(usage, reasoning), text: undefined, reasoning },
    raw: usage ?? undefined,
  };
}

function outputOf(usage: ServerUsage | null | undefined, reasoning: number | undefined): number | undefined {
  const completion = usage?.completion_tokens ?? undefined;
  if (completion === undefined || reasoning === undefined || !(reasoning > 0)) return completion;
  const all = (usage?.prompt_tokens ?? 0) + completion + reasoning;
  return reasoning > completion || usage?.total_tokens === all ? completion + reasoning : completion;
}

/**
 * The usage that a package gives, read from what the provider sent where the package leaves a part of that out. A zero that
 * nobody sent (OpenRouter's package makes it up, and xAI's) is a missing count.
 */
export function exactUsage(given: unknown, openRouter: boolean): unknown {
  const usage = given as GivenUsage | null | undefined;
  if (usage === null || usage === undefined) return given;
  const { raw } = usage;
  if (isServerUsage(raw)) return toServerUsage(raw);
  const own = raw === undefined || raw === null ? undefined : toOwnUsage(raw);
  if (own !== undefined) return { ...usage, ...own };
  if (!openRouter && raw !== undefined && raw !== null) return given;
  const noInput = usage.inputTokens?.total === 0;
  const noOutput = usage.outputTokens?.total === 0;
  if (!noInput && !noOutput) return given;
  return {
    ...usage,
    ...(noInput ? { inputTokens: undefined } : {}),
    ...(noOutput ? { outputTokens: undefined } : {}),
  };
}

function isServerUsage(raw: unknown): boolean {
  if (typeof raw !== "object" || raw === null) return false;
  const { prompt_tokens: input, completion_tokens: output } = raw as ServerUsage;
  return typeof input === "number" || typeof output === "number";
}

interface GivenUsage {
  readonly inputTokens?: { readonly total?: unknown } | undefined;
  readonly outputTokens?: { readonly total?: unknown } | undefined;
  readonly raw?: unknown;
}
