import { RESERVED_OUTPUT_TOKENS } from "../config/defaults.js";
import type { AnswerBound, Model, ModelRequest } from "./model.js";
import type { ModelSettings } from "./model-settings.js";
import { requestBytes } from "./request-bytes.js";

/** The most tokens that an answer of the model is expected to have. Never throws: a call that cannot be made fails by itself. */
export function boundOf(model: Model, settings: ModelSettings | undefined): AnswerBound {
  const said: AnswerBound = { tokens: settings?.maxOutputTokens ?? RESERVED_OUTPUT_TOKENS };
  try {
    return model.answerBound?.(settings) ?? said;
  } catch {
    return said;
  }
}

/** No less than the bytes that a request of the model is sent as. Never throws. */
export function sentBytes(model: Model, request: ModelRequest): number {
  try {
    return model.bodyBytes?.(request) ?? requestBytes(request);
  } catch {
    return requestBytes(request);
  }
}
