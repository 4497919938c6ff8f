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

/** What tells a model's provider to keep what it read so far; `undefined` for the many that do so by themselves, or cannot. */
export function cacheHintOf({
  provider,
  modelId,
}: {
  readonly provider: string;
  readonly modelId: string;
}): ProviderOptions | undefined {
  if (/\banthropic\b/.test(provider)) return anthropic;
  if (!/^~?anthropic\//.test(modelId)) return undefined;
  if (/^openrouter\b/.test(provider)) return openRouter;
  return /^gateway\b/.test(provider) ? anthropic : undefined;
}

/** Whether an agent's own options already say what is to be kept. */
export function saysWhatToKeep(hint: ProviderOptions, own: ProviderOptions | undefined): boolean {
  if (own === undefined) return false;
  const [name] = Object.keys(hint);
  const options = own[name!];
  return options?.["cacheControl"] !== undefined || options?.["cache_control"] !== undefined;
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
