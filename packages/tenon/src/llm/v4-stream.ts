import type { AnswerPart, BegunCall, OnDelta } from "./model.js";
import { saysEndedEarly } from "./broken-answer.js";
import { mended } from "./mended.js";
import { isSummary, toAnswerPart, toBlock, toCall } from "./v4-answer.js";

/** What a stream added up to. `finishReason` is `interrupted` where it ended without saying so. */
export interface StreamedAnswer {
  readonly parts: readonly AnswerPart[];
  readonly finishReason: unknown;
  readonly usage: unknown;
  readonly providerMetadata: unknown;
}

/** One V4 stream part as it comes; any field may be missing. */
export interface StreamPart {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly delta?: unknown;
  readonly error?: unknown;
  readonly toolName?: unknown;
  readonly toolCallId?: unknown;
  readonly input?: unknown;
  readonly providerExecuted?: unknown;
  readonly providerMetadata?: unknown;
  readonly finishReason?: unknown;
  readonly usage?: unknown;
  readonly rawValue?: unknown;
  readonly kind?: unknown;
}

interface Block {
  readonly type: "text" | "reasoning";
  readonly delta: "text-delta" | "reasoning-delta";
  readonly id: unknown;
  text: string;
  /** The first half of a character whose other half is still to come. */
  half: string;
  metadata: unknown;
  open: boolean;
}

/** A call of which only pieces came so far. It stands where it began. */
interface CallInput extends BegunCall {
  readonly id: unknown;
  text: string;
  /** As a block's. */
  half: string;
  metadata: unknown;
  ended: boolean;
}

/**
 * Adds up the parts of a V4 stream; deltas go out as they come. A `tool-call` part wins over the pieces of its input; pieces
 * without one count only where they ended and the stream finished. An `error` part throws what the provider sent; the usage
 * of such an answer is not known. One that says that the stream ended early is no error: the answer broke off. Parts after `finish`
 * change nothing. Deltas are well-formed, and add up to the text; a summary of the provider has none.
 */
export class V4StreamReader {
  readonly #provider: string;
  readonly #onDelta: OnDelta;
  readonly #content: (Block | CallInput | AnswerPart)[] = [];
  /** How many calls began so far. */
  #calls = 0;
  #block: Block | undefined;
  #finish: StreamPart | undefined;
  #endedEarly = false;

  constructor(provider: string, onDelta: OnDelta) {
    this.#provider = provider;
    this.#onDelta = onDelta;
  }

  get finished(): boolean {
    return this.#finish !== undefined;
  }

