import type { AgentOptions } from "../agents/agent-options.js";
import type { Limits } from "../config/limits.js";
import type { AgentBudget } from "../finops/agent-budget.js";
import { budgetLimits } from "../finops/budget-limits.js";

/** What an agent's calls are checked against; undefined where nothing is limited. */
export function agentBudget(limits: Limits | undefined, agent: AgentOptions): AgentBudget | undefined {
  const all = budgetLimits(limits, agent.name, agent.limits);
  const toolCalls = limits?.perRun?.toolCalls;
  if (all.length === 0 && toolCalls === undefined) return undefined;
  return {
    limits: all,
    toolCalls,
    ask: all.length > 0 && limits?.atLimit === "ask",
    money: all.some(({ measure }) => measure === "cost"),
    strict: limits?.reserve === "strict",
  };
}

/** What an agent lacks where bounds have to hold. */
export function strictFaults(limits: Limits | undefined, agent: AgentOptions): string[] {
  return limits?.reserve === "strict" && agent.maxOutputTokens === undefined
    ? ['maxOutputTokens is needed under `limits.reserve: "strict"`: without it nobody knows what an answer may cost']
    : [];
}
