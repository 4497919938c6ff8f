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
  #young: Generation<T> = new Generation([]);
  #old: Generation<T> = new Generation([]);
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
    if (this.#young.entries.length >= this.#limit) this.#turnOver();
    this.#young.entries.push(entry);
    this.#last = entry;
  }

  /** All entries, in no order. */
  *values(): Generator<T> {
    for (const { entries } of [this.#old, this.#young]) for (const entry of entries) if (!entry.forgotten) yield entry;
  }

  /** What is left of the old generation joins the new one. The more that is, the longer until the next turn. */
  #turnOver(): void {
    const left = this.#old.entries.filter(({ forgotten }) => !forgotten);
    this.#old = this.#young;
    this.#young = new Generation(left);
    this.#limit = GENERATION + 2 * left.length;
  }
}

/** Entries that came one after the other. Most are never looked for, so their keys are hashed when somebody first asks. */
class Generation<T extends Forgettable> {
  readonly entries: T[];
  #byKey: Map<string, T> | undefined;
  #indexed = 0;

  constructor(entries: T[]) {
    this.entries = entries;
  }

  /** Of two entries with one key, the later one. */
  get(key: string): T | undefined {
    const byKey = (this.#byKey ??= new Map<string, T>());
    for (; this.#indexed < this.entries.length; this.#indexed++) {
      const entry = this.entries[this.#indexed]!;
      byKey.set(entry.key, entry);
    }
    return byKey.get(key);
  }
}
