import { utf8Bytes } from "./request-bytes.js";

interface Part {
  readonly type?: unknown;
  readonly mediaType?: unknown;
  readonly data?: { readonly data?: unknown } | string | undefined;
  readonly output?: { readonly value?: unknown } | undefined;
}

interface Options {
  readonly prompt: readonly unknown[];
  readonly tools?: readonly unknown[] | undefined;
}

/** What a package may write around a request, a part of it, and a tool. */
const AROUND = 384;
const PER_PART = 16;
const PER_TOOL = 32;

/**
 * No less than the bytes of the body that a provider's package makes of these options of a call: all of them in JSON, with every quote
 * escaped once more (arguments of calls are JSON in a text of JSON), and what is written around each part.
 */
export function mostBodyBytes(options: Options, modelId: string): number {
  const { prompt, tools = [] } = options;
  const text = JSON.stringify({ ...options, modelId, abortSignal: undefined });
  let bytes = AROUND + utf8Bytes(text) + PER_TOOL * tools.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22 || unit === 0x5c) bytes++;
  }
  for (const message of prompt as readonly { readonly content?: unknown }[])
    bytes += PER_PART + partBytes(message.content);
  return bytes;
}

function partBytes(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  let bytes = 0;
  for (const { type, mediaType, data, output } of content as readonly Part[]) {
    bytes += PER_PART + partBytes(output?.value);
    if (type !== "file" || typeof mediaType !== "string" || !mediaType.startsWith("text/")) continue;
    // Sent as text by some, of which each byte may be written as six.
    const given = typeof data === "string" ? data : data?.data;
    if (typeof given === "string") bytes += given.length * 4;
  }
  return bytes;
}
