import { ToolError } from "../../errors/tool-error.js";
import type { JsonValue } from "../../protocol/json.js";
import type { CallAnswer } from "../connection/call-answer.js";
import { answerParts, answerText, type AnswerPart } from "./answer-blocks.js";

/** In which form an answer is wanted: as one text, as the value of a declared output, or as whatever is there. */
export type AnswerForm = "text" | "output" | "any";

/**
 * What a call gives, or throws where the server says that its tool failed. `text`: `{ text }`. `output`: the structured content, or
 * the JSON of an answer that is one text; the caller checks it. `any`: the structured content where nothing but texts stands beside
 * it, else `{ text }` where all of it is text, else `{ content }`, with `structured` where there is some.
 */
export function answerValue(from: string, answer: CallAnswer, form: AnswerForm): JsonValue {
  const { content, structuredContent, isError } = answer;
  if (isError) throw new ToolError(answerText(content) || `${from} failed, and did not say why`);
  if (form === "text") return { text: content.length === 0 ? shownValue(structuredContent) : answerText(content) };
  if (form === "output") return structuredContent ?? jsonOf(from, answerParts(content));
  const texts = content.every(({ type }) => type === "text");
  if (structuredContent !== undefined && texts) return structuredContent;
  if (texts) return { text: answerText(content) };
  const parts = answerParts(content) as unknown as JsonValue;
  return structuredContent === undefined ? { content: parts } : { structured: structuredContent, content: parts };
}

/** Notes of the files and links that have no place in a declared output beside its structured content. */
export function leftOut({ content, structuredContent }: CallAnswer): readonly string[] {
  if (structuredContent === undefined) return [];
  return content.filter(({ type }) => type !== "text").map((block) => answerText([block]).split("\n", 1)[0]!);
}

function shownValue(structured: JsonValue | undefined): string {
  return structured === undefined ? "" : JSON.stringify(structured);
}

/** Servers that are older than structured content give it as one text. */
function jsonOf(from: string, parts: readonly AnswerPart[]): JsonValue {
  const [text] = parts;
  if (parts.length === 1 && typeof text === "string") {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // It is said below.
    }
  }
  throw new ToolError(
    `${from} gave no structured content, and its answer is not one text of JSON. Its tool is declared with an output: declare it with PlainText, or without one`,
    { source: "trusted" },
  );
}