  push(part: StreamPart): void {
    if (this.#finish !== undefined) return;
    switch (part.type) {
      case "text-delta":
        return this.#delta("text", part);
      case "reasoning-delta":
        return this.#delta("reasoning", part);
      case "text-start":
        this.#start("text", part);
        return;
      case "reasoning-start":
        this.#start("reasoning", part);
        return;
      case "text-end":
        return this.#end("text", part);
      case "reasoning-end":
        return this.#end("reasoning", part);
      case "tool-input-start":
        if (part.providerExecuted !== true)
          this.#content.push({
            position: ++this.#calls,
            id: part.id,
            name: typeof part.toolName === "string" ? part.toolName.toWellFormed() : "",
            text: "",
            half: "",
            metadata: part.providerMetadata,
            ended: false,
          });
        return;
      case "tool-input-delta":
      case "tool-input-end":
        return this.#input(part);
      case "finish":
        this.#finish = this.#endedEarly ? { ...part, finishReason: "interrupted" } : part;
        return;
      case "error":
        if (!saysEndedEarly(part.error)) throw part.error;
        this.#endedEarly = true;
        return;
      case "raw":
        return this.#raw(part.rawValue);
      case "stream-start":
      case "response-metadata":
      case "ping":
      case undefined:
        return;
      case "custom":
        // It says what the end of the stream says again.
        if (part.kind !== "anthropic.message_start") this.#whole(part);
        return;
      default:
        return this.#whole(part);
    }
  }

  answer(): StreamedAnswer {
    const finish = this.#finish;
    const parts: AnswerPart[] = [];
    for (const item of this.#content) {
      if ("open" in item) this.#flush(item);
      const part = "type" in item && !("open" in item) ? item : this.#partOf(item, finish !== undefined);
      if (part !== undefined) parts.push(part);
    }
    if (finish === undefined)
      return { parts, finishReason: "interrupted", usage: undefined, providerMetadata: undefined };
    return { parts, finishReason: finish.finishReason, usage: finish.usage, providerMetadata: finish.providerMetadata };
  }

  #partOf(item: Block | CallInput, finished: boolean): AnswerPart | undefined {
    if ("open" in item) return toBlock(item.type, item.text, item.metadata, this.#provider);
    return finished && item.ended ? toCall(item.id, item.name, item.text, item.metadata) : undefined;
  }

  #start(type: Block["type"], part: StreamPart): Block {
    const block: Block = {
      type,
      delta: `${type}-delta`,
      id: part.id,
      text: "",
      half: "",
      metadata: part.providerMetadata,
      open: true,
    };
    this.#block = block;
    this.#content.push(block);
    return block;
  }

  #delta(type: Block["type"], part: StreamPart): void {
    const block = this.#openBlock(type, part.id) ?? this.#start(type, part);
    if (part.providerMetadata !== undefined) block.metadata = part.providerMetadata;
    const delta = part.delta;
    if (typeof delta !== "string") return;
    this.#add(block, block.half === "" && delta.isWellFormed() ? delta : mended(block, delta));
  }

  #add(block: Block, text: string): void {
    if (text === "") return;
    block.text += text;
    if (block.metadata === undefined || !isSummary(block.metadata)) this.#onDelta(block.delta, text);
  }

  /** The other half never came. */
  #flush(block: Block): void {
    if (block.half === "") return;
    const text = block.half.toWellFormed();
    block.half = "";
    this.#add(block, text);
  }

  #end(type: Block["type"], part: StreamPart): void {
    const block = this.#openBlock(type, part.id);
    if (block === undefined) return;
    block.open = false;
    this.#flush(block);
    if (part.providerMetadata !== undefined) block.metadata = part.providerMetadata;
  }

  #openBlock(type: Block["type"], id: unknown): Block | undefined {
    const last = this.#block;
    if (last !== undefined && last.id === id && last.type === type && last.open) return last;
    return this.#content.findLast(
      (item): item is Block => "open" in item && item.open && item.type === type && item.id === id,
    );
  }

  #input(part: StreamPart): void {
    const input = this.#content.findLast(
      (item): item is CallInput => "position" in item && item.id === part.id && !item.ended,
    );
    if (input === undefined) return;
    if (part.providerMetadata !== undefined) input.metadata = part.providerMetadata;
    const { delta } = part;
    if (part.type === "tool-input-end") input.ended = true;
    else if (typeof delta === "string") {
      input.text += delta;
      const told = input.half === "" && delta.isWellFormed() ? delta : mended(input, delta);
      if (told !== "") this.#onDelta("tool-input-delta", told, input);
    }
  }

  /** Some packages take an event that tells of an error for one that tells nothing. */
  #raw(event: unknown): void {
    const error =
      typeof event === "object" && event !== null ? (event as { readonly error?: unknown }).error : undefined;
    if (typeof error === "object" && error !== null) this.push({ type: "error", error });
  }

  #whole(part: StreamPart): void {
    if (part.type === "tool-call") {
      const at = this.#content.findIndex((item) => "position" in item && item.id === part.toolCallId);
      if (at >= 0) {
        const { text } = this.#content[at] as CallInput;
        // Some packages put an empty object in the place of a text that is no JSON; what the model wrote is what counts.
        const given = part.input === "{}" && text.trim() !== "" ? { ...part, input: text } : part;
        const call = toAnswerPart(given, this.#provider);
        // The provider made it itself.
        if (call?.type !== "tool-call") this.#calls--;
        this.#content.splice(at, 1, ...(call === undefined ? [] : [call]));
        return;
      }
    }
    const converted = toAnswerPart(part, this.#provider);
    if (converted === undefined) return;
    if (converted.type === "tool-call") this.#calls++;
    this.#content.push(converted);
  }
}
