import { bedrockPieces } from "./bedrock-pieces.ts";
import { coherePieces } from "./cohere-pieces.ts";
import { interactionsPieces } from "./interactions-pieces.ts";
import type { Answer } from "./replay-server.ts";
import { streamOf, type Dialect } from "./dialect.ts";
import type { Json } from "./reading.ts";

/** An answer "done", to end a run with. */
export function doneAnswer(dialect: Dialect, streamed: boolean): Answer {
  const { whole, events } = doneBodies[dialect];
  return { streamed, body: streamed ? streamOf(dialect, events) : JSON.stringify(whole) };
}

type Done = { readonly whole: Json; readonly events: readonly Json[] };

const chatBase = { id: "d", created: 1, model: "m" };
const chat: Done = {
  whole: {
    ...chatBase,
    choices: [{ index: 0, message: { role: "assistant", content: "done" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  events: [
    {
      ...chatBase,
      choices: [{ index: 0, delta: { role: "assistant", content: "done" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
  ],
};
const message = { id: "d", type: "message", role: "assistant", model: "m", stop_sequence: null };
const usage = { input_tokens: 1, output_tokens: 1 };
const gemini = {
  candidates: [{ content: { parts: [{ text: "done" }], role: "model" }, finishReason: "STOP", index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
};
const item = {
  type: "message",
  id: "msg_d",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "done", annotations: [] }],
};
const response = { id: "d", object: "response", created_at: 1, model: "m", status: "completed", output: [item], usage };

const interaction = {
  id: "d",
  object: "interaction",
  model: "m",
  status: "completed",
  steps: [{ type: "model_output", content: [{ type: "text", text: "done" }] }],
  usage: { total_input_tokens: 1, total_output_tokens: 1, total_tokens: 2 },
};
const bedrock = {
  output: { message: { role: "assistant", content: [{ text: "done" }] } },
  stopReason: "end_turn",
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
};
const cohere = {
  id: "d",
  message: { role: "assistant", content: [{ type: "text", text: "done" }] },
  finish_reason: "COMPLETE",
  usage: { billed_units: usage, tokens: usage },
};

const doneBodies: { readonly [dialect in Dialect]: Done } = {
  chat,
  openrouter: chat,
  anthropic: {
    whole: { ...message, content: [{ type: "text", text: "done" }], stop_reason: "end_turn", usage },
    events: [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "done" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ],
  },
  google: { whole: gemini, events: [gemini] },
  interactions: { whole: interaction, events: interactionsPieces(interaction) },
  bedrock: { whole: bedrock, events: bedrockPieces(bedrock) },
  cohere: { whole: cohere, events: coherePieces(cohere) },
  responses: {
    whole: response,
    events: [
      { type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, content: [], status: "in_progress" } },
      { type: "response.output_text.delta", item_id: "msg_d", output_index: 0, content_index: 0, delta: "done" },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response },
    ],
  },
};
