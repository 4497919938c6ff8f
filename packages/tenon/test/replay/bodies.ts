import { anthropicPieces } from "../../../../tools/corpora/replay/anthropic-pieces.ts";
import { streamOf as wireOf, type Dialect } from "../../../../tools/corpora/replay/dialect.ts";

type Json = { readonly [key: string]: unknown };

/** The events of a stream of text, as their provider writes them. */
export function streamOf(dialect: Exclude<Dialect, "bedrock">, ...events: readonly Json[]): string {
  return wireOf(dialect, events) as string;
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
  return anthropicPieces(JSON.parse(anthropicAnswer(blocks, stop)));
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
