import { free } from "./free.js";
import type { LanguageModel } from "./model.js";
import { chooseTool, fillArguments, type OfflineTool, wordsOf } from "./offline-choice.js";

const ABOUT =
  "(I am Tenon's embedded model: rule-based, offline, and no language model; I match your words to the tools. " +
  "To plug in a real model, set TENON_MODEL and TENON_BASE_URL, and TENON_API_KEY where the server wants a key.)";

interface Part {
  readonly type: string;
  readonly text?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly output?: { readonly type: string; readonly value?: unknown } | undefined;
}
interface Options {
  readonly prompt: readonly { readonly role: string; readonly content: readonly Part[] }[];
  readonly tools?: readonly (OfflineTool & { readonly type: string })[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * The embedded model: rules instead of a language model, with no network and no key; free, and the same answer to the same
 * prompt. It calls at most one tool a message, and says what it is in its first answer of a conversation.
 */
export function offlineModel(): LanguageModel {
  return free({
    specificationVersion: "v4",
    provider: "tenon",
    modelId: "offline",
    doGenerate: async (options: Options) => answer(options),
    async doStream(options: Options) {
      const { content, warnings, ...end } = answer(options);
      const deltas = content[0].text?.match(/\s*\S+/g)?.map((delta) => ({ type: "text-delta", id: "1", delta }));
      const answered = deltas ? [{ type: "text-start", id: "1" }, ...deltas, { type: "text-end", id: "1" }] : content;
      const parts = [{ type: "stream-start", warnings }, ...answered, { type: "finish", ...end }];
      const stream = new ReadableStream({ pull: (to) => (parts.length > 0 ? to.enqueue(parts.shift()) : to.close()) });
      return { stream };
    },
  });
}

function answer({ prompt, tools = [], abortSignal }: Options) {
  abortSignal?.throwIfAborted();
  const earlier = prompt.flatMap(({ role, content }) => (role === "assistant" ? content : []));
  const ids = earlier.map(({ toolCallId = "" }) => Number(/^offline_(\d+)$/.exec(toolCallId)?.[1] ?? 0));
  const said = earlier.some(({ type }) => type === "text") ? "" : `\n\n${ABOUT}`;
  const usable = tools.filter(({ type }) => type === "function");
  const reply = replyTo(prompt, usable);
  const part: Part =
    typeof reply === "string"
      ? { type: "text", text: `${reply.trim() || "Nothing came back."}${said}` }
      : { type: "tool-call", toolCallId: `offline_${Math.max(0, ...ids) + 1}`, ...reply };
  // Words for tokens: the same for the same prompt.
  const [inputTokens, outputTokens] = [prompt, part].map((one) => ({ total: wordsOf(JSON.stringify(one)).length }));
  const finishReason = { unified: part.type === "text" ? "stop" : "tool-calls", raw: undefined };
  return { content: [part] as const, finishReason, usage: { inputTokens, outputTokens }, warnings: [] };
}

function replyTo(prompt: Options["prompt"], tools: readonly OfflineTool[]): string | object {
  const last = prompt.findLast(({ role }) => role === "user" || role === "tool");
  if (last?.role === "tool") return last.content.map(tellResult).join("\n\n");
  const message = last?.content.map(({ text = "" }) => text).join("\n") ?? "";
  const tool = chooseTool(message, tools);
  if (typeof tool === "string") return tool;
  if (tool === undefined && tools.length === 0) return "I have no tools, so there is nothing that I can do.";
  if (tool === undefined) return `I can use these tools${list(tools.map((one) => `${one.name}: ${one.description}`))}`;
  const input = fillArguments(tool, message);
  if (input !== undefined) return { toolName: tool.name, input: JSON.stringify(input) };
  const fields = Object.entries(tool.inputSchema.properties ?? {});
  const known = fields.map(([field, { description }]) => `${field} (${description ?? "a value"})`).join(", ");
  return `I need more to use ${tool.name}. It takes ${known}. Say it all in one message, each text in quotes behind its name.`;
}

// A result in words: text as it is, JSON as short lines, an error or a denial plainly.
function tellResult({ toolName, output: { type, value } = { type: "none" } }: Part): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "no reason given");
  if (!/^(text|json)$/.test(type)) return `${toolName} did not go through: ${text.replace("Tool error: ", "")}`;
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "number" ? `${toolName}: ${json}` : tell(json);
  } catch {
    return text;
  }
}

function tell(value: unknown, top = true): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value) && top) return `${value.length} found${list(value.map((item) => tell(item, false)))}`;
  if (Array.isArray(value)) return value.map((item) => tell(item, false)).join(", ");
  const members = Object.entries(value) as [string, unknown][];
  return members.map(([key, one]) => `${key}: ${tell(one, top && Array.isArray(one))}`).join(top ? "\n" : ", ");
}

function list(items: readonly string[]): string {
  const rows = items.slice(0, 10).map((item) => `\n- ${item.replace(/\s+/g, " ").slice(0, 300).toWellFormed()}`);
  if (items.length > 10) rows.push(`\n… and ${items.length - 10} more`);
  return items.length > 0 ? `:${rows.join("")}` : ".";
}
