import { answerBound } from "./answer-bound.js";
import { hintFor, withoutCachePoint } from "./cache-hints.js";
import { toCallSettings, type CallSettings } from "./call-settings.js";
import type { Dialect } from "./dialect.js";
import type { AnswerBound, LanguageModel } from "./model.js";
import type { ModelSettings, ProviderOptions } from "./model-settings.js";

/** What the settings of an agent become for one model. Throws `ModelError` for those that the model cannot be told. */
export class SettledSettings {
  readonly settings: ModelSettings | undefined;
  readonly callSettings: CallSettings | undefined;
  readonly hint: ProviderOptions | undefined;
  readonly #model: LanguageModel;
  #bound: AnswerBound | undefined;

  /** `hint`: what tells the model's provider to keep what it read. */
  constructor(
    settings: ModelSettings | undefined,
    model: LanguageModel,
    id: string,
    hint: ProviderOptions | undefined,
  ) {
    this.settings = settings;
    this.#model = model;
    this.hint = hint;
    if (settings === undefined) return;
    const own = settings.providerOptions;
    const cut = own !== undefined && /\bbedrock\b/.test(model.provider);
    const passed = cut ? { ...settings, providerOptions: withoutCachePoint(own) } : settings;
    this.callSettings = toCallSettings(passed, model, id);
    this.hint = hint && hintFor(hint, own);
  }

  get bound(): AnswerBound {
    return (this.#bound ??= answerBound(this.callSettings, this.#model));
  }
}

/** Strict as long as the agent does not say otherwise. */
export function dialectWith<D extends Dialect | "embedded">(
  dialect: D,
  settings: ModelSettings | undefined,
): D | "openai" {
  if (dialect !== "openai-strict" || settings?.providerOptions === undefined) return dialect;
  const { openai, azure } = settings.providerOptions;
  return openai?.["strictJsonSchema"] === false || azure?.["strictJsonSchema"] === false ? "openai" : dialect;
}
