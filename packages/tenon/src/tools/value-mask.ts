import { MASK } from "../schema/mask-value.js";
import type { CallHook } from "./call-hook.js";

/** Gives a text as it may be shown. */
export type Mask = (text: string) => string;

/**
 * Masks what is shown of runs, in the `hooks` of an app, a workflow or an agent: texts and numbers in events, pauses, `inspect`,
 * `runs` and what hooks are given to show. Handlers, models, results and the journal have the true values.
 */
export interface ValueMask {
  /**
   * Gives a text with `***` in place of what is not shown. Synchronous, and asked often. Where it throws, or gives no text, the
   * whole text is `***`.
   */
  readonly maskText: (text: string) => string;
}

/** An entry of `hooks` on an app, a workflow or an agent. */
export type HookEntry = CallHook | ValueMask | (new (...args: any[]) => CallHook);

/** Tells an object that masks, whatever else it does. */
export function isValueMask(entry: unknown): entry is ValueMask {
  return typeof entry === "object" && entry !== null && "maskText" in entry;
}

/** Those of a list that watch or gate calls. */
export function callHooks(
  entries: readonly HookEntry[] | undefined,
): readonly (CallHook | (new (...args: any[]) => CallHook))[] {
  return (entries ?? []).filter((entry) => typeof entry === "function" || watchesCalls(entry)) as never;
}

/** Whether an object has a member of a call hook. */
export function watchesCalls(entry: object): boolean {
  return "onBeforeCall" in entry || "onAfterCall" in entry;
}

/** All masks of some lists, one after the other; `undefined` where there is none. */
export function maskOfHooks(...lists: readonly (readonly HookEntry[] | undefined)[]): Mask | undefined {
  const masks = lists.flatMap((entries) => (entries ?? []).filter(isValueMask));
  if (masks.length === 0) return undefined;
  return (text) => masks.reduce(masked, text);
}

function masked(text: string, mask: ValueMask): string {
  if (text === "") return text;
  try {
    const shown: unknown = mask.maskText(text);
    if (shown === text) return text;
    // What is masked is stored too: no half characters.
    return typeof shown === "string" ? shown.toWellFormed() : MASK;
  } catch {
    return MASK;
  }
}
