import { toUsd } from "../config/units.js";
import { LimitExceededError } from "../errors/run-errors.js";
import { countText } from "../util/count-text.js";
import type { BudgetLimit, BudgetScope, Measure } from "./ledger.js";

/** What a call that does not fit a limit fails with. */
export function limitExceeded(limit: BudgetLimit, spent: number, need: number): LimitExceededError {
  const { measure, max, name, scope } = limit;
  const shown = (amount: number): string => amountText(measure, amount);
  const left = leftOf(limit, spent);
  const what =
    left === 0 || isOfCalls(measure)
      ? `${budgets[scope]} budget exhausted: ${usedText(measure, spent)}${need > 1 && isOfCalls(measure) ? `, and the turn asks for ${need}` : ""}`
      : `${budgets[scope]} budget exhausted: ${usedText(measure, spent)}, and the next call may take ${shown(need)} of the ${shown(left)} that is left`;
  return new LimitExceededError(
    what,
    name,
    measure === "cost" ? max / 1e9 : max,
    measure === "toolCalls"
      ? "Raise the limit, or look in the runs what the calls were for."
      : "Raise the limit, give the agent a lower `maxOutputTokens`, or look in the run what it was spent on.",
  );
}

/** What a person is asked at a limit: what the next call may take, what is left, and the smallest raise that lets it be made. */
export function limitQuestion(limit: BudgetLimit, spent: number, need: number): string {
  const { measure, max, name, scope } = limit;
  const shown = (amount: number): string => amountText(measure, amount);
  const left = leftOf(limit, spent);
  const why = isOfCalls(measure)
    ? `${usedText(measure, spent)}, and ${max} may be made`
    : `the next call may take ${shown(need)}, and ${shown(left)} of ${shown(max)} ${measure === "tokens" && left !== 1 ? "are" : "is"} left`;
  const least = spent + need - max;
  return `${budgets[scope]} budget exhausted: ${why}. By how many ${units[measure]} is ${name} raised for this run? The least that helps is ${measure === "cost" ? usdText(least) : least}.`;
}

/** What of a limit is not spent. */
export function leftOf({ max }: BudgetLimit, spent: number): number {
  return Math.max(0, max - spent);
}

/** An amount of what a limit counts, with its unit. Money is given in nano-USD. */
export function amountText(measure: Measure, amount: number): string {
  return measure === "cost" ? `$${usdText(amount)}` : countText(amount, units[measure].slice(0, -1));
}

function usedText(measure: Measure, spent: number): string {
  if (!isOfCalls(measure)) return `${amountText(measure, spent)} was spent`;
  const made = `${amountText(measure, spent)} ${spent === 1 ? "was" : "were"} made`;
  return measure === "modelCalls" ? `${made}, each attempt counted` : made;
}

function isOfCalls(measure: Measure): boolean {
  return measure === "modelCalls" || measure === "toolCalls";
}

function usdText(nanoUsd: number): string {
  return toUsd(nanoUsd)
    .toFixed(9)
    .replace(/\.?0+$/, "");
}

const units = { cost: "US dollars", tokens: "tokens", modelCalls: "model calls", toolCalls: "tool calls" } as const;

const budgets: Readonly<Record<BudgetScope, string>> = {
  run: "Run",
  agent: "Agent",
  day: "Day",
  owner: "Owner's day",
};
