/**
 * Why work is stopped. `cancel`: the run ends. `limit`: it ends because it used up a limit. `lease-lost`: another process has it. `closed`: this process lets go of it.
 * `timeout`: the call took too long. `paused`: the handler asked a question, and starts again once it is answered.
 */
export type AbortReason = "cancel" | "limit" | "lease-lost" | "closed" | "timeout" | "paused";

/** The reason of an aborted `signal`: a `DOMException` named `AbortError` or `TimeoutError`, whose message says why. */
export function abortError(reason: AbortReason): DOMException {
  if (reason === "timeout") return new DOMException("The call took longer than its timeout.", "TimeoutError");
  if (reason === "paused") return new DOMException("The call waits for an answer: paused.", "AbortError");
  return new DOMException(`The run was stopped: ${reason}.`, "AbortError");
}

let Controller: typeof AbortController | undefined;

/** A new controller. Node gives the global by a getter, which takes longer than to make one. */
export function abortController(): AbortController {
  return new (Controller ??= AbortController)();
}

/** False where the signal aborts first; what was waited for goes on. */
export function untilAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal === undefined) return work.then(() => true);
  return new Promise((resolve, reject) => {
    const gaveUp = (): void => resolve(false);
    if (signal.aborted) gaveUp();
    else signal.addEventListener("abort", gaveUp, { once: true });
    work.then(() => resolve(true), reject).finally(() => signal.removeEventListener("abort", gaveUp));
  });
}
