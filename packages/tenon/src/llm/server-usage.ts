type ServerUsage = {
  readonly prompt_tokens?: number | null | undefined;
  readonly completion_tokens?: number | null | undefined;
  readonly prompt_tokens_details?:
    | { readonly cached_tokens?: number | null | undefined; readonly cache_write_tokens?: number | null | undefined }
    | null
    | undefined;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null | undefined } | null | undefined;
};

/**
 * What an OpenAI-compatible server says of a call's usage, in the form of V4. A count that it does not send stays missing,
 * so that it is estimated and flagged; the packages' own mapping makes some of them zeros.
 */
export function toServerUsage(given: unknown): any {
  const usage = given as ServerUsage | null | undefined;
  return {
    inputTokens: {
      total: usage?.prompt_tokens ?? undefined,
      noCache: undefined,
      cacheRead: usage?.prompt_tokens_details?.cached_tokens ?? undefined,
      cacheWrite: usage?.prompt_tokens_details?.cache_write_tokens ?? undefined,
    },
    outputTokens: {
      total: usage?.completion_tokens ?? undefined,
      text: undefined,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? undefined,
    },
    raw: usage ?? undefined,
  };
}

/** A usage of OpenRouter's package: where the server sent no count it says zero, and here the count is missing. */
export function withoutMadeUpZeros(given: unknown): unknown {
  const usage = given as { readonly inputTokens?: Total; readonly outputTokens?: Total; readonly raw?: unknown } | null;
  const raw = usage?.raw as ServerUsage | null | undefined;
  const noInput = usage?.inputTokens?.total === 0 && typeof raw?.prompt_tokens !== "number";
  const noOutput = usage?.outputTokens?.total === 0 && typeof raw?.completion_tokens !== "number";
  if (!noInput && !noOutput) return given;
  return {
    ...usage,
    ...(noInput ? { inputTokens: undefined } : {}),
    ...(noOutput ? { outputTokens: undefined } : {}),
  };
}

type Total = { readonly total?: unknown } | undefined;
