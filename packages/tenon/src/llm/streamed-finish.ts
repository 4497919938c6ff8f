import type { FinishReason } from "../protocol/usage.js";
import { familyOf } from "./thinking-options.js";
import { toFinish } from "./v4-answer.js";

/**
 * The finish reason of a streamed answer. Packages of older specifications, and OpenRouter's, make one up where the stream
 * broke off before the provider sent any: that is `interrupted`, so that no call of such an answer runs.
 */
export function toStreamedFinish(
  given: unknown,
  { specificationVersion, provider }: { readonly specificationVersion: string; readonly provider: string },
): FinishReason {
  const finish = toFinish(given);
  if (finish !== "other" && finish !== "tool-calls") return finish;
  const openRouter = familyOf(provider) === "openrouter";
  if (specificationVersion === "v2")
    return given === "unknown" || (openRouter && finish === "other") ? "interrupted" : finish;
  if (specificationVersion === "v4" && !openRouter) return finish;
  const raw = typeof given === "object" && given !== null ? (given as { readonly raw?: unknown }).raw : given;
  const madeUp = raw === undefined && (finish === "other" || openRouter);
  return madeUp ? "interrupted" : finish;
}
