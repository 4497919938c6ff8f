import type { Slot } from "./slot.js";

/** The way from what was asked for to what is being made. Linked from the inside out: no text is built until it is shown. */
export interface CreationPath {
  readonly name: string;
  readonly slot: Slot | undefined;
  readonly parent: CreationPath | undefined;
}

/** `A -> B -> C`. */
export function pathText(path: CreationPath | undefined): string {
  const names: string[] = [];
  for (let step = path; step !== undefined; step = step.parent) names.unshift(step.name);
  return names.join(" -> ");
}

/** True where the slot is being made already, further out on this path. */
export function isOpen(path: CreationPath | undefined, slot: Slot): boolean {
  for (let step = path; step !== undefined; step = step.parent) if (step.slot === slot) return true;
  return false;
}
