import type { Dialect } from "../../../../tools/corpora/replay/doors.ts";
import { sse } from "../../../../tools/corpora/replay/doors.ts";

type Json = { readonly [key: string]: unknown };

/** The events of a stream, as their provider writes them. */
export function streamOf(dialect: Dialect, ...events: readonly Json[]): string {
  const end = dialect === "chat" || dialect === "openrouter" ? "data: [DONE]\n\n" : "";
  return events.map((event) => sse(dialect, event)).join("") + end;
}

/** An event of a chat stream. */
export function chunk(delta: Json, finish: string | null = null): Json {
  return {
    id: "r",
    created: 1,
    model: "m",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

export const chatUsage: Json = {
  prompt_tokens: 20,
  completion_tokens: 7,
  total_tokens: 27,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
  cost: 0.001,
};

/** The event that has the usage alone. */
export const usageChunk: Json = { id: "r", created: 1, model: "m", choices: [], usage: chatUsage };

/** A piece of a call. */
export function callPiece(id: string | undefined, name: string | undefined, text: string, more: Json = {}): Json {
  return {
    ...more,
    ...(id === undefined ? {} : { id, type: "function" }),
    function: { ...(name === undefined ? {} : { name }), arguments: text },
  };
}

/** A whole chat answer. */
export function chatAnswer(message: Json, finish: string | null, usage: Json | undefined = chatUsage): string {
  return JSON.stringify({
    id: "r",
    created: 1,
    model: "m",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
    usage,
  });
}

/** The events of an answer of Anthropic's, each block in pieces. */
export function anthropicEvents(blocks: readonly Json[], stop: string): readonly Json[] {
  const usage = { input_tokens: 9, output_tokens: 1 };
  return [
    {
      type: "message_start",
      message: { id: "m1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage },
    },
    ...blocks.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: started(block) },
      ...deltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
}

function started(block: Json): Json {
  switch (block["type"]) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool_use":
      return { ...block, input: {} };
    case "compaction":
      return { type: "compaction", content: null };
    default:
      return block;
  }
}

function deltas(block: Json): readonly Json[] {
  const halves = (text: string): readonly [string, string] => [
    text.slice(0, text.length / 2),
    text.slice(text.length / 2),
  ];
  switch (block["type"]) {
    case "text":
      return halves(block["text"] as string).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...halves(block["thinking"] as string).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block["signature"] },
      ];
    case "tool_use":
      return halves(JSON.stringify(block["input"])).map((json) => ({ type: "input_json_delta", partial_json: json }));
    case "compaction":
      return [{ type: "compaction_delta", content: block["content"] }];
    default:
      return [];
  }
}

/** A whole answer of Anthropic's. */
export function anthropicAnswer(content: readonly Json[], stop: string): string {
  return JSON.stringify({
    id: "m1",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 5 },
  });
}
