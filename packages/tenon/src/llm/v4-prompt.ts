import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from "../protocol/message.js";
import type { JsonObject } from "../protocol/json.js";
import type { Model, ModelRequest } from "./model.js";
import { toWireName } from "./wire-name.js";

type Content = { readonly [key: string]: unknown };
type V4Message = { readonly role: "user" | "assistant" | "tool"; readonly content: Content[] };

/**
 * The prompt of a request in V4 form. What the memo holds already is kept, so that a turn costs its new messages; the array
 * is a fresh one, so that a model which keeps it sees no later growth. Messages that were handed out are never changed.
 */
export function toV4Prompt(request: ModelRequest, model: Model, provider: string): unknown[] {
  const { memo, messages, system } = request;
  const prompt = memo.prompt;
  if (memo.model !== model || memo.system !== system || memo.converted > messages.length) {
    prompt.length = 0;
    memo.model = model;
    memo.system = system;
    memo.converted = 0;
    if (system !== undefined && system !== "") prompt.push({ role: "system", content: system });
  }
  for (let at = memo.converted; at < messages.length; at++) append(prompt, messages, at, provider);
  memo.converted = messages.length;
  return prompt.slice();
}

function append(prompt: unknown[], messages: readonly Message[], at: number, provider: string): void {
  const message = messages[at]!;
  const content =
    message.role === "user"
      ? userContent(message)
      : message.role === "tool"
        ? toolContent(message, messages, at)
        : assistantContent(message, provider);
  if (content.length === 0) return;
  const last = prompt[prompt.length - 1] as V4Message | undefined;
  if (last !== undefined && last.role === message.role && message.role !== "assistant") {
    prompt[prompt.length - 1] = { role: message.role, content: [...last.content, ...content] };
  } else prompt.push({ role: message.role, content });
}

function userContent(message: UserMessage): Content[] {
  const [only] = message.parts;
  if (message.parts.length === 1 && only!.type === "text" && only!.text !== "")
    return [withOptions({ type: "text", text: only!.text }, only!.metadata)];
  const content: Content[] = [];
  for (const part of message.parts) {
    if (part.type === "file")
      content.push(
        withOptions(
          { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } },
          part.metadata,
        ),
      );
    else if (part.text !== "") content.push(withOptions({ type: "text", text: part.text }, part.metadata));
  }
  return content;
}

function assistantContent(message: AssistantMessage, provider: string): Content[] {
  let content: Content[] | undefined;
  for (const part of message.parts) {
    const converted = assistantPart(part, provider);
    if (converted === undefined) continue;
    if (content === undefined) content = [converted];
    else content.push(converted);
  }
  return content ?? [];
}

function assistantPart(part: AssistantPart, provider: string): Content | undefined {
  switch (part.type) {
    case "text":
      // Some providers refuse a block without a visible character.
      return part.text.trim() === "" ? undefined : withOptions({ type: "text", text: part.text }, part.metadata);
    case "reasoning":
      return part.text === "" && part.metadata === undefined
        ? undefined
        : withOptions({ type: "reasoning", text: part.text }, part.metadata);
    case "tool-call":
      return withOptions(
        { type: "tool-call", toolCallId: part.wireId, toolName: toWireName(part.name), input: inputOf(part) },
        part.metadata,
      );
    case "file":
      return withOptions(
        { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } },
        part.metadata,
      );
    case "opaque":
      return part.provider === provider ? fromOpaque(part.value) : undefined;
  }
}

function toolContent(message: ToolMessage, messages: readonly Message[], at: number): Content[] {
  return message.parts.map((part) =>
    withOptions(
      {
        type: "tool-result",
        toolCallId: wireIdOf(messages, at, part.callId),
        toolName: toWireName(part.name),
        output: { type: part.ok ? "text" : "error-text", value: part.content },
      },
      part.metadata,
    ),
  );
}

function withOptions(part: Content, metadata: object | undefined): Content {
  return metadata === undefined ? part : { ...part, providerOptions: metadata };
}

/** A result belongs to the nearest call above it with its call id. */
function wireIdOf(messages: readonly Message[], below: number, callId: string): string {
  for (let at = below - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (message.role !== "assistant") continue;
    for (const part of message.parts) if (part.type === "tool-call" && part.callId === callId) return part.wireId;
  }
  return callId;
}

/** Every provider gets an object, whatever the model wrote. */
function inputOf(part: ToolCallPart): JsonObject {
  return part.input ?? parseInput(part.arguments);
}

function parseInput(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Not JSON: told below.
  }
  return text.trim() === "" || text.trim() === "null" ? {} : { unparsed: text };
}

/** Content that V4 gives in answers and takes in prompts, in the prompt's form. Sources and requests to approve have none. */
function fromOpaque(stored: unknown): Content | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { providerMetadata, ...part } = stored as Content;
  if (part["type"] === "source" || part["type"] === "tool-approval-request") return undefined;
  const given = withOptions(part, providerMetadata as object | undefined);
  if (part["type"] === "tool-call")
    return { ...given, input: typeof part["input"] === "string" ? parseInput(part["input"]) : part["input"] };
  if (part["type"] === "tool-result") {
    const { result, isError, preliminary: _preliminary, ...rest } = given;
    return { ...rest, output: { type: isError === true ? "error-json" : "json", value: result } };
  }
  const data = part["data"] as { readonly type?: unknown; readonly url?: unknown } | undefined | null;
  if (typeof data === "object" && data?.type === "url" && typeof data.url === "string") {
    const url = toUrl(data.url);
    return url === undefined ? undefined : { ...given, data: { ...data, url } };
  }
  return given;
}

function toUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
