import type { Maybe } from "../util/class.js";

/** A place in line for a key. */
export interface KeyPlace {
  /** When it is this place's turn: at once, or a promise. */
  readonly turn: Promise<void> | undefined;
  /** Gives the turn to the next. Once is enough; more is harmless. */
  leave(): void;
}

/** Keys that one call of this process may have at a time; first come, first served. */
export class ExclusiveKeys {
  readonly #last: Map<string, Promise<void>> = new Map();

  take(key: string): KeyPlace {
    const turn = this.#last.get(key);
    let open!: () => void;
    const left = new Promise<void>((resolve) => (open = resolve));
    const mine = turn === undefined ? left : turn.then(() => left);
    this.#last.set(key, mine);
    return {
      turn,
      leave: () => {
        open();
        if (this.#last.get(key) === mine) void mine.then(() => this.#last.get(key) === mine && this.#last.delete(key));
      },
    };
  }
}

/** Where a call stands among the exclusive calls of its turn. */
export interface TurnPlace {
  /** Every exclusive call before it has its place: at once, or a promise. */
  readonly ready: Maybe<void>;
  /** This call has its place, or needs none. */
  known(): void;
}

/**
 * Lets the exclusive calls of a run line up for their keys in the order in which the model asked for them, whatever their
 * admission takes.
 */
export class TurnOrder {
  #last: Promise<void> | undefined;

  next(): TurnPlace {
    const before = this.#last;
    let open!: () => void;
    const known = new Promise<void>((resolve) => (open = resolve));
    const mine = before === undefined ? known : before.then(() => known);
    this.#last = mine;
    return {
      ready: before,
      known: () => {
        open();
        if (this.#last === mine) this.#last = undefined;
      },
    };
  }
}
