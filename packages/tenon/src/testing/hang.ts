import { stepOrFunction, type Faulty } from "./fault.js";
import { faultStep, isStep, type ModelStep } from "./model-step.js";
import { BadInputError } from "../errors/run-errors.js";

/** The request is never answered, not even when it is stopped. */
export function hang(): ModelStep;
/** The same function, which does what it does and never comes back. */
export function hang<F extends (...args: any[]) => unknown>(run: F): Faulty<F>;
export function hang(...given: readonly unknown[]): unknown {
  if (given.length === 0) return faultStep("hang", { kind: "hang" });
  const run = stepOrFunction("hang", given[0]);
  if (isStep(run)) throw new BadInputError("hang has no answer that a step could give", run.label, "Write `hang()`.");
  return async (...args: readonly unknown[]) => {
    await run(...args);
    return new Promise(() => {});
  };
}
