import { RESERVED_OUTPUT_TOKENS } from "../config/defaults.js";
import type { CallSettings } from "./call-settings.js";
import type { AnswerBound } from "./model.js";
import { mappedThinking, mostWithoutLimit } from "./thinking-tokens.js";

/** What the options of a call say of its length, gathered from all providers: which of them are sent is their packages' business. */
interface Found {
  most: number;
  thinking: number;
  answers: number;
  unbound: AnswerBound["unbound"];
}

type Fields = { readonly [key: string]: unknown };

/** How providers call the length of an answer: `max_tokens`, `maxCompletionTokens`, `num_predict`, `max_new_tokens`. */
const LENGTH = /^(max.*tokens?|max.*len(gth)?|maxtokenstosample|n(um)?predict|tokenlimit|limittokens)$/;
/** And what it may think with: `budgetTokens`, `thinkingBudget`, `token_budget`. */
const BUDGET = /budget/;
const THINKS = /^(thinking|reasoning)(config)?$/;
const SEVERAL = /^(n|bestof|candidatecount|num(returnsequences|generations|completions))$/;
/** Free words of the caller's. */
const WORDS = /^(metadata|labels|trace)$/;

const elsewhere = "the provider reads more than the request says";
const others = "another model may answer, at another price";
/** Options of a provider's after which a request, or its answer, is not all that is billed. */
const UNBOUND: ReadonlyMap<string, string> = new Map([
  ["previousresponseid", elsewhere],
  ["previousinteractionid", elsewhere],
  ["conversation", elsewhere],
  ["cachedcontent", elsewhere],
  ["continuationtoken", elsewhere],
  ["thread", elsewhere],
  ["container", elsewhere],
  ["mcpservers", "the provider calls tools by itself, as often as it likes"],
  ["agentconfig", "an agent of the provider's answers, as long as it likes"],
  ["contextmanagement", "the provider may write summaries beside the answer"],
  ["compaction", "the provider may write summaries beside the answer"],
  ["fallbacks", others],
  ["models", others],
]);

/**
 * The most tokens that an answer may have by the settings of its call: the greatest length that any option sets, and what the model
 * may think with beside it, as its provider's package adds it.
 */
export function answerBound(
  settings: CallSettings | undefined,
  model: { readonly provider: string; readonly modelId: string },
): AnswerBound {
  const { maxOutputTokens, reasoning, providerOptions } = settings ?? {};
  const found: Found = {
    most: maxOutputTokens ?? RESERVED_OUTPUT_TOKENS,
    thinking: mappedThinking(reasoning, model),
    answers: 1,
    unbound: undefined,
  };
  for (const [provider, options] of Object.entries(providerOptions ?? {})) {
    for (const [key, value] of Object.entries(options)) {
      const why = UNBOUND.get(plain(key));
      if (why !== undefined && value !== undefined && value !== null && value !== false)
        found.unbound ??= { option: `providerOptions.${provider}.${key}`, why };
    }
    read(options, `providerOptions.${provider}`, /^(google|vertex)/i.test(provider), false, found);
  }
  const most = Math.max(found.most, mostWithoutLimit(reasoning, providerOptions, model));
  return { tokens: (most + found.thinking) * found.answers, unbound: found.unbound };
}

/** `within`: what is thought counts as part of the answer. `thinks`: the options are about thinking. */
function read(options: object, path: string, within: boolean, thinks: boolean, found: Found): void {
  for (const [key, value] of Object.entries(options as Fields)) {
    const name = plain(key);
    const option = `${path}.${key}`;
    if (typeof value === "object" && value !== null) {
      if (WORDS.test(name)) continue;
      const thought = THINKS.test(name);
      // Packages of Anthropic's models give them as many where nobody says how many.
      if (thought && (value as Fields)["type"] === "enabled") found.thinking = Math.max(found.thinking, 1_024);
      read(value, option, within, thinks || thought, found);
    } else if (value === null || value === undefined) continue;
    else if (SEVERAL.test(name)) {
      if (typeof value === "number" && value > 1) found.answers *= value;
    } else if (LENGTH.test(name) || (BUDGET.test(name) && typeof value !== "string")) {
      const tokens = typeof value === "boolean" ? Number.NaN : Math.ceil(Number(value));
      if (tokens === -1 && within) continue;
      if (!(tokens >= 0 && tokens < Infinity))
        found.unbound ??= { option, why: `${JSON.stringify(value)} is no number of tokens` };
      else if (within || !(thinks || BUDGET.test(name))) found.most = Math.max(found.most, tokens);
      else found.thinking = Math.max(found.thinking, tokens);
    }
  }
}

/** `max_tokens` and `maxTokens` are one name. */
function plain(key: string): string {
  return key.replace(/[_-]/g, "").toLowerCase();
}
