import type { AnswerCall, AnswerPart } from "../llm/model.js";
import type { AssistantPart, Message, ToolCallPart } from "../protocol/message.js";
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

  all(): Iterable<string> {
    return this.#many ?? this.#few;
  }

  add(id: string): void {
    if (this.#many !== undefined) this.#many.add(id);
    // An empty list makes room for many when it is first added to; most runs make few calls.
    else if (this.#few === none) this.#few = [id];
    else if (this.#few.push(id) > FEW) this.#many = new Set(this.#few);
  }
}

/** The ids that the calls of several runs have on the wire, while runs come and go. Two runs may have the same one. */
export class IdsOfRuns {
  readonly #runs: Map<string, number> = new Map();

  has(id: string): boolean {
    return this.#runs.has(id);
  }

  add(run: WireIds): void {
    for (const id of run.all()) this.#runs.set(id, (this.#runs.get(id) ?? 0) + 1);
  }

  remove(run: WireIds): void {
    for (const id of run.all()) {
      const runs = this.#runs.get(id)!;
      if (runs === 1) this.#runs.delete(id);
      else this.#runs.set(id, runs - 1);
    }
  }
}

/** The ids that no further call of a run can have: each is there once in what a provider is sent. */
export class UsedIds {
  readonly own: WireIds;
  readonly #past: { has(id: string): boolean };

  constructor(messages: readonly Message[], past: { has(id: string): boolean }) {
    this.own = new WireIds(messages);
    this.#past = past;
  }

  has(id: string): boolean {
    return this.own.has(id) || this.#past.has(id);
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
  for (let at = 0; at < parts.length; at++)
    if (parts[at]!.type === "tool-call") return withIds(parts, callIdStart(runId, turn), state.usedIds);
  return parts as readonly AssistantPart[];
}

function withIds(parts: readonly AnswerPart[], start: string, ids: UsedIds): readonly AssistantPart[] {
  const own = new Array<AssistantPart>(parts.length);
  let position = 0;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    own[at] = part.type === "tool-call" ? withId(part, start + ++position, ids) : part;
  }
  return own;
}

function freeId(given: string, callId: string, ids: { has(id: string): boolean }): string {
  let wireId = given;
  for (let salt = 0; wireId === "" || ids.has(wireId); salt++) wireId = shortHash(`${callId}#${salt}`);
  return wireId;
}

/** The messages of a run with other ids on the wire for calls whose own is taken. */
export function withFreeIds(messages: readonly Message[], taken: { has(id: string): boolean }): readonly Message[] {
  const ids = new UsedIds(messages, taken);
  return messages.map((message) => {
    if (message.role !== "assistant") return message;
    const parts = message.parts.map((part) => {
      if (part.type !== "tool-call" || !taken.has(part.wireId)) return part;
      const wireId = freeId("", part.callId, ids);
      ids.own.add(wireId);
      return { ...part, wireId };
    });
    return { ...message, parts };
  });
}

function withId(
  { wireId: given, name, arguments: text, metadata }: AnswerCall,
  callId: string,
  ids: UsedIds,
): ToolCallPart {
  const wireId = freeId(given, callId, ids);
  ids.own.add(wireId);
  const call = { type: "tool-call", callId, wireId, name, arguments: text } as const;
  return metadata === undefined ? call : { ...call, metadata };
}
