import { LimitExceededError } from "../errors/run-errors.js";
import { BudgetExhausted } from "../finops/budget-exhausted.js";
import { amountText, leftOf } from "../finops/limit-exceeded.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { failure } from "../tools/invoke-tool.js";

/**
 * What a model reads of a call that was not started, because what it may cost is not there; `undefined` where that is not why.
 * It says what the model can do: limits are not for it to raise.
 */
export function notPaidFor(tool: string, refused: unknown): ToolFailure | undefined {
  if (refused instanceof BudgetExhausted) {
    const { limit, spent, need } = refused;
    const shown = (amount: number): string => amountText(limit.measure, amount);
    const why = `it may cost ${shown(need)}, and ${shown(leftOf(limit, spent))} is left to be spent`;
    return failure("limit", `${tool} was not started: ${why}. Go on without it, or say what is missing`);
  }
  if (!LimitExceededError.is(refused)) return undefined;
  const { limit, max } = refused.data as { readonly limit: string; readonly max: number };
  const [why] = refused.message.split(`: ${limit} = ${max}.`);
  return failure("limit", `${tool} was not started: ${why}. Call it again later, or go on without it`);
}
