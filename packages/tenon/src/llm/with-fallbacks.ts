import { boundOf, sentBytes } from "./call-size.js";
import type { ModelSettings } from "./model-settings.js";
import type { AnswerBound, Model, ModelAnswer, ModelEnd, ModelRequest, OnDelta, ToolDeclaration } from "./model.js";

/** A list of models as one: the first, which names the others that may be asked in its place. */
export function withFallbacks(models: readonly [Model, ...Model[]]): Model {
  return models.length === 1 ? models[0] : new FirstModel(models);
}

/** A model and those that may be asked in its place, in order. */
export function withItsFallbacks(model: Model | undefined): readonly Model[] {
  return model === undefined ? [] : [model, ...(model.fallbacks ?? [])];
}

class FirstModel implements Model {
  readonly id: string;
  readonly provider: Model["provider"];
  readonly prices: Model["prices"];
  readonly free: boolean;
  readonly billed: Model | undefined;
  readonly reportsCost: boolean;
  readonly noThinking: string | undefined;
  readonly fallbacks: readonly Model[];
  readonly #first: Model;

  constructor(models: readonly [Model, ...Model[]]) {
    const [first, ...fallbacks] = models;
    this.#first = first;
    this.fallbacks = Object.freeze(fallbacks);
    this.provider = first.provider;
    this.prices = first.prices;
    this.id = first.id;
    this.free = first.free;
    this.billed = first.billed;
    this.reportsCost = first.reportsCost;
    this.noThinking = models.find(({ noThinking }) => noThinking !== undefined)?.noThinking;
  }

  prepare(tools: readonly ToolDeclaration[], settings: ModelSettings | undefined): void {
    for (const model of [this.#first, ...this.fallbacks]) model.prepare?.(tools, settings);
  }

  answerBound(settings: ModelSettings | undefined): AnswerBound {
    return boundOf(this.#first, settings);
  }

  bodyBytes(request: ModelRequest): number {
    return sentBytes(this.#first, request);
  }

  call(request: ModelRequest, onDelta: OnDelta | undefined, end: ModelEnd): void {
    this.#first.call(request, onDelta, end);
  }

  generate(request: ModelRequest): PromiseLike<ModelAnswer> {
    return this.#first.generate(request);
  }

  stream(request: ModelRequest, onDelta: OnDelta): PromiseLike<ModelAnswer> {
    return this.#first.stream(request, onDelta);
  }
}
