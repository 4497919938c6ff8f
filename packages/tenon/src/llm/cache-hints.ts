import { freezeDeep } from "../util/freeze-deep.js";
import type { ProviderOptions } from "./model-settings.js";

type Part = { readonly providerOptions?: ProviderOptions | undefined };
interface Hinted extends Part {
  readonly role: string;
  readonly content: string | readonly Part[];
}

const ephemeral = { cacheControl: { type: "ephemeral" } } as const;
const anthropic: ProviderOptions = freezeDeep({ anthropic: ephemeral });
const openRouter: ProviderOptions = freezeDeep({ openrouter: ephemeral });
// Older releases of Bedrock's package know this name alone; newer ones look at `amazonBedrock` first.
const bedrock: ProviderOptions = freezeDeep({ bedrock: { cachePoint: { type: "default" } } });

/** What tells a model's provider to keep what it read so far; `undefined` for the many that do so by themselves, or cannot. */
export function cacheHintOf({
  provider,
  modelId,
}: {
  readonly provider: string;
  readonly modelId: string;
}): ProviderOptions | undefined {
  if (/\bbedrock\b/.test(provider) && !keepsOnBedrock(modelId)) return undefined;
  if (/\banthropic\b/.test(provider)) return anthropic;
  if (/^(?:amazon-)?bedrock\b/.test(provider)) return bedrock;
  if (!/^~?anthropic\//.test(modelId)) return undefined;
  if (/^openrouter\b/.test(provider)) return openRouter;
  return /^gateway\b/.test(provider) ? anthropic : undefined;
}

/**
 * Bedrock refuses a request with a mark for a model that cannot keep. Amazon's Nova models and Claude from 3.5 Haiku and 3.7 on
 * can (the user guide of Bedrock, "Prompt caching"); an inference profile may have a name that does not say what model it is.
 */
function keepsOnBedrock(modelId: string): boolean {
  return /\bamazon\.nova-/.test(modelId) || /\banthropic\.claude-(?!instant|v?[12]\b|3-(?!7|5-haiku))/.test(modelId);
}

/**
 * The marks for an agent that has options of its own: none where they already say what is to be kept. Bedrock has no such
 * option for a call, so `cachePoint` is Tenon's there: a mark that is set in the place of the usual one, or `false` for none.
 */
export function hintFor(hint: ProviderOptions, own: ProviderOptions | undefined): ProviderOptions | undefined {
  if (own === undefined) return hint;
  if (hint !== bedrock) {
    const options = own[Object.keys(hint)[0]!];
    return options?.["cacheControl"] === undefined && options?.["cache_control"] === undefined ? hint : undefined;
  }
  const cachePoint = own["amazonBedrock"]?.["cachePoint"] ?? own["bedrock"]?.["cachePoint"];
  if (cachePoint === undefined) return hint;
  return typeof cachePoint === "object" && cachePoint !== null ? freezeDeep({ bedrock: { cachePoint } }) : undefined;
}

/** Options for a call to Bedrock, whose package would put a `cachePoint` of them into the request's top level. */
export function withoutCachePoint(own: ProviderOptions): ProviderOptions {
  const passed: { [provider: string]: ProviderOptions[string] } = { ...own };
  for (const name of ["bedrock", "amazonBedrock"]) {
    const { cachePoint, ...options } = own[name] ?? {};
    if (cachePoint !== undefined) passed[name] = options;
  }
  return passed;
}

/**
 * Marks, in a prompt that belongs to its request, what comes again: the system prompt (with it the tools, which come first), the
 * end of the request before, and the end of this one. A provider takes four marks.
 */
export function addCacheHints(prompt: unknown[], hint: ProviderOptions): unknown[] {
  const messages = prompt as Hinted[];
  const last = messages.length - 1;
  if (messages[0]?.role === "system") messages[0] = marked(messages[0], hint);
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  for (const at of new Set([answer - 1, last]))
    if (at >= 0 && messages[at]!.role !== "system") messages[at] = marked(messages[at]!, hint);
  return prompt;
}

const known = new WeakMap<object, WeakMap<object, Hinted>>();

/** A frozen copy whose last part, or which as the system prompt itself, has the hint; made once per message. */
function marked(message: Hinted, hint: ProviderOptions): Hinted {
  let ofHint = known.get(hint);
  if (ofHint === undefined) known.set(hint, (ofHint = new WeakMap<object, Hinted>()));
  let copy = ofHint.get(message);
  if (copy === undefined) {
    const { content } = message;
    copy = Object.freeze(
      typeof content === "string"
        ? withHint(message, hint)
        : {
            ...message,
            content: Object.freeze([...content.slice(0, -1), Object.freeze(withHint(content.at(-1)!, hint))]),
          },
    );
    ofHint.set(message, copy);
  }
  return copy;
}

/** What the part says itself wins. */
function withHint<P extends Part>(part: P, hint: ProviderOptions): P {
  const providerOptions: { [provider: string]: ProviderOptions[string] } = { ...part.providerOptions };
  for (const [provider, options] of Object.entries(hint))
    providerOptions[provider] = Object.freeze({ ...options, ...providerOptions[provider] });
  return { ...part, providerOptions: Object.freeze(providerOptions) };
}
