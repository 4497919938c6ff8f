import { PARALLEL_CALLS } from "../config/defaults.js";
import type { AbortReason } from "../util/abort.js";

/** A handler that was started and has not settled. */
export interface OpenCall {
  abort(reason: AbortReason): void;
}

/** The handlers of one run: at most eight at once, all stopped together. */
export class OpenCalls {
  /** Set once the run is stopped: no handler starts any more. */
  stopped: AbortReason | undefined;
  #open: OpenCall[] | undefined;
  #queue: (() => void)[] | undefined;
  #taken = 0;

  /** Takes a place; a promise where all are taken. */
  enter(): Promise<void> | undefined {
    if (this.#taken < PARALLEL_CALLS) {
      this.#taken++;
      return undefined;
    }
    this.#queue ??= [];
    return new Promise((resolve) => this.#queue!.push(resolve));
  }

  /** Gives the place to the next in line. */
  leave(): void {
    const next = this.#queue?.shift();
    if (next === undefined) this.#taken--;
    else next();
  }

  add(call: OpenCall): void {
    if (this.#open === undefined) this.#open = [call];
    else this.#open.push(call);
  }

  delete(call: OpenCall): void {
    const at = this.#open?.indexOf(call) ?? -1;
    if (at < 0) return;
    const last = this.#open!.pop()!;
    if (last !== call) this.#open![at] = last;
  }

  abort(reason: AbortReason): void {
    this.stopped ??= reason;
    if (this.#open !== undefined) for (const call of [...this.#open]) call.abort(reason);
  }
}
