import { ModelError } from "../errors/environment-errors.js";
import { freezeDeep } from "../util/freeze-deep.js";
import { toJsonObject } from "./to-json.js";
import type { LanguageModel } from "./model.js";
import type { ModelSettings, ProviderOptions, Thinking } from "./model-settings.js";
import { familyOf, hasThinkingOptions, thinkingOptions } from "./thinking-options.js";

/** The settings as a model object takes them. */
export interface CallSettings {
  readonly reasoning?: "none" | "low" | "medium" | "high" | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly providerOptions?: ProviderOptions | undefined;
}

/** Why a model cannot be told how much to think; undefined where it can: every V4 model, of older ones those of known providers. */
export function noThinking({ specificationVersion, provider }: LanguageModel): string | undefined {
  if (specificationVersion === "v4" || hasThinkingOptions(provider)) return undefined;
  return `models of ${provider} with specification ${specificationVersion} take no \`thinking\`; leave it out, and say it in \`providerOptions\` as that provider does`;
}

/**
 * The settings in the form of a model's specification. What the agent's own `providerOptions` say wins over what `thinking`
 * becomes. Throws `ModelError` for `thinking` that the model cannot be told of: no setting is dropped in silence.
 */
export function toCallSettings(settings: ModelSettings, model: LanguageModel, id: string): CallSettings {
  const { thinking, maxOutputTokens, providerOptions } = settings;
  const common = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const own = providerOptions === undefined ? {} : { providerOptions };
  if (thinking === undefined) return freezeDeep({ ...common, ...own });
  // OpenRouter's package has V4 models that do not look at the common setting.
  if (model.specificationVersion === "v4" && familyOf(model.provider) !== "openrouter")
    return freezeDeep({ ...common, ...own, reasoning: thinking === "off" ? "none" : thinking });
  const options = thinkingOptions(thinking, model.provider);
  if (options === undefined) throw new ModelError(id, noThinking(model)!, { sent: false });
  return freezeDeep({ ...common, providerOptions: merged(options, providerOptions) });
}

/** Whether a value is options by provider. */
export function isProviderOptions(value: unknown): value is ProviderOptions {
  const options = toJsonObject(value);
  return options === value && Object.values(value as object).every((own) => toJsonObject(own) !== undefined);
}

/** The settings of an agent, frozen, as its options say them; undefined where they say nothing. */
export function settingsOf(options: {
  readonly thinking?: Thinking | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly providerOptions?: ProviderOptions | undefined;
}): ModelSettings | undefined {
  const { thinking, maxOutputTokens, providerOptions } = options;
  if (thinking === undefined && maxOutputTokens === undefined && providerOptions === undefined) return undefined;
  return freezeDeep({
    thinking,
    maxOutputTokens,
    providerOptions: providerOptions === undefined ? undefined : structuredClone(providerOptions),
  });
}

function merged(made: ProviderOptions, own: ProviderOptions | undefined): ProviderOptions {
  if (own === undefined) return made;
  const all: { [provider: string]: ProviderOptions[string] } = { ...own };
  for (const key of Object.keys(made)) all[key] = { ...made[key], ...own[key] };
  return all;
}
