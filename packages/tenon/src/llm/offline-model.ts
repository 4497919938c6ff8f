import { free } from "./free.js";
import type { LanguageModel } from "./model.js";
import { askFor, type OfflineResult, tellResult, tellTools } from "./offline-answer.js";
import { fillArguments, withoutQuotes } from "./offline-arguments.js";
import { chooseTool, type OfflineTool } from "./offline-choice.js";
import { wordsOf } from "./offline-words.js";

const ABOUT =
  `(I am Tenon's embedded model: rule-based, offline, and no language model; I match your words to the tools. To plug
in a real model, set TENON_MODEL and TENON_BASE_URL, and TENON_API_KEY where the server wants a key.)`.replace(
    "\n",
    " ",
  );

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
}
interface Options {
  readonly prompt: readonly { readonly role: string; readonly content: string | readonly Part[] }[];
  readonly tools?: readonly (OfflineTool & { readonly type: string })[];
  readonly abortSignal?: AbortSignal;
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
      const part = answer(options);
      const deltas = part.text?.match(/\s*\S+/g)?.map((delta) => ({ type: "text-delta", id: "1", delta })) ?? [];
      const content =
        part.text === undefined ? [part] : [{ type: "text-start", id: "1" }, ...deltas, { type: "text-end", id: "1" }];
      const parts = [
        { type: "stream-start", warnings: [] },
        ...content,
        { type: "finish", ...ending(options, part) },
      ].values();
      const pull = (controller: ReadableStreamDefaultController): void => {
        const { done, value } = parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      };
      return { stream: new ReadableStream({ pull }) };
    },
  });
}

function answer({ prompt, tools = [], abortSignal }: Options): Part {
  abortSignal?.throwIfAborted();
  const earlier = prompt.flatMap(({ role, content }) => (role === "assistant" ? (content as readonly Part[]) : []));
  const answered = earlier.some(({ type }) => type === "text");
  const reply = replyTo(
    prompt,
    tools.filter(({ type }) => type === "function"),
  );
  if (typeof reply === "string") return { type: "text", text: answered ? reply : `${reply}\n\n${ABOUT}` };
  const ids = earlier.map(({ toolCallId }) => Number(/^offline_(\d+)$/.exec(toolCallId ?? "")?.[1] ?? 0));
  return { type: "tool-call", toolCallId: `offline_${Math.max(0, ...ids) + 1}`, ...reply };
}

function replyTo(
  prompt: Options["prompt"],
  tools: readonly OfflineTool[],
): string | { toolName: string; input: string } {
  const last = prompt.at(-1);
  if (last?.role === "tool") return (last.content as unknown as readonly OfflineResult[]).map(tellResult).join("\n\n");
  const asked = (prompt.findLast(({ role }) => role === "user")?.content ?? []) as readonly Part[];
  const message = asked
    .map(({ text }) => text ?? "")
    .join("\n")
    .trim();
  const choice = chooseTool(withoutQuotes(message), tools);
  if (choice === undefined) return `${/^(hi|hello|hey|good \w+)\b/i.test(message) ? "Hello. " : ""}${tellTools(tools)}`;
  const { tool, verb } = choice;
  if (verb !== undefined)
    return `${tool.name} changes something: I use it only where the message begins with "${verb}".`;
  const { input, missing } = fillArguments(tool, message);
  return input === undefined ? askFor(tool, missing) : { toolName: tool.name, input: JSON.stringify(input) };
}

// Words for tokens: the same for the same prompt.
function ending({ prompt }: Options, part: Part): object {
  const [input, output] = [prompt, part].map((value) => wordsOf(JSON.stringify(value)).length);
  return {
    finishReason: { unified: part.text === undefined ? "tool-calls" : "stop", raw: undefined },
    usage: { inputTokens: { total: input, noCache: input }, outputTokens: { total: output, text: output } },
  };
}
