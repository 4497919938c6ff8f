import { modelFailure, ModelError } from "../errors/environment-errors.js";
import { toErrorData } from "../errors/tenon-error.js";
import { NotReserved } from "../finops/not-reserved.js";
import type { Model } from "../llm/model.js";
import type { ErrorData } from "../protocol/outcome.js";

/** Why an attempt failed that another one follows, after `waitMs` milliseconds: it says which. */
export function failureBefore(error: ModelError, asked: Model, next: Model, waitMs: number): ErrorData {
  return modelFailure(error, next === asked ? `Trying again in ${durationText(waitMs)}.` : `Asking ${next.id} next.`);
}

/** Why the last attempt failed, where no other one may be made: it names the limit that is in the way. */
export function failureAtLimit(error: ModelError, refused: unknown): ErrorData {
  const { message, data } = toErrorData(refused instanceof NotReserved ? refused.error : refused);
  const failed = modelFailure(error, `No other attempt was made: ${message}`);
  const { limit, max } = data;
  return limit === undefined ? failed : { ...failed, data: { ...failed.data, limit, max } };
}

/** Why an attempt failed that was given up. */
export function tookTooLong(model: string, timeoutMs: number): ModelError {
  return new ModelError(model, `it took longer than ${timeoutMs} ms`, { timeoutMs });
}

function durationText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toFixed(1))} s`;
}
