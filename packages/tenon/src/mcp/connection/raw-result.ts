import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../../protocol/json.js";
import { isPlainObject } from "../../util/plain-object.js";
import type { CallAnswer } from "./call-answer.js";

/** An answer to a call that is none. */
class UnreadableAnswer extends Error {}

/** Takes any object for the result of a request: who asked for it reads it, and one strange part spoils no more than itself. */
export const rawResult: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "tenon",
    validate: (value) =>
      isPlainObject(value) ? { value: value as JsonObject } : { issues: [{ message: "the result is no object" }] },
  },
};

/** A call's answer. Throws `UnreadableAnswer` where its content is no list of blocks. No content at all is an empty list. */
export function readAnswer(result: { readonly [key: string]: unknown }): CallAnswer {
  const { content = [], structuredContent, isError } = result;
  if (!Array.isArray(content) || !content.every(isBlock))
    throw new UnreadableAnswer("its content is no list of blocks");
  return {
    content: content as JsonObject[],
    ...(structuredContent !== undefined && { structuredContent: structuredContent as JsonValue }),
    isError: isError === true,
  };
}

function isBlock(value: unknown): boolean {
  return isPlainObject(value) && typeof (value as { readonly type?: unknown }).type === "string";
}
