import type { Activation } from "./activation.js";

/**
 * The activations of this process. Runs come and go all the time and are rarely looked for by id, so this is a list in which
 * each knows its place: a map would make itself anew every few runs.
 */
export class ActiveRuns {
  readonly #list: (Activation | undefined)[] = [];
  #count = 0;

  get size(): number {
    return this.#count;
  }

  add(activation: Activation): void {
    activation.place = this.#count;
    this.#list[this.#count++] = activation;
  }

  delete(activation: Activation): void {
    const last = this.#list[--this.#count]!;
    this.#list[activation.place] = last;
    last.place = activation.place;
    this.#list[this.#count] = undefined;
  }

  get(runId: string): Activation | undefined {
    for (let i = 0; i < this.#count; i++) if (this.#list[i]!.run.id === runId) return this.#list[i];
    return undefined;
  }

  /** All of them now, in no order. */
  all(): readonly Activation[] {
    return this.#list.slice(0, this.#count) as Activation[];
  }
}
