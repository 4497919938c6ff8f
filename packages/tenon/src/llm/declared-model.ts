import type { LanguageModel } from "./model.js";

/** A model object of the same kind as another one, for what is declared of it. It calls that one, never a copy of its methods: they may use private members. */
export class DeclaredModel implements LanguageModel {
  readonly #model: LanguageModel;

  constructor(model: LanguageModel) {
    this.#model = model;
  }

  get specificationVersion(): LanguageModel["specificationVersion"] {
    return this.#model.specificationVersion;
  }

  get provider(): string {
    return this.#model.provider;
  }

  get modelId(): string {
    return this.#model.modelId;
  }

  get supportedUrls(): unknown {
    return (this.#model as { readonly supportedUrls?: unknown }).supportedUrls ?? {};
  }

  doGenerate(options: unknown): PromiseLike<unknown> {
    return this.#model.doGenerate(options);
  }

  doStream(options: unknown): PromiseLike<unknown> {
    return this.#model.doStream(options);
  }
}
