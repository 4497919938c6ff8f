/** Why work is stopped. `cancel`: the run ends. `lease-lost`: another process has it. `closed`: this process lets go of it. `timeout`: the call took too long. */
export type AbortReason = "cancel" | "lease-lost" | "closed" | "timeout";

/** The reason of an aborted `signal`: a `DOMException` named `AbortError` or `TimeoutError`, whose message says why. */
export function abortError(reason: AbortReason): DOMException {
  return reason === "timeout"
    ? new DOMException("The call took longer than its timeout.", "TimeoutError")
    : new DOMException(`The run was stopped: ${reason}.`, "AbortError");
}
