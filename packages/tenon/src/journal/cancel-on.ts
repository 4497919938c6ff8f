import type { Activation } from "./activation.js";

/** Cancels an activation once the signal aborts, from before its first event until it is over. */
export function cancelOn(signal: AbortSignal, activation: Activation): void {
  const cancel = (): void => activation.cancel();
  const leave = (): void => signal.removeEventListener("abort", cancel);
  signal.addEventListener("abort", cancel);
  activation.follow({ settled: leave, broken: leave });
}
