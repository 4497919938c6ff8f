import { LostReply, stepOrFunction, type Faulty } from "./fault.js";
import { faultStep, isStep, type ModelStep } from "./model-step.js";

/** The provider answers, and the connection breaks before the answer is there: a stream ends in the middle. The request fails. */
export function lostReply(step: ModelStep): ModelStep;
/** The same function, which does what it does and then fails, as if its reply had been lost on the way. */
export function lostReply<F extends (...args: any[]) => unknown>(run: F): Faulty<F>;
export function lostReply(what: unknown): unknown {
  const lost = stepOrFunction("lostReply", what);
  if (isStep(lost)) return faultStep(`lostReply(${lost.label})`, { kind: "lost", step: lost });
  return async (...args: readonly unknown[]) => {
    await lost(...args);
    throw new LostReply();
  };
}
