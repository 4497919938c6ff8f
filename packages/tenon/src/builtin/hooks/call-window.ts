interface Counted {
  readonly key: string;
  at: number;
}

/** The calls of the last stretch of time, by key: at most `max` of each, and at most `remember` of all. */
export class CallWindow {
  readonly #perMs: number;
  readonly #max: number;
  readonly #remember: number;
  /** The oldest first. */
  readonly #calls: Set<Counted> = new Set();
  readonly #byKey: Map<string, Set<Counted>> = new Map();
  #now = 0;

  constructor(perMs: number, max: number, remember: number) {
    this.#perMs = perMs;
    this.#max = max;
    this.#remember = remember;
  }

  /** Counts a call; where there is no room for it, counts nothing and gives when there is. Time that goes back stands still; by more than a stretch, it was wrong before. */
  take(key: string, at: number): number | undefined {
    if (at + this.#perMs < this.#now) this.#correct(at);
    else this.#now = Math.max(this.#now, at);
    this.#forget();
    const own = this.#byKey.get(key);
    if (own !== undefined && own.size >= this.#max) return this.#freeAt(own);
    if (this.#calls.size >= this.#remember) return this.#freeAt(this.#calls);
    const counted: Counted = { key, at: this.#now };
    this.#calls.add(counted);
    if (own === undefined) this.#byKey.set(key, new Set([counted]));
    else own.add(counted);
    return undefined;
  }

  /** What was counted in a time that is not there yet counts as of now. */
  #correct(at: number): void {
    this.#now = at;
    for (const counted of this.#calls) counted.at = Math.min(counted.at, at);
  }

  #freeAt(calls: ReadonlySet<Counted>): number {
    const [oldest] = calls;
    return oldest!.at + this.#perMs;
  }

  #forget(): void {
    for (const counted of this.#calls) {
      if (counted.at + this.#perMs > this.#now) return;
      this.#calls.delete(counted);
      const own = this.#byKey.get(counted.key)!;
      own.delete(counted);
      if (own.size === 0) this.#byKey.delete(counted.key);
    }
  }
}
