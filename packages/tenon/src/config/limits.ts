import { checkOptions, maybe, nested, shownValue } from "./options.js";
import type { Usd } from "./units.js";
import { isUsd } from "./units.js";

/** The most that something may use. */
export interface Limits {
  /** What one run may use. */
  readonly perRun?: RunLimits | undefined;
}

export interface RunLimits {
  /** Money, models and tools together. Checked before each model call; a run that is over it fails with `LimitExceededError`. */
  readonly cost?: Usd | undefined;
}

/** Everything that is wrong with `limits`, as clauses for an assembly error. `undefined` is right. */
export function checkLimits(limits: unknown): string[] {
  if (limits === undefined) return [];
  return checkOptions(limits, { perRun: maybe(nested("perRun", { cost: maybe(costFault) })) }).map(
    (fault) => `limits: ${fault}`,
  );
}

function costFault(value: unknown): string | undefined {
  if (isUsd(value)) return undefined;
  return `cost must be an amount of money, not ${shownValue(value)}${typeof value === "number" ? `; write \`cost: usd(${value})\`` : ""}`;
}
