import { takesNothing } from "./inject.js";
import { classSlot } from "./read-providers.js";
import type { Slot } from "./slot.js";
import type { Key } from "./keys.js";

/** The slots of one container. A class without constructor parameters gets one when it is first asked for. */
export class Slots {
  /** What something depends on, as far as it was checked: tools and hooks of the app, its providers, tools of its runs. */
  readonly wanted: Set<Key> = new Set();
  readonly #slots: Map<Key, Slot>;

  constructor(provided: Map<Key, Slot>) {
    this.#slots = provided;
  }

  find(key: Key): Slot | undefined {
    const slot = this.#slots.get(key);
    if (slot !== undefined) return slot;
    if (typeof key !== "function" || !takesNothing(key)) return undefined;
    const own = classSlot(key);
    this.#slots.set(key, own);
    return own;
  }

  all(): Slot[] {
    return [...this.#slots.values()];
  }
}
