import type { Limits, UsageLimits } from "../config/limits.js";
import type { BudgetLimit, BudgetScope } from "./ledger.js";

/** The limits that the calls of an agent are checked against: the workflow's, and its own. */
export function budgetLimits(
  limits: Limits | undefined,
  agent: string,
  own: UsageLimits | undefined,
): readonly BudgetLimit[] {
  return [
    ...limitsOf("run", "limits.perRun", limits?.perRun),
    ...limitsOf("agent", `agents.${agent}.limits`, own),
    ...limitsOf("owner", "limits.perDay.owner", limits?.perDay?.owner),
    ...limitsOf("day", "limits.perDay.workflow", limits?.perDay?.workflow),
  ];
}

function limitsOf(scope: BudgetScope, name: string, limits: UsageLimits | undefined): BudgetLimit[] {
  const found: BudgetLimit[] = [];
  const { cost, tokens, modelCalls } = limits ?? {};
  if (cost !== undefined) found.push({ scope, measure: "cost", max: cost.nanoUsd, name: `${name}.cost` });
  if (tokens !== undefined) found.push({ scope, measure: "tokens", max: tokens, name: `${name}.tokens` });
  if (modelCalls !== undefined)
    found.push({ scope, measure: "modelCalls", max: modelCalls, name: `${name}.modelCalls` });
  return found;
}
