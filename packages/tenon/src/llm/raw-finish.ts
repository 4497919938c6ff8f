import type { FinishReason } from "../protocol/usage.js";

/**
 * Providers' own labels of answers that are not whole, which their packages take for `other`, or for `tool-calls` where a call
 * is there: the state of an answer at xAI and of an interaction at Google, a stop reason of Bedrock's, a finish reason of Cohere's.
 */
const unfinished: ReadonlyMap<string, FinishReason> = new Map([
  ["incomplete", "length"],
  ["failed", "error"],
  ["cancelled", "interrupted"],
  ["queued", "interrupted"],
  ["in_progress", "interrupted"],
  ["model_context_window_exceeded", "length"],
  ["malformed_model_output", "error"],
  ["malformed_tool_use", "error"],
  ["TIMEOUT", "error"],
]);

/** What such a label means; `undefined` for all others, of which the package knows better. */
export function rawFinish(label: string): FinishReason | undefined {
  return unfinished.get(label);
}
