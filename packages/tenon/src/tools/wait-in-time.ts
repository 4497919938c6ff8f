import type { AbortReason } from "../util/abort.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { CallEnvironment } from "./call-environment.js";

/** Work that was not waited for to its end: its time was over, or the run was stopped. */
export class CutShort {
  readonly reason: AbortReason;
  constructor(reason: AbortReason) {
    this.reason = reason;
  }
}

/**
 * Waits for somebody else's work (a check, a hook, a turn) as long as it may take, in milliseconds, and the run goes on. What it does later is not
 * heard. Rejects with what the work rejects with.
 */
export function waitInTime<T>(
  work: Maybe<T>,
  ms: number | undefined,
  { deadlines, calls }: Pick<CallEnvironment, "deadlines" | "calls">,
): Maybe<T | CutShort> {
  if (!isPromise(work)) return work;
  if (calls.stopped !== undefined) {
    work.catch(() => {});
    return new CutShort(calls.stopped);
  }
  return new Promise((resolve, reject) => {
    const close = (): void => {
      if (deadline !== undefined) deadlines.remove(deadline);
      calls.delete(waiting);
    };
    const waiting = {
      abort(reason: AbortReason): void {
        close();
        resolve(new CutShort(reason));
      },
    };
    const deadline = ms === undefined ? undefined : deadlines.add(ms, () => waiting.abort("timeout"));
    calls.add(waiting);
    work.then(
      (value) => {
        close();
        resolve(value);
      },
      (thrown: unknown) => {
        close();
        reject(thrown);
      },
    );
  });
}
