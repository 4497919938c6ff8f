import type { FinishReason } from "../protocol/usage.js";
import type { PartMetadata } from "../protocol/message.js";
import type { AnswerPart } from "./model.js";
import { rawFinish } from "./raw-finish.js";
import { toBase64, toJson, toJsonObject } from "./to-json.js";
import { wellFormedJson } from "./well-formed-json.js";

/**
 * One piece of V4 content as a part of the answer. What only its provider understands becomes opaque; `undefined` for what
 * holds nothing. Calls that the provider runs itself are opaque: they are not ours to run.
 */
export function toAnswerPart(content: unknown, provider: string): AnswerPart | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  const part = content as { readonly [key: string]: unknown };
  switch (part["type"]) {
    case "text":
    case "reasoning":
      return toBlock(part["type"], part["text"], part["providerMetadata"], provider);
    case "tool-call":
      if (part["providerExecuted"] === true) break;
      return toCall(part["toolCallId"], part["toolName"], part["input"], part["providerMetadata"]);
    case "tool-result":
      if (part["preliminary"] === true) return undefined;
      break;
    case "file": {
      const data = part["data"] as
        | { readonly type?: unknown; readonly data?: unknown }
        | string
        | Uint8Array
        | null
        | undefined;
      const bytes =
        typeof data === "object" && data !== null && "type" in data && data.type === "data" ? data.data : data;
      if (typeof part["mediaType"] !== "string" || (typeof bytes !== "string" && !(bytes instanceof Uint8Array))) break;
      const file = {
        type: "file",
        mediaType: part["mediaType"],
        data: typeof bytes === "string" ? bytes : toBase64(bytes),
      } as const;
      return withMetadata(file, part["providerMetadata"]);
    }
  }
  const value = toJson(part);
  return value === undefined ? undefined : { type: "opaque", provider, value };
}

/**
 * A block of text or reasoning, well-formed; `undefined` for an empty one that carries nothing else. A summary that the
 * provider made of the messages so far is nothing that the model said: it is opaque.
 */
export function toBlock(
  type: "text" | "reasoning",
  given: unknown,
  metadata: unknown,
  provider: string,
): AnswerPart | undefined {
  const text = typeof given === "string" ? given.toWellFormed() : "";
  if (isSummary(metadata)) {
    const value = text === "" ? undefined : toJson({ type, text, providerMetadata: metadata });
    return value === undefined ? undefined : { type: "opaque", provider, value };
  }
  const part = withMetadata({ type, text }, metadata);
  return text === "" && part.metadata === undefined ? undefined : part;
}

/** Whether a block of text is a summary of Anthropic's, by its metadata. */
export function isSummary(metadata: unknown): boolean {
  if (typeof metadata !== "object" || metadata === null) return false;
  return (metadata as { readonly anthropic?: { readonly type?: unknown } | null }).anthropic?.type === "compaction";
}

/** A call whose id, name and arguments may be anything at all; they become well-formed texts. */
export function toCall(id: unknown, name: unknown, input: unknown, metadata: unknown): AnswerPart {
  return withMetadata(
    {
      type: "tool-call",
      wireId: textOfField(id),
      name: textOfField(name),
      arguments: wellFormedJson(typeof input === "string" ? input : argumentText(input)),
    },
    metadata,
  );
}

/** A V4 finish reason, in whatever form it came; where the provider's own label says more than the package made of it, by that. */
export function toFinish(given: unknown): FinishReason {
  if (typeof given !== "object" || given === null) return toLabel(given);
  const { unified, raw } = given as { readonly unified?: unknown; readonly raw?: unknown };
  return (typeof raw === "string" ? rawFinish(raw) : undefined) ?? toLabel(unified);
}

function toLabel(label: unknown): FinishReason {
  switch (label) {
    case "stop":
    case "tool-calls":
    case "length":
    case "content-filter":
    case "error":
    case "interrupted":
      return label;
    case "tool_calls":
    case "function_call":
      return "tool-calls";
    case "content_filter":
      return "content-filter";
    default:
      return "other";
  }
}

function withMetadata<P extends object>(part: P, given: unknown): P & { readonly metadata?: PartMetadata | undefined } {
  if (given === undefined || given === null) return part;
  const metadata = toJsonObject(given) as PartMetadata | undefined;
  return metadata === undefined || Object.keys(metadata).length === 0 ? part : { ...part, metadata };
}

function textOfField(value: unknown): string {
  return typeof value === "string" ? value.toWellFormed() : typeof value === "number" ? String(value) : "";
}

function argumentText(input: unknown): string {
  const value = input === undefined || input === null ? undefined : toJson(input);
  return value === undefined ? "" : JSON.stringify(value);
}
