import type { AnswerPart } from "../llm/model.js";
import type { AssistantPart, Message } from "../protocol/message.js";
import { shortHash } from "../util/short-hash.js";
import { callIdStart } from "./turn-record.js";

const FEW = 8;
const none: string[] = [];

/** The ids that the calls of one run have on the wire. A few are searched; a set would cost more. */
export class WireIds {
  #few: string[] = none;
  #many: Set<string> | undefined;

  constructor(messages: readonly Message[]) {
    for (const message of messages) {
      if (message.role !== "assistant") continue;
      for (const part of message.parts) if (part.type === "tool-call") this.add(part.wireId);
    }
  }

  has(id: string): boolean {
    return this.#many === undefined ? this.#few.includes(id) : this.#many.has(id);
  }

  add(id: string): void {
    if (this.#many !== undefined) this.#many.add(id);
    // An empty list makes room for many when it is first added to; most runs make few calls.
    else if (this.#few === none) this.#few = [id];
    else if (this.#few.push(id) > FEW) this.#many = new Set(this.#few);
  }
}

/** The ids that no further call of a run can have: each is there once in what a provider is sent. */
export class UsedIds {
  readonly own: WireIds;
  readonly #past: readonly WireIds[];

  constructor(messages: readonly Message[], past: readonly WireIds[]) {
    this.own = new WireIds(messages);
    this.#past = past;
  }

  has(id: string): boolean {
    if (this.own.has(id)) return true;
    for (let at = 0; at < this.#past.length; at++) if (this.#past[at]!.has(id)) return true;
    return false;
  }
}

/**
 * Gives the calls of an answer their call ids, and an id on the wire where the provider gave none or one that was used
 * before: nine letters and digits, which every provider takes, derived from the call id, so that they are the same again.
 */
export function withCallIds(
  parts: readonly AnswerPart[],
  runId: string,
  turn: number,
  state: { readonly usedIds: UsedIds },
): readonly AssistantPart[] {
  for (const part of parts)
    if (part.type === "tool-call") return withIds(parts, callIdStart(runId, turn), state.usedIds);
  return parts as readonly AssistantPart[];
}

function withIds(parts: readonly AnswerPart[], start: string, ids: UsedIds): readonly AssistantPart[] {
  let position = 0;
  return parts.map((part): AssistantPart => {
    if (part.type !== "tool-call") return part;
    const callId = start + ++position;
    let { wireId } = part;
    for (let salt = 0; wireId === "" || ids.has(wireId); salt++) wireId = shortHash(`${callId}#${salt}`);
    ids.own.add(wireId);
    const call = { type: "tool-call", callId, wireId, name: part.name, arguments: part.arguments } as const;
    return part.metadata === undefined ? call : { ...call, metadata: part.metadata };
  });
}
