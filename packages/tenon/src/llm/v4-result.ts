import type { ToolResultPart } from "../protocol/message.js";

/** Providers whose models take files in the results of tools (by the AI SDK's provider ids). */
const TAKES_FILES = /^(?:anthropic|google|vertex|amazon-bedrock|openai\.responses|azure\.responses)/;

/** The result of a call in a V4 prompt: text, and its files where the provider's models take them there. */
export function resultOutput({ ok, content, files }: ToolResultPart, provider: string): object {
  if (files === undefined || !TAKES_FILES.test(provider)) return { type: ok ? "text" : "error-text", value: content };
  const parts = files.map(({ mediaType, data }) => ({ type: "file", mediaType, data: { type: "data", data } }));
  return { type: "content", value: [{ type: "text", text: content }, ...parts] };
}
