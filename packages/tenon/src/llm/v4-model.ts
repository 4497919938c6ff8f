import { BadInputError } from "../errors/run-errors.js";
import type { FinishReason } from "../protocol/usage.js";
import { noThinking, toCallSettings, type CallSettings } from "./call-settings.js";
import { isFree } from "./free.js";
import type { AnswerPart, LanguageModel, Model, ModelAnswer, ModelRequest, OnDelta } from "./model.js";
import { toModelError } from "./model-failure.js";
import type { ModelSettings } from "./model-settings.js";
import { toOlderPrompt } from "./older-prompt.js";
import { withoutMadeUpZeros } from "./server-usage.js";
import { settle } from "./settle.js";
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
  readonly free: boolean;
  readonly reportsCost: boolean;
  readonly noThinking: string | undefined;
  readonly #model: LanguageModel;
  readonly #provider: string;
  readonly #older: boolean;
  readonly #openRouter: boolean;
  readonly #failed: (thrown: unknown) => unknown;
  #settings: ModelSettings | undefined;
  #callSettings: CallSettings | undefined;

  constructor(model: LanguageModel, facts: ModelFacts) {
    this.#model = model;
    this.#provider = model.provider;
    this.id = facts.id ?? model.modelId;
    this.free = facts.free ?? isFree(model);
    this.reportsCost = facts.reportsCost ?? /^(openrouter|gateway)/.test(model.provider);
    this.noThinking = noThinking(model);
    this.#older = model.specificationVersion !== "v4";
    this.#openRouter = familyOf(model.provider) === "openrouter";
    this.#failed = (thrown) => toModelError(this.id, thrown, facts.hint);
  }

  generate(request: ModelRequest): Promise<ModelAnswer> {
    const signal = request.signal;
    if (signal.aborted) return Promise.reject(signal.reason);
    try {
      return settle(
        signal,
        Promise.resolve<Given>(this.#model.doGenerate(this.#options(request))),
        (result) => this.#answer(result, request),
        this.#failed,
      );
    } catch (thrown) {
      return Promise.reject(signal.aborted ? signal.reason : this.#failed(thrown));
    }
  }

  stream(request: ModelRequest, onDelta: OnDelta): Promise<ModelAnswer> {
    const signal = request.signal;
    if (signal.aborted) return Promise.reject(signal.reason);
    const source: Source = { reader: undefined, stopped: false };
    return settle(
      signal,
      this.#read(request, onDelta, source),
      (answer) => answer,
      this.#failed,
      () => {
        source.stopped = true;
        cancel(source.reader, signal.reason);
      },
    );
  }

  async #read(request: ModelRequest, onDelta: OnDelta, source: Source): Promise<ModelAnswer> {
    const result = (await this.#model.doStream(this.#options(request))) as Streamed;
    const reader = result?.stream?.getReader?.();
    if (reader === undefined) throw new Error("doStream gave no stream");
    source.reader = reader;
    const answer = new V4StreamReader(this.#provider, onDelta);
    try {
      for (;;) {
        if (source.stopped) throw request.signal.reason;
        const { done, value } = await reader.read();
        if (done) break;
        if (value === undefined || value === null || source.stopped) continue;
        answer.push(value);
        if (answer.finished) {
          // Whether the provider ever closes its stream does not matter to the run.
          cancel(reader, undefined);
          break;
        }
      }
    } catch (thrown) {
      cancel(reader, thrown);
      throw thrown;
    }
    const { parts, finishReason, usage, providerMetadata } = answer.answer();
    return this.#complete(parts, toStreamedFinish(finishReason, this.#model), usage, providerMetadata, request);
  }

  #options(request: ModelRequest): object {
    const { tools, signal, settings } = request;
    const v4Prompt = toV4Prompt(request, this, this.#provider);
    const prompt = this.#older ? toOlderPrompt(v4Prompt) : v4Prompt;
    const options =
      tools.length === 0
        ? { prompt, abortSignal: signal }
        : { prompt, tools: toV4Tools(tools, this.#provider === "tenon"), abortSignal: signal };
    return settings === undefined ? options : { ...options, ...this.#settingsOf(settings) };
  }

  #settingsOf(settings: ModelSettings): CallSettings {
    if (this.#settings !== settings || this.#callSettings === undefined) {
      this.#callSettings = toCallSettings(settings, this.#model, this.id);
      this.#settings = settings;
    }
    return this.#callSettings;
  }

  #answer(result: Given, request: ModelRequest): ModelAnswer {
    const content = result?.["content"];
    if (!Array.isArray(content)) throw new Error("doGenerate gave no content list");
    let parts: AnswerPart[] | undefined;
    for (const item of content as unknown[]) {
      const part = toAnswerPart(item, this.#provider);
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
    const usage = this.#openRouter ? withoutMadeUpZeros(given) : given;
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

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: StreamPart | null | undefined }>;
  cancel(reason: unknown): Promise<void>;
}

interface Source {
  reader: Reader | undefined;
  stopped: boolean;
}

function cancel(reader: Reader | undefined, reason: unknown): void {
  try {
    reader?.cancel(reason)?.then(undefined, ignore);
  } catch {
    // A stream that cannot be canceled is left alone: nobody reads it any more.
  }
}

function ignore(): void {}
