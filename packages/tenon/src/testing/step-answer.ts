import type { StepCall, StepUsage, ToolCallStep, TurnStep } from "./model-step.js";

/** A piece of content of specification V4. */
export type ScriptedContent =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  | {
      readonly type: "tool-call";
      readonly toolCallId: string | null | undefined;
      readonly toolName: string;
      readonly input?: string | null | undefined;
    };

/** What `doGenerate` gives for a step. */
export interface ScriptedAnswer {
  readonly content: readonly ScriptedContent[];
  readonly finishReason: { readonly unified: string | null; readonly raw: string | undefined };
  readonly usage: object;
  readonly warnings: readonly never[];
}

/** A step as the answer to the model's `request`-th request, counted from 1. */
export function answerOf(step: TurnStep | ToolCallStep, request: number): ScriptedAnswer {
  const { reasoning, text, calls, finish, usage } =
    step.kind === "turn"
      ? step
      : { calls: [step.call], reasoning: undefined, text: undefined, finish: undefined, usage: undefined };
  const content: ScriptedContent[] = [];
  if (reasoning !== undefined) content.push({ type: "reasoning", text: reasoning });
  if (text !== undefined) content.push({ type: "text", text });
  for (const [i, call] of calls.entries()) content.push(contentOf(call, `step_${request}_${i + 1}`));
  const unified = finish === undefined ? (calls.length > 0 ? "tool-calls" : "stop") : finish;
  return {
    content,
    finishReason: { unified, raw: unified ?? undefined },
    usage: usage === null ? noUsage : usageOf(usage ?? {}),
    warnings: [],
  };
}

function contentOf(call: StepCall, numberedId: string): ScriptedContent {
  const base = { type: "tool-call", toolCallId: call.numbered ? numberedId : call.id, toolName: call.name } as const;
  return call.arguments === undefined ? base : { ...base, input: call.arguments };
}

const noUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** The cost stands where the adapter looks for a provider's own number. */
function usageOf({
  inputTokens = 10,
  outputTokens = 5,
  cachedInputTokens = 0,
  cacheWriteTokens = 0,
  reasoningTokens = 0,
  costUsd,
}: StepUsage): object {
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens - cachedInputTokens - cacheWriteTokens,
      cacheRead: cachedInputTokens,
      cacheWrite: cacheWriteTokens,
    },
    outputTokens: { total: outputTokens, text: outputTokens - reasoningTokens, reasoning: reasoningTokens },
    ...(costUsd === undefined ? {} : { raw: { cost: costUsd } }),
  };
}
