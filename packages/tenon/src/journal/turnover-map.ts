/** What a `TurnoverMap` holds: once `forgotten` is set, the map does not have it any more. */
export interface Forgettable {
  readonly key: string;
  forgotten: boolean;
}

const GENERATION = 1024;

/**
 * A map of what comes and goes all the time, about as fast as it came. Nothing is deleted: entries that are forgotten
 * leave with their generation. A `Map` with as many deletes as inserts makes itself anew again and again, and its former
 * tables keep what was deleted alive, which costs more than all else that a run in memory does.
 */
export class TurnoverMap<T extends Forgettable> {
  #young: Map<string, T> = new Map();
  #old: Map<string, T> = new Map();
  #limit = GENERATION;
  /** Who was asked for last is asked for again most often. */
  #last: T | undefined;

  get(key: string): T | undefined {
    const last = this.#last;
    if (last !== undefined && last.key === key && !last.forgotten) return last;
    if (last === undefined) return undefined;
    const found = this.#young.get(key) ?? this.#old.get(key);
    return found === undefined || found.forgotten ? undefined : (this.#last = found);
  }

  add(entry: T): void {
    if (this.#young.size >= this.#limit) this.#turnOver();
    this.#young.set(entry.key, entry);
    this.#last = entry;
  }

  /** All entries, in no order. */
  *values(): Generator<T> {
    for (const generation of [this.#old, this.#young])
      for (const entry of generation.values()) if (!entry.forgotten) yield entry;
  }

  /** What is left of the old generation joins the new one. The more that is, the longer until the next turn. */
  #turnOver(): void {
    const left = new Map<string, T>();
    for (const [key, entry] of this.#old) if (!entry.forgotten) left.set(key, entry);
    this.#old = this.#young;
    this.#young = left;
    this.#limit = GENERATION + 2 * left.size;
  }
}
