import type { JsonObject } from "../protocol/json.js";
import type { ToolCallPart } from "../protocol/message.js";

interface CallInput {
  readonly call: object;
  readonly input: JsonObject;
  next: CallInput | undefined;
}

/**
 * What the argument texts of a turn's calls say, for the calls that were read to be run: the next prompt takes it from here,
 * and reads no text a second time.
 */
export class CallInputs {
  #first: CallInput | undefined;
  #last: CallInput | undefined;
  #next: CallInput | undefined;

  /** `call`: the very part of the transcript. The input is that of its text, unchanged. */
  add(call: object, input: JsonObject): void {
    const added: CallInput = { call, input, next: undefined };
    if (this.#last === undefined) this.#first = this.#next = added;
    else this.#last.next = added;
    this.#last = added;
  }

  /** Mostly they are asked for in the order in which they came. */
  of(call: ToolCallPart): JsonObject | undefined {
    let found = this.#next?.call === call ? this.#next : this.#first;
    while (found !== undefined && found.call !== call) found = found.next;
    this.#next = found?.next;
    return found?.input;
  }

  clear(): void {
    this.#first = this.#last = this.#next = undefined;
  }
}
