import type { TokenPrices } from "../config/token-prices.js";
import { BadInputError } from "../errors/run-errors.js";
import type { FinishReason } from "../protocol/usage.js";
import { mostBodyBytes } from "./body-bytes.js";
import { addCacheHints, cacheHintOf } from "./cache-hints.js";
import { noThinking } from "./call-settings.js";
import { dialectOf, type Dialect } from "./dialect.js";
import { isFree } from "./free.js";
import type {
  AnswerBound,
  AnswerPart,
  LanguageModel,
  Model,
  ModelAnswer,
  ModelEnd,
  ModelRequest,
  OnDelta,
  ToolDeclaration,
} from "./model.js";
import { toModelError } from "./model-failure.js";
import type { ModelSettings, ProviderOptions } from "./model-settings.js";
import { toOlderPrompt } from "./older-prompt.js";
import { ofOwnTools } from "./own-tool-deltas.js";
import { dialectWith, SettledSettings } from "./settled-settings.js";
import { exactUsage } from "./server-usage.js";
import { pricesOf } from "./priced.js";
import { cancelSource, isStopped, ProviderCall, type ProviderEnd, type StreamSource } from "./provider-call.js";
import { toStreamedFinish } from "./streamed-finish.js";
import { familyOf } from "./thinking-options.js";
import { toAnswerPart, toFinish } from "./v4-answer.js";
import { modelFault } from "./v4-fault.js";
import { toV4Prompt } from "./v4-prompt.js";
import { V4StreamReader, type StreamPart } from "./v4-stream.js";
import { toV4Tools } from "./v4-tools.js";
import { toUsage } from "./v4-usage.js";
import { wireNamesOf, type WireNames } from "./wire-names.js";

/** What whoever made the model object knows beyond what it says itself. */
export interface ModelFacts {
  readonly id?: string | undefined;
  readonly free?: boolean | undefined;
  /** It is served on this machine: it counts as free where nobody says what it costs. */
  readonly local?: boolean | undefined;
  readonly reportsCost?: boolean | undefined;
  /** What a person should look at, for a response with this status. */
  readonly hint?: ((status: number | undefined) => string | undefined) | undefined;
}

const known = new WeakMap<LanguageModel, Model>();

/** The port over an AI SDK model object of specification V2, V3 or V4; the same object gives the same port. Throws `BadInputError` for anything else. */
export function toModel(model: LanguageModel): Model {
  const before = typeof model === "object" && model !== null ? known.get(model) : undefined;
  if (before !== undefined) return before;
  const fault = modelFault(model);
  if (fault !== undefined) throw new BadInputError(fault.what, fault.value, fault.next);
  const made = createV4Model(model);
  known.set(model, made);
  return made;
}

/** The port over a model object that is known to be one. */
export function createV4Model(model: LanguageModel, facts: ModelFacts = {}): Model {
  return new V4Model(model, facts);
}

class V4Model implements Model {
  readonly id: string;
  readonly provider: string;
  readonly prices: TokenPrices | undefined;
  readonly free: boolean;
  readonly billed: Model | undefined;
  readonly reportsCost: boolean;
  readonly noThinking: string | undefined;
  readonly #model: LanguageModel;
  readonly #dialect: Dialect | "embedded";
  readonly #cacheHint: ProviderOptions | undefined;
  readonly #older: boolean;
  readonly #openRouter: boolean;
  /** Its package overlooks errors in a stream. */
  readonly #raw: boolean;
  readonly #whole: ProviderEnd<Given>;
  readonly #streamed: ProviderEnd<ModelAnswer>;
  #settled: SettledSettings | undefined;

  constructor(model: LanguageModel, facts: ModelFacts) {
    this.#model = model;
    this.provider = model.provider;
    this.prices = pricesOf(model);
    this.#dialect = model.provider === "tenon" ? "embedded" : dialectOf(model);
    this.#cacheHint = cacheHintOf(model);
    this.id = facts.id ?? model.modelId;
    const local = facts.local === true;
    this.free = local || (facts.free ?? isFree(model));
    this.billed = local ? new V4Model(model, { ...facts, local: false, free: false }) : undefined;
    this.reportsCost = facts.reportsCost ?? /^(openrouter|gateway)/.test(model.provider);
    this.noThinking = noThinking(model);
    this.#older = model.specificationVersion !== "v4";
    this.#openRouter = familyOf(model.provider) === "openrouter";
    this.#raw = /^(?:openai|azure)\.chat$/.test(model.provider) && !this.#older;
    const toFailure = (thrown: unknown): unknown => toModelError(this.id, thrown, facts.hint);
    this.#whole = { toAnswer: (given, request) => this.#answer(given, request), toFailure };
    this.#streamed = { toAnswer: (answer) => answer, toFailure };
  }

