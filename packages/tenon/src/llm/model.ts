import type { TokenPrices } from "../config/token-prices.js";
import type { FilePart, Message, OpaquePart, PartMetadata, ReasoningPart, TextPart } from "../protocol/message.js";
import type { JsonObject } from "../protocol/json.js";
import type { FinishReason, Usage } from "../protocol/usage.js";
import type { AbortReason } from "../util/abort.js";
import type { CallInputs } from "./call-inputs.js";
import type { ModelSettings } from "./model-settings.js";

/** A tool as a model is told of it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Only the embedded model is told. */
  readonly access?: "read" | "write" | undefined;
}

/** What an adapter has already converted: one per run, kept by the loop, owned by the adapter. */
export interface PromptMemo {
  provider: string | undefined;
  /** Made of the request's tools; whose names they are. */
  names: unknown;
  system: string | undefined;
  /** How many of the run's own messages are in `prompt`. */
  converted: number;
  /** Where in `prompt` they begin; -1 where the first of them is no message of its own there. */
  own: number;
  prompt: unknown[];
  /** What the calls since then were run with, once there is one. */
  inputs: CallInputs | undefined;
}

/** An empty memo, for a run that begins or is picked up. */
export function createPromptMemo(): PromptMemo {
  return {
    provider: undefined,
    names: undefined,
    system: undefined,
    converted: 0,
    own: 0,
    prompt: [],
    inputs: undefined,
  };
}

/** What an ended run of the thread said, with the memo of it: the same object as often as the thread goes on, where it can be. */
export interface PastMessages {
  readonly messages: readonly Message[];
  readonly memo: PromptMemo;
}

/** What a run has open, to be stopped with it. */
export interface StoppedTogether {
  /** The signal has aborted, or will have by the end of this tick. */
  readonly stopped: boolean;
  add(call: { abort(reason: AbortReason): void }): void;
  delete(call: { abort(reason: AbortReason): void }): void;
}

/** One model call. */
export interface ModelRequest {
  readonly system: string | undefined;
  /** The thread before the run, oldest first; the same through a run. Default none. */
  readonly past?: readonly PastMessages[] | undefined;
  /** The run's own. Append-only, and the same array through a run. */
  readonly messages: readonly Message[];
  /** Frozen, and the same array for every request of an agent. */
  readonly tools: readonly ToolDeclaration[];
  readonly signal: AbortSignal;
  /** Stops the call together with the signal, where there is one: it costs less than a listener. */
  readonly calls?: StoppedTogether | undefined;
  readonly memo: PromptMemo;
  /** The same object for every request of an agent; undefined where it sets nothing. */
  readonly settings?: ModelSettings | undefined;
}

/** A tool call as the provider gave it; the loop gives it its call id. `wireId` may be empty. */
export interface AnswerCall {
  readonly type: "tool-call";
  readonly wireId: string;
  readonly name: string;
  readonly arguments: string;
  readonly metadata?: PartMetadata | undefined;
}

/** A part of an answer, in the order the model gave it. */
export type AnswerPart = TextPart | ReasoningPart | OpaquePart | FilePart | AnswerCall;

/** What a model call gave: the same whether it was generated whole or streamed. */
export interface ModelAnswer {
  readonly parts: readonly AnswerPart[];
  readonly finish: FinishReason;
  readonly usage: Usage;
}

/** A call that the model is writing. */
export interface BegunCall {
  /** Which one of the answer's calls it is, from 1. */
  readonly position: number;
  readonly name: string;
}

/** Hears of each piece as it comes, synchronously: of the text, of the reasoning, or of the arguments of `call`. Must not throw. */
export type OnDelta = (
  type: "text-delta" | "reasoning-delta" | "tool-input-delta",
  text: string,
  call?: BegunCall,
) => void;

/** What is known of the length of an answer before it is asked for. */
export interface AnswerBound {
  /** The most tokens that it is expected to have, thinking included. */
  readonly tokens: number;
  /** An option that lets it have more than anybody can say, and why. */
  readonly unbound?: { readonly option: string; readonly why: string } | undefined;
}

/** Hears how a model call ended: one of both, once. */
export interface ModelEnd {
  answered(answer: ModelAnswer): void;
  /** See `Model` for what it gets. */
  failed(thrown: unknown): void;
}

/**
 * The model port. A call that fails rejects with `ModelError` (without its key, with `MissingVariableError`); one whose signal aborts rejects with the signal's reason,
 * unchanged and at once, also where the provider ignores the signal. An answer that was read before that still counts.
 */
export interface Model {
  readonly id: string;
  /** The provider's id, as its package gives it. */
  readonly provider: string;
  /** What it was declared to cost with `priced`. */
  readonly prices: TokenPrices | undefined;
  /** Its calls cost nothing. */
  readonly free: boolean;
  /** Only for a model that counts as free because it is served on this machine: the same one, where somebody says what it costs. */
  readonly billed?: Model | undefined;
  /** The provider says what a call costs. */
  readonly reportsCost: boolean;
  /** Why it cannot be told how much to think; undefined where it can. */
  readonly noThinking: string | undefined;
  /** Who is asked in its place, in this order, by whoever makes the call; its own `call` asks none of them. */
  readonly fallbacks?: readonly Model[] | undefined;
  /** Brings tools into the form of the model's provider before they are first sent. What it makes is kept; a call makes what is missing. */
  readonly prepare?: ((tools: readonly ToolDeclaration[], settings: ModelSettings | undefined) => void) | undefined;
  /** The most tokens that an answer is expected to have with these settings; without it `maxOutputTokens` says it. May throw what a call fails with. */
  readonly answerBound?: ((settings: ModelSettings | undefined) => AnswerBound) | undefined;
  /** No less than the bytes of what the request is sent as; without it, its own. May throw what a call fails with. */
  readonly bodyBytes?: ((request: ModelRequest) => number) | undefined;
  /** One call: streamed where `onDelta` hears of it, else generated whole. Never throws; `end` may hear at once. */
  call(request: ModelRequest, onDelta: OnDelta | undefined, end: ModelEnd): void;
  /** The same as promises, for whoever waits for a single call. */
  generate(request: ModelRequest): PromiseLike<ModelAnswer>;
  stream(request: ModelRequest, onDelta: OnDelta): PromiseLike<ModelAnswer>;
}

/** An AI SDK model object of specification V2, V3 or V4, as far as Tenon uses it. */
export interface LanguageModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: any): PromiseLike<any>;
  doStream(options: any): PromiseLike<any>;
}

/** A model object, or the id of one. */
export type ModelRef = string | LanguageModel;

/** A model, or several: each is asked where those before it failed. */
export type ModelChoice = ModelRef | readonly ModelRef[];
