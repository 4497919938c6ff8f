import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createCohere } from "@ai-sdk/cohere";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createXai } from "@ai-sdk/xai";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import type { LanguageModel, ProviderOptions } from "tenon";
import type { Dialect } from "./dialect.ts";
import type { Reading } from "./reading.ts";
import { readAnthropic } from "./read-anthropic.ts";
import { readBedrock } from "./read-bedrock.ts";
import { readChat } from "./read-chat.ts";
import { readCohere } from "./read-cohere.ts";
import { readGoogle } from "./read-google.ts";
import { readInteractions } from "./read-interactions.ts";
import { readResponses } from "./read-responses.ts";

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
  door("@ai-sdk/google, interactions", "interactions", (url) =>
    createGoogle({ baseURL: `${url}/v1`, apiKey }).interactions("gemini-3-m"),
  ),
  door("@ai-sdk/amazon-bedrock", "bedrock", (url) =>
    createAmazonBedrock({ baseURL: url, apiKey, region: "none" })("us.anthropic.claude-sonnet-4-5-m"),
  ),
  door("@ai-sdk/cohere", "cohere", (url) => createCohere({ baseURL: `${url}/v2`, apiKey })("command-m")),
  door(
    "@ai-sdk/xai, responses",
    "responses",
    (url) => createXai({ baseURL: `${url}/v1`, apiKey }).responses("grok-m"),
    {
      only: ["xai"],
    },
  ),
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
  bedrock: readBedrock,
  cohere: readCohere,
  google: readGoogle,
  interactions: readInteractions,
  responses: readResponses,
};
