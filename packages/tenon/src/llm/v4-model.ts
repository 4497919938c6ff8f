import type { TokenPrices } from "../config/token-prices.js";
import { BadInputError } from "../errors/run-errors.js";
import type { FinishReason } from "../protocol/usage.js";
import { addCacheHints, cacheHintOf, hintFor, withoutCachePoint } from "./cache-hints.js";
import { noThinking, toCallSettings, type CallSettings } from "./call-settings.js";
import { dialectOf, type Dialect } from "./dialect.js";
import { isFree } from "./free.js";
import type {
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
import { exactUsage } from "./server-usage.js";
import { pricesOf } from "./priced.js";
import { cancelSource, ProviderCall, type ProviderEnd, type StreamSource } from "./provider-call.js";
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
  #settings: ModelSettings | undefined;
  #agentHint: ProviderOptions | undefined;
  #callSettings: CallSettings | undefined;

  constructor(model: LanguageModel, facts: ModelFacts) {
    this.#model = model;
    this.provider = model.provider;
    this.prices = pricesOf(model);
    this.#dialect = model.provider === "tenon" ? "embedded" : dialectOf(model);
    this.#cacheHint = cacheHintOf(model);
    this.id = facts.id ?? model.modelId;
    this.free = facts.free ?? isFree(model);
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
    const { signal } = request;
    if (signal.aborted) return end.failed(signal.reason);
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
    toV4Tools(tools, this.#dialectFor(settings));
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

  #options(request: ModelRequest): object {
    const { tools, signal, settings } = request;
    const callSettings = settings === undefined ? undefined : this.#settingsOf(settings);
    const hint = settings === undefined ? this.#cacheHint : this.#agentHint;
    const plain = toV4Prompt(request, this.provider);
    const v4Prompt = hint === undefined ? plain : addCacheHints(plain, hint);
    const prompt = this.#older ? toOlderPrompt(v4Prompt) : v4Prompt;
    const options =
      tools.length === 0
        ? { prompt, abortSignal: signal }
        : { prompt, tools: toV4Tools(tools, this.#dialectFor(settings)), abortSignal: signal };
    return callSettings === undefined ? options : { ...options, ...callSettings };
  }

  /** Strict as long as the agent does not say otherwise. */
  #dialectFor(settings: ModelSettings | undefined): Dialect | "embedded" {
    if (this.#dialect !== "openai-strict" || settings?.providerOptions === undefined) return this.#dialect;
    const { openai, azure } = settings.providerOptions;
    return openai?.["strictJsonSchema"] === false || azure?.["strictJsonSchema"] === false ? "openai" : this.#dialect;
  }

  #settingsOf(settings: ModelSettings): CallSettings {
    if (this.#settings !== settings || this.#callSettings === undefined) {
      const own = settings.providerOptions;
      const cut = own !== undefined && /\bbedrock\b/.test(this.provider);
      const passed = cut ? { ...settings, providerOptions: withoutCachePoint(own) } : settings;
      this.#callSettings = toCallSettings(passed, this.#model, this.id);
      this.#agentHint = this.#cacheHint && hintFor(this.#cacheHint, own);
      this.#settings = settings;
    }
    return this.#callSettings;
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
      parts: names === undefined ? parts : parts.map((part) => withOwnName(part, names)),
      finish,
      usage: toUsage({ usage, metadata, free: this.free }, request, parts),
    };
  }
}

function withOwnName(part: AnswerPart, names: WireNames): AnswerPart {
  return part.type === "tool-call" ? { ...part, name: names.fromWire(part.name) } : part;
}

type Given = { readonly [key: string]: unknown } | null | undefined;
type Streamed =
  | { readonly stream?: { readonly getReader?: (() => Reader) | undefined } | null | undefined }
  | null
  | undefined;

interface Reader extends StreamSource {
  read(): Promise<{ readonly done: boolean; readonly value?: StreamPart | null | undefined }>;
}
