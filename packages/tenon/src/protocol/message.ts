import type { JsonObject, JsonValue } from "./json.js";

/** What a provider attached to a part, by provider. It goes back byte for byte. */
export type PartMetadata = { readonly [provider: string]: JsonValue };

interface PartBase {
  readonly metadata?: PartMetadata | undefined;
}

export interface TextPart extends PartBase {
  readonly type: "text";
  readonly text: string;
}

export interface ReasoningPart extends PartBase {
  readonly type: "reasoning";
  readonly text: string;
}

/** Content of one provider that only this provider understands. It goes back unchanged, in place. */
export interface OpaquePart extends PartBase {
  readonly type: "opaque";
  readonly provider: string;
  readonly value: JsonValue;
}

export interface FilePart extends PartBase {
  readonly type: "file";
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export interface ToolCallPart extends PartBase {
  readonly type: "tool-call";
  /** Tenon's own id: `call_<runId>_<turn>_<position>`. */
  readonly callId: string;
  /** The id that the provider knows. Unique in its run; made up only where the provider gave none or repeated one. */
  readonly wireId: string;
  /** The name as received. */
  readonly name: string;
  /** The argument text as received, made well-formed. */
  readonly arguments: string;
  /** Set where the call ran with other input than the text says (a person edited it). */
  readonly input?: JsonObject | undefined;
}

export interface ToolResultPart extends PartBase {
  readonly type: "tool-result";
  readonly callId: string;
  readonly name: string;
  readonly ok: boolean;
  /** What the model reads. Never empty. */
  readonly content: string;
  /** It holds words of strangers: the result of a tool with `source: "untrusted"`. No model is told. */
  readonly untrusted?: true | undefined;
  /** Media of the result, for models that take files there; the others read of them in `content`. */
  readonly files?: readonly FilePart[] | undefined;
}

export type UserPart = TextPart | FilePart;
export type AssistantPart = TextPart | ReasoningPart | OpaquePart | FilePart | ToolCallPart;

export interface UserMessage {
  readonly role: "user";
  readonly parts: readonly UserPart[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly parts: readonly AssistantPart[];
}

export interface ToolMessage {
  readonly role: "tool";
  readonly parts: readonly ToolResultPart[];
}

/** One entry of a thread's history, in Tenon's own form. The system prompt is no message. */
export type Message = UserMessage | AssistantMessage | ToolMessage;
