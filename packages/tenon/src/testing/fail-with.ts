import { checkOptions, maybe, shownValue, wholeNumber } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { failureStep, type ModelStep } from "./model-step.js";

/** How a provider refuses a request. */
export interface Refusal {
  /** The HTTP status of its response: 429, 503. */
  readonly status?: number | undefined;
  /** How long it asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * The request fails with this error, as if the provider had thrown it: the run sees a `ModelError` with its message (and its `statusCode`).
 * With a status that may pass (429, 5xx) the model is asked again, so the script needs a step for each attempt.
 */
export function failWith(error: Error, refusal: Refusal = {}): ModelStep {
  if (!(error instanceof Error))
    throw new BadInputError("failWith takes an error", shownValue(error), 'Write `failWith(new Error("…"))`.');
  const faults = checkOptions(refusal, refusalRules);
  if (faults.length > 0)
    throw new BadInputError(
      "failWith cannot refuse like that",
      faults.join("; "),
      'Write `failWith(new Error("…"), { status: 429, retryAfterMs: 2_000 })`.',
    );
  const { status, retryAfterMs } = refusal;
  if (status === undefined && retryAfterMs === undefined) return failureStep("failWith", error);
  const refused = Object.assign(
    new Error(error.message, { cause: error }),
    status === undefined ? {} : { statusCode: status },
    retryAfterMs === undefined ? {} : { responseHeaders: { "retry-after-ms": `${retryAfterMs}` } },
  );
  return failureStep("failWith", refused);
}

const refusalRules = {
  status: maybe(wholeNumber("status", 400, 599)),
  retryAfterMs: maybe(wholeNumber("retryAfterMs", 0, 86_400_000, "milliseconds")),
};
