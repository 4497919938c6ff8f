import { free } from "./free.js";
import type { LanguageModel } from "./model.js";
import { fillArguments } from "./offline-arguments.js";
import { chooseTool, type OfflineTool, wordsOf } from "./offline-choice.js";

const ABOUT =
  "(I am Tenon's embedded model: rule-based, offline, and no language model; I match your words to the tools. " +
  "To plug in a real model, set TENON_MODEL and TENON_BASE_URL, and TENON_API_KEY where the server wants a key.)";

interface Part {
  readonly type: string;
  readonly text?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly input?: unknown;
  readonly output?: { readonly type: string; readonly value?: unknown; readonly reason?: unknown } | undefined;
}
interface Options {
  readonly prompt: readonly { readonly role: string; readonly content: string | readonly Part[] }[];
  readonly tools?: readonly (OfflineTool & { readonly type: string })[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * The embedded model: a V4 model object that follows rules, with no network and no key, and free. The same prompt gives the
 * same answer. It matches the user's words to the tools, calls one tool a message, and a write only where the message
 * begins with its verb; then it answers from the result. Its first answer in a conversation says what it is.
 */
export function offlineModel(): LanguageModel {
  return free({
    specificationVersion: "v4",
    provider: "tenon",
    modelId: "offline",
    async doGenerate(options: Options) {
      const part = answer(options);
      return { content: [part], ...ending(options, part), warnings: [] };
    },
    async doStream(options: Options) {
      const parts = partsOf(options, answer(options));
      const pull = (controller: ReadableStreamDefaultController): void => {
        const { done, value } = parts.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      };
      return { stream: new ReadableStream({ pull }) };
    },
  });
}

function* partsOf(options: Options, part: Part): Generator<object, undefined> {
  yield { type: "stream-start", warnings: [] };
  if (part.text === undefined) yield part;
  else {
    yield { type: "text-start", id: "1" };
    for (const [delta] of part.text.matchAll(/\s*\S+/g)) yield { type: "text-delta", id: "1", delta };
    yield { type: "text-end", id: "1" };
  }
  yield { type: "finish", ...ending(options, part) };
}

// Words for tokens: the same for the same prompt.
function ending({ prompt }: Options, part: Part): object {
  const [input, output] = [prompt, part].map((value) => wordsOf(JSON.stringify(value)).length);
  return {
    finishReason: { unified: part.text === undefined ? "tool-calls" : "stop", raw: undefined },
    usage: { inputTokens: { total: input, noCache: input }, outputTokens: { total: output, text: output } },
  };
}

function answer({ prompt, tools = [], abortSignal }: Options): Part {
  abortSignal?.throwIfAborted();
  const earlier = prompt.flatMap(({ role, content }) => (role === "assistant" ? (content as readonly Part[]) : []));
  const reply = replyTo(
    prompt,
    tools.filter(({ type }) => type === "function"),
  );
  if (typeof reply === "string") {
    const answered = earlier.some(({ type }) => type === "text");
    return { type: "text", text: answered ? reply.trim() : `${reply.trim()}\n\n${ABOUT}` };
  }
  const ids = earlier.map(({ toolCallId }) => Number(/^offline_(\d+)$/.exec(toolCallId ?? "")?.[1] ?? 0));
  return { type: "tool-call", toolCallId: `offline_${Math.max(0, ...ids) + 1}`, ...reply };
}

function replyTo(prompt: Options["prompt"], tools: readonly OfflineTool[]): string | Pick<Part, "toolName" | "input"> {
  const last = prompt.at(-1);
  if (last?.role === "tool") return (last.content as readonly Part[]).map(tellResult).join("\n\n");
  const asked = (prompt.findLast(({ role }) => role === "user")?.content ?? []) as readonly Part[];
  const message = asked
    .map(({ text }) => text ?? "")
    .join("\n")
    .trim();
  const choice = chooseTool(message, tools);
  if (choice === undefined) return `${/^(hi|hello|hey|good \w+)\b/i.test(message) ? "Hello. " : ""}${tellTools(tools)}`;
  const { tool, verb } = choice;
  if (verb !== undefined)
    return `${tool.name} changes something: I use it only where the message begins with "${verb}".`;
  const { input, missing } = fillArguments(tool, message);
  if (input !== undefined) return { toolName: tool.name, input: JSON.stringify(input) };
  const fields = missing.map((field) => {
    const prompt = tool.inputSchema.properties?.[field]?.description;
    return prompt === undefined ? field : `${field} (${prompt})`;
  });
  return `To use ${tool.name} I need ${fields.join(", ")}. Say it all in one message, longer texts in quotes.`;
}

function tellTools(tools: readonly OfflineTool[]): string {
  if (tools.length === 0) return "I have no tools, so there is nothing that I can do.";
  return list(
    "I can use these tools:",
    tools.map(({ name, description }) => `${name}: ${description}`),
  );
}

// A result in words: text as it is, JSON as short lines, an error or a denial plainly.
function tellResult({ toolName, output }: Part): string {
  const value = output?.value ?? output?.reason ?? "it gave no reason";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (output?.type !== "text" && output?.type !== "json")
    return `${toolName} did not go through: ${text.replace(/^Tool error: /, "")}`;
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === "object" && json !== null) return lines(json, "results");
    return typeof json === "string" ? json : `${toolName}: ${text}`;
  } catch {
    return text.trim() === "" ? `${toolName} gave an empty answer.` : text;
  }
}

function lines(value: object, what: string): string {
  if (Array.isArray(value))
    return list(`${value.length} ${value.length === 1 ? what.replace(/(?<=...)s$/, "") : what}:`, value.map(inline));
  return Object.entries(value)
    .map(([key, one]) => (Array.isArray(one) ? lines(one, key) : `${key}: ${inline(one)}`))
    .join("\n");
}

function list(head: string, items: readonly string[]): string {
  const cut = (item: string): string => (item.length > 300 ? `${item.slice(0, 299).toWellFormed()}…` : item);
  const more = items.length > 10 ? [`… and ${items.length - 10} more`] : [];
  return [head, ...items.slice(0, 10).map((item) => `- ${cut(item)}`), ...more].join("\n");
}

function inline(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value).replace(/\s+/g, " ");
  if (Array.isArray(value)) return value.map(inline).join(", ");
  return Object.entries(value)
    .map(([key, member]) => `${key}: ${inline(member)}`)
    .join(", ");
}
