import type { RunEventBody } from "../protocol/event.js";

type Delta = Extract<RunEventBody, { readonly type: "text-delta" | "reasoning-delta" }>;

/**
 * Holds the pieces of an answer until it is whole: what is masked may go over several of them, and over what comes in between. Its
 * text is one piece then, and its reasoning one; the arguments of a call come by its `tool-call` alone.
 */
export class HeldText {
  readonly #held: Map<Delta["type"], Delta> = new Map();

  /** What is to be told now. */
  take(body: RunEventBody): readonly RunEventBody[] {
    switch (body.type) {
      case "text-delta":
      case "reasoning-delta": {
        const held = this.#held.get(body.type);
        this.#held.set(body.type, held === undefined ? body : { ...held, text: held.text + body.text });
        return [];
      }
      case "tool-input-delta":
        return [];
      // These come of calls of an earlier turn, too, while an answer is on its way: they overtake it.
      case "tool-progress":
      case "tool-end":
      case "hook-error":
        return [body];
      default: {
        const whole = [...this.#held.values(), body];
        this.#held.clear();
        return whole;
      }
    }
  }

  /** What is held is void. */
  drop(): void {
    this.#held.clear();
  }
}
