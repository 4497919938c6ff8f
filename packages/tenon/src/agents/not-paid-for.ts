import { BudgetExhausted, WaitedInVain } from "../finops/not-reserved.js";
import { amountText, leftOf } from "../finops/limit-exceeded.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { failure } from "../tools/invoke-tool.js";

/**
 * What a model reads of a call that was not started, because what it may cost is not there; `undefined` where that is not why.
 * It says what the model can do: limits are not for it to raise.
 */
export function notPaidFor(tool: string, refused: unknown): ToolFailure | undefined {
  const why = whyNot(refused);
  return why === undefined ? undefined : failure("limit", `${tool} was not started: ${why}`);
}

function whyNot(refused: unknown): string | undefined {
  if (refused instanceof WaitedInVain)
    return `the call waited ${refused.waitMs} ms for what other calls have reserved. Call it again later, or go on without it`;
  if (!(refused instanceof BudgetExhausted)) return undefined;
  const { limit, spent, need } = refused;
  const shown = (amount: number): string => amountText(limit.measure, amount);
  return `it may cost ${shown(need)}, and ${shown(leftOf(limit, spent))} is left to be spent. Go on without it, or say what is missing`;
}
