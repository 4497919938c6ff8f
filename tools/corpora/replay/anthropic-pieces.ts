import { halves } from "./halves.ts";
import type { Json } from "./reading.ts";

/** A whole message of Anthropic's as the events of a stream, each block in pieces. */
export function anthropicPieces({ content, stop_reason, stop_sequence, usage, ...message }: Json): readonly Json[] {
  const begun = { ...usage, output_tokens: 1 };
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage: begun } },
    ...(content as readonly Json[]).flatMap((block, index) => [
      { type: "content_block_start", index, content_block: begin(block) },
      ...deltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
}

/** A block that has nothing yet. Results of the provider's own tools come whole. */
function begin(block: Json): Json {
  const type: string = block.type;
  if (type === "text") return { type, text: "" };
  if (type === "thinking") return { type, thinking: "", signature: "" };
  if (type === "compaction") return { type, content: null };
  return type.endsWith("tool_use") ? { ...block, input: {} } : block;
}

function deltas(block: Json): readonly Json[] {
  const type: string = block.type;
  if (type === "text") return halves(block.text).map((text) => ({ type: "text_delta", text }));
  if (type === "compaction") return [{ type: "compaction_delta", content: block.content }];
  if (type === "thinking")
    return [
      ...halves(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: block.signature },
    ];
  if (!type.endsWith("tool_use")) return [];
  return halves(JSON.stringify(block.input)).map((json) => ({ type: "input_json_delta", partial_json: json }));
}
