import { MODEL_RETRIES, MODEL_TIMEOUT_MS } from "../config/defaults.js";
import { maybe, nested, wholeNumber, type OptionRule } from "../config/options.js";

/** The bounds of each model call, as an agent or a workflow may set them. */
export interface ModelCallOptions {
  /** How often a model is asked again after a failure that may pass; default 2. Each fallback has as many. */
  readonly retries?: number | undefined;
  /** The most that one attempt may take, in milliseconds, its whole answer included; default 600,000. */
  readonly timeoutMs?: number | undefined;
  /** The most that a call may take, in milliseconds, with all its attempts and the waiting between them. Default: no limit of its own. */
  readonly deadlineMs?: number | undefined;
}

/** The bounds of each model call of an agent. */
export interface ModelCallLimits {
  readonly retries: number;
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
}

/** What `modelCall` may be. */
export const modelCallRule: OptionRule = maybe(
  nested("modelCall", {
    retries: maybe(wholeNumber("retries", 0, 10)),
    timeoutMs: maybe(wholeNumber("timeoutMs", 1, 2 ** 31 - 1, "milliseconds")),
    deadlineMs: maybe(wholeNumber("deadlineMs", 1, 2 ** 31 - 1, "milliseconds")),
  }),
);

/** The agent's own bounds, else the workflow's, else the defaults, one by one. */
export function callLimitsOf(own: ModelCallOptions | undefined, defaults?: ModelCallOptions): ModelCallLimits {
  return {
    retries: own?.retries ?? defaults?.retries ?? MODEL_RETRIES,
    timeoutMs: own?.timeoutMs ?? defaults?.timeoutMs ?? MODEL_TIMEOUT_MS,
    deadlineMs: own?.deadlineMs ?? defaults?.deadlineMs,
  };
}
