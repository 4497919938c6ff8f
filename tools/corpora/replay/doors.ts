import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import type { LanguageModel, ProviderOptions } from "tenon";
import type { Answer } from "./replay-server.ts";
import type { Reading } from "./reading.ts";
import { readAnthropic } from "./read-anthropic.ts";
import { readChat } from "./read-chat.ts";
import { readGoogle } from "./read-google.ts";
import { readResponses } from "./read-responses.ts";

/** How a provider writes its answers. */
export type Dialect = "chat" | "openrouter" | "anthropic" | "google" | "responses";

/** A way by which an app comes to a model that answers in a dialect. */
export interface Door {
  readonly name: string;
  readonly dialect: Dialect;
  /** A model object; or the environment in which the id `m` is one. */
  open(url: string): { readonly model: LanguageModel | "m"; readonly env: { readonly [name: string]: string } };
  /** The providers whose answers it is for; all by default. */
  readonly only?: readonly string[] | undefined;
  /** The provider keeps what was said, and is sent its names. */
  readonly keeps?: boolean | undefined;
  readonly providerOptions?: ProviderOptions | undefined;
}

const apiKey = "none";

/** Who answers as OpenAI does, so that OpenAI's own package is asked to read it. */
const OPENAI = ["openai-responses", "openai", "azure", "open-responses"];

export const doors: readonly Door[] = [
  {
    name: "TENON_BASE_URL",
    dialect: "chat",
    open: (url) => ({ model: "m", env: { TENON_BASE_URL: `${url}/v1` } }),
  },
  door("@ai-sdk/openai-compatible", "chat", (url) =>
    createOpenAICompatible({ name: "some", baseURL: `${url}/v1`, includeUsage: true })("m"),
  ),
  door("@ai-sdk/openai, chat", "chat", (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat("m"), {
    only: ["openai-chat", "openai", "azure"],
  }),
  door("@openrouter/ai-sdk-provider", "openrouter", (url) =>
    createOpenRouter({ baseURL: `${url}/v1`, apiKey, compatibility: "strict" }).chat("m", { usage: { include: true } }),
  ),
  door("@ai-sdk/anthropic", "anthropic", (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })("m")),
  door("@ai-sdk/google", "google", (url) => createGoogle({ baseURL: `${url}/v1`, apiKey })("gemini-3-m")),
  door("@ai-sdk/openai, responses", "responses", responses, { only: OPENAI, keeps: true }),
  door("@ai-sdk/openai, responses, not stored", "responses", responses, {
    only: OPENAI,
    providerOptions: { openai: { store: false } },
  }),
];

function responses(url: string): unknown {
  return createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses("gpt-5");
}

function door(name: string, dialect: Dialect, make: (url: string) => unknown, more: Partial<Door> = {}): Door {
  return { name, dialect, open: (url) => ({ model: make(url) as LanguageModel, env: {} }), ...more };
}

export const readers: { readonly [dialect in Dialect]: (body: string, streamed: boolean) => Reading } = {
  chat: readChat,
  openrouter: readChat,
  anthropic: readAnthropic,
  google: readGoogle,
  responses: readResponses,
};

/** An answer "done", to end a run with. */
export function doneAnswer(dialect: Dialect, streamed: boolean): Answer {
  const body = doneBodies[dialect];
  return streamed
    ? { streamed, body: body.streamed.map((event) => sse(dialect, event)).join("") }
    : { streamed, body: JSON.stringify(body.whole) };
}

/** An event as its provider writes it. */
export function sse(dialect: Dialect, event: { readonly [key: string]: unknown } | string): string {
  const data = typeof event === "string" ? event : JSON.stringify(event);
  const type = dialect === "anthropic" || dialect === "responses" ? (/"type":\s*"([^"]+)"/.exec(data)?.[1] ?? "") : "";
  return `${type === "" ? "" : `event: ${type}\n`}data: ${data}\n\n`;
}

type Event = { readonly [key: string]: unknown };
type Done = { readonly whole: Event; readonly streamed: readonly Event[] };

const chatBase = { id: "d", created: 1, model: "m" };
const chat: Done = {
  whole: {
    ...chatBase,
    choices: [{ index: 0, message: { role: "assistant", content: "done" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  streamed: [
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

const doneBodies: { readonly [dialect in Dialect]: Done } = {
  chat,
  openrouter: chat,
  anthropic: {
    whole: { ...message, content: [{ type: "text", text: "done" }], stop_reason: "end_turn", usage },
    streamed: [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "done" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ],
  },
  google: { whole: gemini, streamed: [gemini] },
  responses: {
    whole: response,
    streamed: [
      { type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, content: [], status: "in_progress" } },
      { type: "response.output_text.delta", item_id: "msg_d", output_index: 0, content_index: 0, delta: "done" },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response },
    ],
  },
};
