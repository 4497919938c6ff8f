import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  Message,
  ToolMessage,
  UserMessage,
} from "../protocol/message.js";
import { freezeDeep } from "../util/freeze-deep.js";
import type { CallInputs } from "./call-inputs.js";
import { fromOpaque, parsedInput, withOptions, type Content } from "./from-opaque.js";
import type { ModelRequest, PastMessages, PromptMemo } from "./model.js";
import { resultOutput } from "./v4-result.js";
import { toWireName } from "./wire-name.js";
import { wireNamesOf, type WireNames } from "./wire-names.js";

type MessagePart = Message["parts"][number];
type V4Message = { readonly role: "user" | "assistant" | "tool"; readonly content: readonly Content[] };

/**
 * The prompt of a request in V4 form. What the memo holds already is kept, so that a turn costs its new messages, and a past
 * run nothing once it was converted; the array is a fresh one, so that a model which keeps it sees no later growth. Messages
 * are frozen: later requests send the same ones.
 */
export function toV4Prompt(request: ModelRequest, provider: string): unknown[] {
  const { memo, messages, system, past } = request;
  const names = wireNamesOf(request.tools);
  if (!fits(memo, provider, names) || memo.system !== system || memo.converted > messages.length) {
    startOver(memo, provider, names);
    memo.system = system;
    if (system !== undefined && system !== "") memo.prompt.push(systemMessage(system));
    if (past !== undefined && past.length > 0) memo.prompt = withPast(memo.prompt, past, provider, names);
    memo.own = memo.prompt.length;
  }
  convert(memo, messages, provider, names);
  return memo.prompt.slice();
}

/** Runs of an agent have one system prompt. */
let lastSystem: { readonly role: "system"; readonly content: string } | undefined;

function systemMessage(content: string): object {
  if (lastSystem?.content !== content) lastSystem = Object.freeze({ role: "system", content });
  return lastSystem;
}

function fits(memo: PromptMemo, provider: string, names: WireNames | undefined): boolean {
  return memo.provider === provider && memo.names === names;
}

function startOver(memo: PromptMemo, provider: string, names: WireNames | undefined): void {
  memo.provider = provider;
  memo.names = names;
  memo.converted = memo.own = 0;
  memo.prompt = [];
}

function convert(memo: PromptMemo, messages: readonly Message[], provider: string, names: WireNames | undefined): void {
  const { prompt } = memo;
  for (let at = memo.converted; at < messages.length; at++) {
    append(prompt, toV4Message(messages, at, provider, names, memo.inputs));
    if (at === 0 && prompt.length === memo.own) memo.own = -1;
  }
  memo.converted = messages.length;
  memo.inputs?.clear();
}

/** What is begun with the past runs after it: whole runs are copied, not their messages one by one. */
function withPast(
  begun: unknown[],
  past: readonly PastMessages[],
  provider: string,
  names: WireNames | undefined,
): unknown[] {
  let prompt = begun;
  let runs: (readonly unknown[])[] = [];
  let last: V4Message | undefined;
  for (const run of past) {
    const own = ownPrompt(run, provider, names) as readonly V4Message[];
    if (own.length === 0) continue;
    if (last !== undefined && joins(last, own[0]!)) {
      prompt = prompt.concat(...runs);
      append(prompt, own[0]!);
      runs = [own.slice(1)];
    } else runs.push(own);
    last = own.at(-1);
  }
  return prompt.concat(...runs);
}

/** The messages of a past run alone, of which the last was never sent before. */
function ownPrompt({ messages, memo }: PastMessages, provider: string, names: WireNames | undefined): unknown[] {
  if (!fits(memo, provider, names) || memo.own < 0) startOver(memo, provider, names);
  else if (memo.own > 0) {
    memo.prompt = memo.prompt.slice(memo.own);
    memo.own = 0;
  }
  convert(memo, messages, provider, names);
  return memo.prompt;
}

function toV4Message(
  messages: readonly Message[],
  at: number,
  provider: string,
  names: WireNames | undefined,
  inputs: CallInputs | undefined,
): V4Message {
  const message = messages[at]!;
  switch (message.role) {
    case "user":
      return frozenMessage(message.role, userContent(message));
    case "tool":
      return frozenMessage(message.role, toolContent(message, messages, at, names, provider));
    case "assistant":
      return frozenMessage(message.role, assistantContent(message, provider, names, inputs));
  }
}

function append(prompt: unknown[], message: V4Message): void {
  const { role, content } = message;
  if (content.length === 0) return;
  const last = prompt[prompt.length - 1] as V4Message | undefined;
  if (last !== undefined && joins(last, message)) {
    prompt[prompt.length - 1] = frozenMessage(role, [...last.content, ...content]);
  } else prompt.push(message);
}

/** Whether two messages that follow each other are one there. */
function joins(one: V4Message, next: V4Message): boolean {
  return one.role === next.role && next.role !== "assistant";
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

function assistantContent(
  message: AssistantMessage,
  provider: string,
  names: WireNames | undefined,
  inputs: CallInputs | undefined,
): Content[] {
  const { parts } = message;
  let content: Content[] | undefined;
  for (let at = 0; at < parts.length; at++) {
    const converted = assistantPart(parts[at]!, provider, names, inputs);
    if (converted === undefined) continue;
    if (content === undefined) content = [converted];
    else content.push(converted);
  }
  return content ?? [];
}

function assistantPart(
  part: AssistantPart,
  provider: string,
  names: WireNames | undefined,
  inputs: CallInputs | undefined,
): Content | undefined {
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
          input: freezeDeep(part.input ?? inputs?.of(part) ?? parsedInput(part.arguments)),
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
  const calls = (messages[at - 1] ?? message).parts;
  const { parts } = message;
  const content = new Array<Content>(parts.length);
  // No closure: a function that has one pays for it in each call.
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    const result = {
      type: "tool-result",
      toolCallId: wireIdAt(calls[i], part.callId) ?? wireIdOf(messages, at, part.callId),
      toolName: wireName(part.name, names),
      output: freezeDeep(resultOutput(part, provider)),
    };
    content[i] = withOptions(result, part.metadata);
  }
  return content;
}

/** A tool of the request by its name there; any other name as providers take it. */
function wireName(name: string, names: WireNames | undefined): string {
  return names?.toWire(name) ?? toWireName(name);
}

/** The results of a turn mostly stand as its calls do. */
function wireIdAt(part: MessagePart | undefined, callId: string): string | undefined {
  return part?.type === "tool-call" && part.callId === callId ? part.wireId : undefined;
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
