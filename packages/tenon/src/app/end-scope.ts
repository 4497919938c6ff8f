import type { RunScope } from "../container/run-scope.js";
import type { Maybe } from "../util/class.js";
import type { Deadlines } from "../util/deadlines.js";
import { PART_MS } from "./close-steps.js";

/**
 * Disposes of what a run's scope made. What is still being made is waited for, so that nothing goes before its user; where it
 * hangs, the others are disposed of after ten seconds.
 */
export function endScope(scope: RunScope, deadlines: Deadlines): Maybe<void> {
  const idle = scope.idle();
  if (idle === undefined) return scope.dispose();
  return new Promise<void>((resolve) => {
    const deadline = deadlines.add(PART_MS, resolve);
    void idle.then(() => {
      deadlines.remove(deadline);
      resolve();
    });
  }).then(() => scope.dispose());
}
