import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { CallProgress } from "./call-answer.js";

/**
 * Who waits for which progress. It hears messages in the order in which they come: the SDK drops the progress that comes together
 * with the answer.
 */
export class ProgressListeners {
  readonly #listeners: Map<string, (progress: CallProgress) => void> = new Map();
  #last = 0;

  /** A token that no other call has. */
  add(listener: (progress: CallProgress) => void): string {
    const token = `progress-${++this.#last}`;
    this.#listeners.set(token, listener);
    return token;
  }

  remove(token: string): void {
    this.#listeners.delete(token);
  }

  /** Takes any message. Progress that says no number is none. */
  hear(message: JSONRPCMessage): void {
    if (!("method" in message) || message.method !== "notifications/progress") return;
    const { progressToken, progress, total, message: words } = (message.params ?? {}) as { [name: string]: unknown };
    const listener = typeof progressToken === "string" ? this.#listeners.get(progressToken) : undefined;
    if (listener === undefined || typeof progress !== "number") return;
    listener({
      progress,
      ...(typeof total === "number" && { total }),
      ...(typeof words === "string" && { message: words }),
    });
  }
}
