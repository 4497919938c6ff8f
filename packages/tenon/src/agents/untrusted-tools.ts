import type { Message } from "../protocol/message.js";
import type { PastTranscript } from "./past-transcript.js";

/** The tools with words of strangers whose results a model was sent. Reads each message once. */
export class UntrustedTools {
  #names: readonly string[] = Object.freeze([]);
  #read = 0;

  constructor(past: readonly PastTranscript[]) {
    for (const { messages } of past) for (const message of messages) this.#take(message);
  }

  /** By name, in the order in which they were met first. `messages` are those of the run, which is only added to. */
  in(messages: readonly Message[]): readonly string[] {
    while (this.#read < messages.length) this.#take(messages[this.#read++]!);
    return this.#names;
  }

  #take(message: Message): void {
    if (message.role !== "tool") return;
    for (const part of message.parts) {
      if (part.untrusted !== true) continue;
      const name = part.name.replace(/^functions\./, "");
      if (!this.#names.includes(name)) this.#names = Object.freeze([...this.#names, name]);
    }
  }
}
