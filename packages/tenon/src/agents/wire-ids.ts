import type { AnswerPart } from "../llm/model.js";
import type { AssistantPart, Message } from "../protocol/message.js";
import { shortHash } from "../util/short-hash.js";
import { callIdOf } from "./turn-record.js";

const FEW = 8;

/** Ids of calls as a provider sees them: each once in what it is sent. A few are searched; a set would cost more. */
export class UsedIds {
  readonly #few: string[] = [];
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
    else if (this.#few.push(id) > FEW) this.#many = new Set(this.#few);
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
  let position = 0;
  for (const part of parts) if (part.type === "tool-call") position++;
  if (position === 0) return parts as readonly AssistantPart[];
  position = 0;
  const ids = state.usedIds;
  return parts.map((part): AssistantPart => {
    if (part.type !== "tool-call") return part;
    const callId = callIdOf(runId, turn, ++position);
    let { wireId } = part;
    for (let salt = 0; wireId === "" || ids.has(wireId); salt++) wireId = shortHash(`${callId}#${salt}`);
    ids.add(wireId);
    const call = { type: "tool-call", callId, wireId, name: part.name, arguments: part.arguments } as const;
    return part.metadata === undefined ? call : { ...call, metadata: part.metadata };
  });
}
