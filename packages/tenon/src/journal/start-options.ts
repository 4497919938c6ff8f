import type { Activation } from "./activation.js";
import type { PickUpResult, RunRow } from "./store.js";

/** How a run is started in its thread. */
export interface StartOptions {
  readonly onBusy: "wait" | "refuse" | "replace";
  /** See `StartRequest.fresh`. */
  readonly fresh: boolean;
  /** Ends the thread's holder, wherever it is; for `replace`. */
  readonly replace: (holder: RunRow) => Promise<unknown>;
  /** Gives up waiting for the thread, and cancels the run from its first event on. */
  readonly signal: AbortSignal | undefined;
  /** The thread's holder has no live lease: it was left by a process that is gone. */
  readonly onLeft: (holder: RunRow) => Promise<unknown>;
}

/** What became of a start. */
export type Started =
  | { readonly kind: "started"; readonly activation: Activation }
  | { readonly kind: "exists"; readonly run: RunRow }
  /** The caller's signal was aborted before the thread was free. Nothing was stored. */
  | { readonly kind: "gave-up" };

/** What became of a pick-up. */
export type PickedUpRun =
  | { readonly kind: "active"; readonly activation: Activation }
  | Exclude<PickUpResult, { kind: "picked-up" }>;
