import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { failureStep, type ModelStep } from "./model-step.js";

/** The request fails with this error, as if the provider had thrown it: the run sees a `ModelError` with its message (and its `statusCode`). */
export function failWith(error: Error): ModelStep {
  if (!(error instanceof Error))
    throw new BadInputError("failWith takes an error", shownValue(error), 'Write `failWith(new Error("…"))`.');
  return failureStep("failWith", error);
}
