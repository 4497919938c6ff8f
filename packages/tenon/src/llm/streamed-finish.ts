import type { FinishReason } from "../protocol/usage.js";
import { familyOf } from "./thinking-options.js";
import { toFinish } from "./v4-answer.js";

/**
 * The finish reason of a streamed answer. Many packages make one up where the stream broke off before the provider sent any
 * (those of Bedrock, Cohere, xAI and OpenRouter, and all of older specifications): that is `interrupted`, so that no call of
 * such an answer runs.
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
  const { unified, raw } =
    typeof given === "object" && given !== null ? (given as Given) : { unified: given, raw: given };
  // What the packages begin with. A model of V4 that says nothing at all, or something odd, is at its end all the same.
  const begun = specificationVersion === "v4" ? unified === "other" : finish === "other";
  return raw === undefined && (begun || openRouter) ? "interrupted" : finish;
}

type Given = { readonly unified?: unknown; readonly raw?: unknown };
