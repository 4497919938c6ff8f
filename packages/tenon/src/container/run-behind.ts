import { keyOf } from "./keys.js";
import type { Slot } from "./slot.js";
import type { Slots } from "./slots.js";

/**
 * The way from a slot to one of a run, itself included: through transient ones, which live as long as whoever takes them.
 * `undefined` where the slot needs nothing of a run, or is a singleton, which never may.
 */
export function runBehind(slots: Slots, slot: Slot, seen: Set<Slot> = new Set()): readonly Slot[] | undefined {
  if (slot.scope === "run") return [slot];
  if (slot.scope === "singleton" || seen.has(slot)) return undefined;
  seen.add(slot);
  for (const dep of slot.deps) {
    const next = slots.find(keyOf(dep));
    const rest = next === undefined ? undefined : runBehind(slots, next, seen);
    if (rest !== undefined) return [slot, ...rest];
  }
  return undefined;
}
