import { free, type LanguageModel } from "tenon/models";
import { wordsOf } from "../loopback/ranked.js";
import { nextStep, type CallResult } from "./research-plan.js";

/** A part of a message, as a model of the AI SDK gets it. */
interface Part {
  readonly type: string;
  readonly text?: string;
  readonly toolName?: string;
  readonly output?: { readonly type: string; readonly value?: unknown };
}

interface Options {
  readonly prompt: readonly (
    | { readonly role: "system"; readonly content: string }
    | { readonly role: "user" | "assistant" | "tool"; readonly content: readonly Part[] }
  )[];
  readonly abortSignal?: AbortSignal;
}

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool-call"; readonly toolCallId: string; readonly toolName: string; readonly input: string };

/**
 * A model that follows the research plan: rules, and no language model. It needs no key and no network, and what it answers
 * comes from the results of its calls alone.
 */
export function planModel(): LanguageModel {
  return free({
    specificationVersion: "v4",
    provider: "example",
    modelId: "plan",
    doGenerate: async (options: Options) => answerTo(options),
    async doStream(options: Options) {
      const { content, warnings, ...end } = answerTo(options);
      const parts = [{ type: "stream-start", warnings }, ...content.flatMap(streamed), { type: "finish", ...end }];
      return { stream: ReadableStream.from(parts) };
    },
  });
}

/** The parts of a stream that make a part of an answer. */
function streamed(part: Content): object[] {
  if (part.type === "tool-call") return [part];
  const id = "1";
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: part.text },
    { type: "text-end", id },
  ];
}

function answerTo({ prompt, abortSignal }: Options) {
  abortSignal?.throwIfAborted();
  const asked = prompt.findLastIndex(({ role }) => role === "user");
  const step = nextStep(textOf(prompt[asked]), prompt.slice(asked + 1).flatMap(resultsIn));
  // Ids that no earlier call of the conversation has.
  const before = prompt.reduce((count, { role, content }) => count + (role === "tool" ? content.length : 0), 0);
  const content: Content[] =
    "answer" in step
      ? [{ type: "text", text: step.answer }]
      : step.calls.map(({ tool, input }, at) => ({
          type: "tool-call",
          toolCallId: `plan_${before + at + 1}`,
          toolName: tool,
          input: JSON.stringify(input),
        }));
  // Words for tokens: the same for the same prompt.
  const [inputTokens, outputTokens] = [prompt, content].map((one) => ({ total: wordsOf(JSON.stringify(one)).length }));
  const finishReason = { unified: "answer" in step ? "stop" : "tool-calls", raw: undefined };
  return { content, finishReason, usage: { inputTokens, outputTokens }, warnings: [] };
}

function textOf(message: Options["prompt"][number] | undefined): string {
  if (message === undefined || message.role === "system") return "";
  return message.content.map(({ text = "" }) => text).join("\n");
}

/** What the calls of a turn gave: a result is JSON as text, an error a text that says so. */
function resultsIn(message: Options["prompt"][number]): CallResult[] {
  if (message.role !== "tool") return [];
  return message.content.map(({ toolName: tool = "", output: { type, value } = { type: "none" } }) => {
    const text = String(value);
    if (type !== "text") return { tool, error: text.replace(/^Tool error: /, "") };
    try {
      return { tool, value: JSON.parse(text) as unknown };
    } catch {
      return { tool, error: "Its result was too long." };
    }
  });
}
