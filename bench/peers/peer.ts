import type { ScriptedCall } from "../script.ts";
import type { Side } from "../side.ts";

export type Turns = readonly (readonly ScriptedCall[])[];

/** Another framework over the same script: its own way to declare the tool, its own kind of model. */
export interface Peer {
  readonly label: string;
  side(turns: Turns): Side | Promise<Side>;
}

export const system = "You answer questions about prices.";
export const prompt = "What does it cost?";
export const about = { name: "lookup", description: "Looks a price up." } as const;

/** What the tool answers, as text: every framework hands a text on unchanged. */
export function answerText({ sku, amount }: { readonly sku: string; readonly amount: number }): string {
  return JSON.stringify({ sku, cents: amount * 250 });
}

/**
 * Which turn a mock model is in. Runs come one after the other. Throws where the texts that the model reads are not the
 * results of the turn before, in the order of its calls.
 */
export class Script {
  readonly #turns: Turns;
  #turn = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** The calls of the next turn, or `undefined` for the answer. `read` gives what the model reads, newest last. */
  next(read: (count: number) => readonly unknown[]): readonly ScriptedCall[] | undefined {
    const before = this.#turns[this.#turn - 1];
    if (before !== undefined) {
      const texts = read(before.length);
      for (const [i, { result }] of before.entries()) {
        if (texts[i] !== result) throw new Error(`the model read ${JSON.stringify(texts[i])} and not ${result}`);
      }
    }
    const calls = this.#turns[this.#turn];
    this.#turn = calls === undefined ? 0 : this.#turn + 1;
    return calls;
  }
}

/** Throws where a run did not answer as scripted. */
export function checkAnswer(text: unknown): void {
  if (text !== "done") throw new Error(`the run ended with ${JSON.stringify(text)}`);
}
