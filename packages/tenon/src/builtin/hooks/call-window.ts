interface Counted {
  readonly key: string;
  readonly at: number;
}

/** Why a call is not counted, and when the next one may be. */
export interface NoRoom {
  /** `key`: as many calls as are allowed; `memory`: as many as are remembered, of whatever key. */
  readonly full: "key" | "memory";
  readonly freeAt: number;
}

/** The calls of the last stretch of time, by key: at most `max` of each, and at most `remember` of all. */
export class CallWindow {
  readonly #perMs: number;
  readonly #max: number;
  readonly #remember: number;
  /** The oldest first. */
  readonly #calls: Set<Counted> = new Set();
  readonly #byKey: Map<string, Set<Counted>> = new Map();

  constructor(perMs: number, max: number, remember: number) {
    this.#perMs = perMs;
    this.#max = max;
    this.#remember = remember;
  }

  /** Counts a call; where there is no room for it, counts nothing and gives when there is. `at` never goes back. */
  take(key: string, at: number): NoRoom | undefined {
    this.#forget(at);
    const own = this.#byKey.get(key);
    if (own !== undefined && own.size >= this.#max) return { full: "key", freeAt: this.#freeAt(own) };
    if (this.#calls.size >= this.#remember) return { full: "memory", freeAt: this.#freeAt(this.#calls) };
    const counted: Counted = { key, at };
    this.#calls.add(counted);
    if (own === undefined) this.#byKey.set(key, new Set([counted]));
    else own.add(counted);
    return undefined;
  }

  #freeAt(calls: ReadonlySet<Counted>): number {
    const [oldest] = calls;
    return oldest!.at + this.#perMs;
  }

  #forget(now: number): void {
    for (const counted of this.#calls) {
      if (counted.at + this.#perMs > now) return;
      this.#calls.delete(counted);
      const own = this.#byKey.get(counted.key)!;
      own.delete(counted);
      if (own.size === 0) this.#byKey.delete(counted.key);
    }
  }
}