  call(request: ModelRequest, onDelta: OnDelta | undefined, end: ModelEnd): void {
    if (isStopped(request)) return end.failed(request.signal.reason);
    if (onDelta !== undefined) {
      const call = new ProviderCall(request, this.#streamed, end);
      return call.follow(this.#read(call, onDelta));
    }
    const call = new ProviderCall<Given>(request, this.#whole, end);
    let pending: Promise<Given>;
    try {
      pending = Promise.resolve<Given>(this.#model.doGenerate(this.#options(request)));
    } catch (thrown) {
      return call.fail(thrown);
    }
    call.follow(pending);
  }

  prepare(tools: readonly ToolDeclaration[], settings: ModelSettings | undefined): void {
    toV4Tools(tools, dialectWith(this.#dialect, settings));
  }

  answerBound(settings: ModelSettings | undefined): AnswerBound {
    return this.#settledFor(settings).bound;
  }

  bodyBytes(request: ModelRequest): number {
    return mostBodyBytes(this.#options(request), this.#model.modelId);
  }

  generate(request: ModelRequest): Promise<ModelAnswer> {
    return new Promise((answered, failed) => this.call(request, undefined, { answered, failed }));
  }

  stream(request: ModelRequest, onDelta: OnDelta): Promise<ModelAnswer> {
    return new Promise((answered, failed) => this.call(request, onDelta, { answered, failed }));
  }

  async #read(call: ProviderCall<ModelAnswer>, onDelta: OnDelta): Promise<ModelAnswer> {
    const { request } = call;
    const options = this.#options(request);
    const result = (await this.#model.doStream(
      this.#raw ? { ...options, includeRawChunks: true } : options,
    )) as Streamed;
    const reader = result?.stream?.getReader?.();
    if (reader === undefined) throw new Error("doStream gave no stream");
    call.source = reader;
    const answer = new V4StreamReader(this.provider, ofOwnTools(request, onDelta));
    try {
      for (;;) {
        if (!call.open) throw request.signal.reason;
        const { done, value } = await reader.read();
        if (done) break;
        if (value === undefined || value === null || !call.open) continue;
        answer.push(value);
        if (answer.finished) {
          // Whether the provider ever closes its stream does not matter to the run.
          cancelSource(reader, undefined);
          break;
        }
      }
    } catch (thrown) {
      cancelSource(reader, thrown);
      throw thrown;
    }
    const { parts, finishReason, usage, providerMetadata } = answer.answer();
    return this.#complete(parts, toStreamedFinish(finishReason, this.#model), usage, providerMetadata, request);
  }

  #options(request: ModelRequest): CallOptions {
    const { tools, signal, settings } = request;
    const { callSettings, hint } = this.#settledFor(settings);
    const plain = toV4Prompt(request, this.provider);
    const v4Prompt = hint === undefined ? plain : addCacheHints(plain, hint);
    const prompt = this.#older ? toOlderPrompt(v4Prompt) : v4Prompt;
    const options =
      tools.length === 0
        ? { prompt, abortSignal: signal }
        : { prompt, tools: toV4Tools(tools, dialectWith(this.#dialect, settings)), abortSignal: signal };
    return callSettings === undefined ? options : { ...options, ...callSettings };
  }

  #settledFor(settings: ModelSettings | undefined): SettledSettings {
    if (this.#settled?.settings !== settings || this.#settled === undefined)
      this.#settled = new SettledSettings(settings, this.#model, this.id, this.#cacheHint);
    return this.#settled;
  }

  #answer(result: Given, request: ModelRequest): ModelAnswer {
    const content = result?.["content"];
    if (!Array.isArray(content)) throw new Error("doGenerate gave no content list");
    let parts: AnswerPart[] | undefined;
    for (const item of content as unknown[]) {
      const part = toAnswerPart(item, this.provider);
      if (part === undefined) continue;
      // An empty list makes room for many when it is first added to; most answers have one part.
      if (parts === undefined) parts = [part];
      else parts.push(part);
    }
    return this.#complete(
      parts ?? [],
      toFinish(result?.["finishReason"]),
      result?.["usage"],
      result?.["providerMetadata"],
      request,
    );
  }

  #complete(
    parts: readonly AnswerPart[],
    finish: FinishReason,
    given: unknown,
    metadata: unknown,
    request: ModelRequest,
  ): ModelAnswer {
    const names = wireNamesOf(request.tools);
    const usage = exactUsage(given, this.#openRouter);
    return {
      parts: names === undefined ? parts : withOwnNames(parts, names),
      finish,
      usage: toUsage({ usage, metadata, free: this.free }, request, parts),
    };
  }
}

function withOwnNames(parts: readonly AnswerPart[], names: WireNames): readonly AnswerPart[] {
  return parts.map((part) => (part.type === "tool-call" ? { ...part, name: names.fromWire(part.name) } : part));
}

interface CallOptions {
  readonly prompt: unknown[];
  readonly tools?: readonly unknown[] | undefined;
}

type Given = { readonly [key: string]: unknown } | null | undefined;
type Streamed =
  | { readonly stream?: { readonly getReader?: (() => Reader) | undefined } | null | undefined }
  | null
  | undefined;

interface Reader extends StreamSource {
  read(): Promise<{ readonly done: boolean; readonly value?: StreamPart | null | undefined }>;
}
