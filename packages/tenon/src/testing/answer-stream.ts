import type { ScriptedAnswer, ScriptedContent } from "./step-answer.js";

/**
 * The same answer as a V4 stream: each text in several deltas, each call's arguments in pieces before the whole call. With
 * `broken`, the first half of it, and then this error.
 */
export function streamOf({ content, finishReason, usage }: ScriptedAnswer, broken?: Error): ReadableStream<object> {
  const parts: object[] = [{ type: "stream-start", warnings: [] }];
  for (const [i, item] of content.entries()) addParts(parts, item, String(i));
  parts.push({ type: "finish", finishReason, usage });
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (broken !== undefined && at >= parts.length / 2) controller.error(broken);
      else if (at < parts.length) controller.enqueue(parts[at++]!);
      else controller.close();
    },
  });
}

function addParts(parts: object[], item: ScriptedContent, id: string): void {
  if (item.type !== "tool-call") {
    parts.push({ type: `${item.type}-start`, id });
    for (const delta of piecesOf(item.text)) parts.push({ type: `${item.type}-delta`, id, delta });
    parts.push({ type: `${item.type}-end`, id });
    return;
  }
  const { toolCallId, toolName, input } = item;
  if (typeof toolCallId === "string" && typeof input === "string") {
    parts.push({ type: "tool-input-start", id: toolCallId, toolName });
    for (const delta of piecesOf(input)) parts.push({ type: "tool-input-delta", id: toolCallId, delta });
    parts.push({ type: "tool-input-end", id: toolCallId });
  }
  parts.push(item);
}

/** Words with the space before them; a single word in two halves. Joined they are the text. */
function piecesOf(text: string): readonly string[] {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  if (words.length !== 1) return words;
  const letters = Array.from(text);
  const half = Math.ceil(letters.length / 2);
  return [letters.slice(0, half).join(""), letters.slice(half).join("")].filter((piece) => piece !== "");
}
