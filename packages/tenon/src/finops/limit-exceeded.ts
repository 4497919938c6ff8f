import { toUsd } from "../config/units.js";
import { LimitExceededError } from "../errors/run-errors.js";
import type { BudgetLimit, BudgetScope, Measure } from "./ledger.js";

/** What a call that does not fit a limit fails with. */
export function limitExceeded(limit: BudgetLimit, spent: number, need: number): LimitExceededError {
  const { measure, max, name, scope } = limit;
  const shown = (amount: number): string => amountText(measure, amount);
  const left = Math.max(0, max - spent);
  const calls = measure === "modelCalls" || measure === "toolCalls";
  const what =
    left === 0 || calls
      ? `${budgets[scope]} budget exhausted: ${shown(spent)} ${calls ? "were made" : "was spent"}${need > 1 && calls ? `, and the turn asks for ${need}` : ""}`
      : `${budgets[scope]} budget exhausted: ${shown(spent)} was spent, and the next call may take ${shown(need)} of the ${shown(left)} that is left`;
  return new LimitExceededError(
    what,
    name,
    measure === "cost" ? max / 1e9 : max,
    measure === "toolCalls"
      ? "Raise the limit, or look in the runs what the calls were for."
      : "Raise the limit, give the agent a lower `maxOutputTokens`, or look in the run what it was spent on.",
  );
}

function amountText(measure: Measure, amount: number): string {
  if (measure === "cost")
    return `$${toUsd(amount)
      .toFixed(9)
      .replace(/\.?0+$/, "")}`;
  return `${amount} ${units[measure]}`;
}

const units = { tokens: "tokens", modelCalls: "model calls", toolCalls: "tool calls" } as const;

const budgets: Readonly<Record<BudgetScope, string>> = {
  run: "Run",
  agent: "Agent",
  day: "Day",
  owner: "Owner's day",
};
