import type { Limits, RunLimits, UsageLimits } from "../config/limits.js";
import type { WallTimeLimit } from "./agent-budget.js";
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

/** The limits of tool calls that hold for more than one run. Those of a run need no ledger. */
export function callLimits(limits: Limits | undefined): readonly BudgetLimit[] {
  const { owner, workflow } = limits?.perDay ?? {};
  const found: BudgetLimit[] = [];
  const add = (scope: BudgetScope, name: string, max: number | undefined): void => {
    if (max !== undefined) found.push({ scope, measure: "toolCalls", max, name: `limits.perDay.${name}.toolCalls` });
  };
  add("owner", "owner", owner?.toolCalls);
  add("day", "workflow", workflow?.toolCalls);
  return found;
}

/** The limit of a run's active time: the workflow's or the agent's own, whichever ends it sooner. */
export function wallTimeLimit(
  limits: Limits | undefined,
  agent: string,
  own: RunLimits | undefined,
): WallTimeLimit | undefined {
  const ofRun = limits?.perRun?.wallTimeMs ?? Infinity;
  const ofAgent = own?.wallTimeMs ?? Infinity;
  if (ofAgent < ofRun) return { maxMs: ofAgent, name: `agents.${agent}.limits.wallTimeMs` };
  return ofRun === Infinity ? undefined : { maxMs: ofRun, name: "limits.perRun.wallTimeMs" };
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
