import { MOST_CALL_COST, MOST_CALL_TOKENS } from "../config/defaults.js";
import type { Message } from "../protocol/message.js";
import type { Usage } from "../protocol/usage.js";
import type { AnswerPart, ModelRequest } from "./model.js";

/** Where a call's usage and cost are read from. */
export interface UsageSource {
  readonly usage: unknown;
  /** The answer's own metadata, by provider. */
  readonly metadata: unknown;
  readonly free: boolean;
}

type Fields = { readonly [key: string]: unknown };

/**
 * A usage as the specifications have it, as a `Usage`: V2 has plain counts, V3 and V4 have them in groups. Counts that are missing, or are no counts (more than any model takes among them), are estimated, a token for four characters, and flagged;
 * never NaN. The cost is what the provider reports, else nothing for a free model, else unknown.
 */
export function toUsage(source: UsageSource, request: ModelRequest, parts: readonly AnswerPart[]): Usage {
  const usage = fields(source.usage);
  const input = fields(usage["inputTokens"]);
  const output = fields(usage["outputTokens"]);
  const cached = tokens(input["cacheRead"]) ?? tokens(usage["cachedInputTokens"]) ?? 0;
  const written = tokens(input["cacheWrite"]) ?? 0;
  const reasoning = tokens(output["reasoning"]) ?? tokens(usage["reasoningTokens"]) ?? 0;
  const inputTotal =
    tokens(input["total"]) ?? tokens(usage["inputTokens"]) ?? sumOf(tokens(input["noCache"]), cached + written);
  const outputTotal =
    tokens(output["total"]) ?? tokens(usage["outputTokens"]) ?? sumOf(tokens(output["text"]), reasoning);
  const inputTokens = inputTotal ?? estimated(requestLength(request));
  const outputTokens = outputTotal ?? estimated(answerLength(parts));
  const { raw } = usage;
  const cost =
    source.metadata === undefined && raw === undefined ? undefined : nanoUsd(reportedCost(source.metadata, raw));
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: Math.min(cached, inputTokens),
    cacheWriteTokens: Math.min(written, inputTokens),
    reasoningTokens: Math.min(reasoning, outputTokens),
    costNanoUsd: cost ?? (source.free ? 0 : undefined),
    costSource: cost !== undefined ? "api" : source.free ? "free" : "unknown",
    estimated: inputTotal === undefined || outputTotal === undefined,
  };
}

const none: Fields = {};

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : none;
}

function tokens(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= MOST_CALL_TOKENS ? Math.ceil(value) : undefined;
}

function sumOf(first: number | undefined, more: number): number | undefined {
  return first === undefined ? undefined : first + more;
}

function estimated(length: number): number {
  return Math.ceil(length / 4);
}

/** US dollars, a number or decimal text; where several places report, the most specific. */
function reportedCost(metadata: unknown, raw: unknown): unknown {
  const known = fields(metadata);
  const { cost, cost_in_usd_ticks: ticks } = fields(raw);
  // Perplexity has the costs of the parts, and their sum.
  const own = fields(cost)["total_cost"] ?? cost;
  return (
    fields(fields(known["openrouter"])["usage"])["cost"] ?? fields(known["gateway"])["cost"] ?? own ?? ofTicks(ticks)
  );
}

/** xAI's unit: https://docs.x.ai/developers/cost-tracking. */
const TICKS_PER_USD = 1e10;

function ofTicks(ticks: unknown): number | undefined {
  return typeof ticks === "number" ? ticks / TICKS_PER_USD : undefined;
}

function nanoUsd(usd: unknown): number | undefined {
  const amount = typeof usd === "string" && /^\d+(\.\d+)?(e-?\d+)?$/i.test(usd) ? Number(usd) : usd;
  if (typeof amount !== "number" || !(amount >= 0)) return undefined;
  const nano = Math.round(amount * 1e9);
  return nano <= MOST_CALL_COST ? nano : undefined;
}

function requestLength({ system, past, messages, tools }: ModelRequest): number {
  let length = (system?.length ?? 0) + messagesLength(messages);
  if (past !== undefined) for (const run of past) length += messagesLength(run.messages);
  for (const tool of tools)
    length += tool.name.length + tool.description.length + JSON.stringify(tool.inputSchema).length;
  return length;
}

function messagesLength(messages: readonly Message[]): number {
  let length = 0;
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === "text" || part.type === "reasoning") length += part.text.length;
      else if (part.type === "tool-call") length += part.name.length + part.arguments.length;
      else if (part.type === "tool-result") length += part.content.length;
    }
  }
  return length;
}

function answerLength(parts: readonly AnswerPart[]): number {
  let length = 0;
  for (const part of parts) {
    if (part.type === "text" || part.type === "reasoning") length += part.text.length;
    else if (part.type === "tool-call") length += part.name.length + part.arguments.length;
  }
  return length;
}
