import type { Clock } from "../../util/clock.js";
import type { CallProgress } from "./call-answer.js";
import type { HideValues } from "./hidden-values.js";

/** Between two words of progress that are told, in milliseconds. */
const BETWEEN_MS = 50;
const LONGEST_MESSAGE = 1_000;

/** Progress on its way to who asked for it. */
export interface ToldProgress {
  hear(progress: CallProgress): void;
  /** Tells the newest that was held back. Nothing is told afterwards. */
  end(): void;
}

/**
 * Tells of progress as it comes, but of a flood only the newest every so often, with values hidden in its words. What is thrown at it
 * is dropped.
 */
export function toldProgress(
  tell: ((progress: CallProgress) => void) | undefined,
  clock: Clock,
  hide: HideValues,
): ToldProgress {
  let toldAt = -Infinity;
  let held: CallProgress | undefined;
  let ended = false;
  const tellHeld = (): void => {
    if (held === undefined) return;
    const { progress, total, message } = held;
    held = undefined;
    try {
      tell?.({
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message: hide(message).slice(0, LONGEST_MESSAGE).toWellFormed() }),
      });
    } catch {
      // Who listens cannot end the call.
    }
  };
  return {
    hear(progress) {
      if (tell === undefined || ended) return;
      held = progress;
      const now = clock.elapsedMs();
      if (now - toldAt < BETWEEN_MS) return;
      toldAt = now;
      tellHeld();
    },
    end() {
      tellHeld();
      ended = true;
    },
  };
}
