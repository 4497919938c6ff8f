import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  Message,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from "../protocol/message.js";
import type { JsonObject } from "../protocol/json.js";
import { parseArguments } from "../schema/parse-arguments.js";
import { freezeDeep } from "../util/freeze-deep.js";
import type { Model, ModelRequest } from "./model.js";
import { resultOutput } from "./v4-result.js";
import { toWireName } from "./wire-name.js";
import { wireNamesOf, type WireNames } from "./wire-names.js";

type Content = { readonly [key: string]: unknown };
type V4Message = { readonly role: "user" | "assistant" | "tool"; readonly content: readonly Content[] };

/**
 * The prompt of a request in V4 form. What the memo holds already is kept, so that a turn costs its new messages; the array
 * is a fresh one, so that a model which keeps it sees no later growth. Messages are frozen: later requests send the same ones.
 */
export function toV4Prompt(request: ModelRequest, model: Model, provider: string): unknown[] {
  const { memo, messages, system } = request;
  const prompt = memo.prompt;
  if (memo.model !== model || memo.system !== system || memo.converted > messages.length) {
    prompt.length = 0;
    memo.model = model;
    memo.system = system;
    memo.converted = 0;
    if (system !== undefined && system !== "") prompt.push(Object.freeze({ role: "system", content: system }));
  }
  const names = wireNamesOf(request.tools);
  // A run's first request has the thread's history before its last message; the thread's next run has it again.
  const history = memo.converted === 0 ? messages.length - 1 : 0;
  for (let at = memo.converted; at < messages.length; at++) {
    if (at < history) append(prompt, ofHistory(messages, at, provider, names));
    else append(prompt, toV4Message(messages, at, provider, names));
  }
  memo.converted = messages.length;
  return prompt.slice();
}

interface Converted {
  readonly provider: string;
  readonly names: WireNames | undefined;
  readonly message: V4Message;
}

/** What messages of ended runs are in V4 form. Their objects are the same in every run of a thread that is kept in memory. */
const known: WeakMap<Message, Converted> = new WeakMap();

function ofHistory(
  messages: readonly Message[],
  at: number,
  provider: string,
  names: WireNames | undefined,
): V4Message {
  const key = messages[at]!;
  const before = known.get(key);
  if (before !== undefined && before.provider === provider && before.names === names) return before.message;
  const message = toV4Message(messages, at, provider, names);
  known.set(key, { provider, names, message });
  return message;
}

function toV4Message(
  messages: readonly Message[],
  at: number,
  provider: string,
  names: WireNames | undefined,
): V4Message {
  const message = messages[at]!;
  switch (message.role) {
    case "user":
      return frozenMessage(message.role, userContent(message));
    case "tool":
      return frozenMessage(message.role, toolContent(message, messages, at, names, provider));
    case "assistant":
      return frozenMessage(message.role, assistantContent(message, provider, names));
  }
}

function append(prompt: unknown[], message: V4Message): void {
  const { role, content } = message;
  if (content.length === 0) return;
  const last = prompt[prompt.length - 1] as V4Message | undefined;
  if (last !== undefined && last.role === role && role !== "assistant") {
    prompt[prompt.length - 1] = frozenMessage(role, [...last.content, ...content]);
  } else prompt.push(message);
}

function frozenMessage(role: V4Message["role"], content: readonly Content[]): V4Message {
  return Object.freeze({ role, content: Object.freeze(content) });
}

function userContent(message: UserMessage): Content[] {
  const [only] = message.parts;
  if (message.parts.length === 1 && only!.type === "text" && only!.text !== "")
    return [withOptions({ type: "text", text: only!.text }, only!.metadata)];
  const content: Content[] = [];
  for (const part of message.parts) {
    if (part.type === "file") content.push(fileContent(part));
    else if (part.text !== "") content.push(withOptions({ type: "text", text: part.text }, part.metadata));
  }
  return content;
}

function assistantContent(message: AssistantMessage, provider: string, names: WireNames | undefined): Content[] {
  let content: Content[] | undefined;
  for (const part of message.parts) {
    const converted = assistantPart(part, provider, names);
    if (converted === undefined) continue;
    if (content === undefined) content = [converted];
    else content.push(converted);
  }
  return content ?? [];
}

function assistantPart(part: AssistantPart, provider: string, names: WireNames | undefined): Content | undefined {
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
        {
          type: "tool-call",
          toolCallId: part.wireId,
          toolName: wireName(part.name, names),
          input: freezeDeep(inputOf(part)),
        },
        part.metadata,
      );
    case "file":
      return fileContent(part);
    case "opaque":
      return part.provider === provider ? freezeDeep(fromOpaque(part.value)) : undefined;
  }
}

function fileContent({ mediaType, data, metadata }: FilePart): Content {
  return withOptions({ type: "file", mediaType, data: Object.freeze({ type: "data", data }) }, metadata);
}

function toolContent(
  message: ToolMessage,
  messages: readonly Message[],
  at: number,
  names: WireNames | undefined,
  provider: string,
): Content[] {
  return message.parts.map((part) =>
    withOptions(
      {
        type: "tool-result",
        toolCallId: wireIdOf(messages, at, part.callId),
        toolName: wireName(part.name, names),
        output: freezeDeep(resultOutput(part, provider)),
      },
      part.metadata,
    ),
  );
}

/** A tool of the request by its name there; any other name as providers take it. */
function wireName(name: string, names: WireNames | undefined): string {
  return names?.toWire(name) ?? toWireName(name);
}

/** A part, frozen; what it holds is frozen by now. */
function withOptions(part: Content, metadata: object | undefined): Content {
  return Object.freeze(metadata === undefined ? part : { ...part, providerOptions: freezeDeep(metadata) });
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

/** Every provider gets an object, whatever the model wrote: what a call of it ran with, or the text that no call runs with. */
function inputOf(part: ToolCallPart): JsonObject {
  return part.input ?? parsedInput(part.arguments);
}

function parsedInput(text: string): JsonObject {
  const parsed = parseArguments(text);
  return parsed.ok ? (parsed.value as JsonObject) : { unparsed: text };
}

/** Content that V4 gives in answers and takes in prompts, in the prompt's form. Sources and requests to approve have none. */
function fromOpaque(stored: unknown): Content | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { providerMetadata, ...part } = stored as Content;
  if (part["type"] === "source" || part["type"] === "tool-approval-request") return undefined;
  const given = withOptions(part, providerMetadata as object | undefined);
  if (part["type"] === "tool-call")
    return { ...given, input: typeof part["input"] === "string" ? parsedInput(part["input"]) : part["input"] };
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
