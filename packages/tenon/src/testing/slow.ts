import { wholeNumber } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { systemClock, type Clock } from "../util/clock.js";
import { stepOrFunction, type Faulty } from "./fault.js";
import { faultStep, isStep, type ModelStep } from "./model-step.js";

/** The same step, whose answer comes so many milliseconds later: by the clock of `testWith`, else by the real one. */
export function slow(step: ModelStep, ms: number): ModelStep;
/** The same function, which begins so many milliseconds later: by `clock`, else by the real one. */
export function slow<F extends (...args: any[]) => unknown>(run: F, ms: number, clock?: Clock): Faulty<F>;
export function slow(what: unknown, ms: number, clock: Clock = systemClock): unknown {
  const fault = wholeNumber("ms", 0, 2 ** 31 - 1, "milliseconds")(ms);
  if (fault !== undefined) throw new BadInputError("slow needs a time", fault, "Pass how long it takes.");
  const slowed = stepOrFunction("slow", what);
  if (isStep(slowed)) return faultStep(`slow(${slowed.label})`, { kind: "slow", step: slowed, ms });
  return async (...args: readonly unknown[]) => {
    await new Promise<void>((resolve) => clock.setTimer(resolve, ms));
    return slowed(...args);
  };
}
