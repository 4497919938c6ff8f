import type { JsonObject } from "../../protocol/json.js";
import { isPlainObject } from "../../util/plain-object.js";
import type { CallAnswer } from "./call-answer.js";
import type { HideValues } from "./hidden-values.js";

/**
 * An answer as who called may show it: where the tool says that it failed, its texts are a message, and show no value that the
 * server was given. What a call that did not fail gives stays as it is.
 */
export function shownAnswer(answer: CallAnswer, hide: HideValues): CallAnswer {
  if (!answer.isError) return answer;
  return { ...answer, content: answer.content.map((block) => shownBlock(block, hide)) };
}

function shownBlock(block: JsonObject, hide: HideValues): JsonObject {
  const { resource } = block;
  return {
    ...shownText(block, hide),
    ...(isPlainObject(resource) && { resource: shownText(resource as JsonObject, hide) }),
  };
}

function shownText(holder: JsonObject, hide: HideValues): JsonObject {
  const { text } = holder;
  return typeof text === "string" ? { ...holder, text: hide(text) } : holder;
}
