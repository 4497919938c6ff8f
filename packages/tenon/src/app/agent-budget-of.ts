import type { AgentOptions } from "../agents/agent-options.js";
import { MAX_MODEL_CALLS, MAX_TOOL_CALLS, RESERVATION_WAIT_MS } from "../config/defaults.js";
import type { Limits } from "../config/limits.js";
import type { AgentBudget } from "../finops/agent-budget.js";
import { budgetLimits, callLimits, wallTimeLimit } from "../finops/budget-limits.js";

/** What an agent's calls are checked against; undefined where nothing is limited. */
export function agentBudget(limits: Limits | undefined, agent: AgentOptions): AgentBudget | undefined {
  const all = budgetLimits(limits, agent.name, agent.limits);
  const toolCalls = limits?.perRun?.toolCalls;
  const ofCalls = callLimits(limits);
  const wallTime = wallTimeLimit(limits, agent.name, agent.limits);
  if (all.length + ofCalls.length === 0 && toolCalls === undefined && wallTime === undefined) return undefined;
  return {
    limits: all,
    toolCalls,
    callLimits: ofCalls.length === 0 ? undefined : ofCalls,
    wallTime,
    reserveWaitMs: limits?.reserveWaitMs ?? RESERVATION_WAIT_MS,
    ask: all.length > 0 && limits?.atLimit === "ask",
    money: all.some(({ measure }) => measure === "cost"),
    strict: limits?.reserve === "strict",
  };
}

/** How often an agent may call in one run: what it says itself, in either place, else what holds for all. */
export function agentCalls(
  agent: AgentOptions,
  ofAllTools: number | undefined,
): { readonly maxModelCalls: number; readonly maxToolCalls: number } {
  const { maxModelCalls, maxToolCalls, limits } = agent;
  const toolCalls = Math.min(maxToolCalls ?? Infinity, limits?.toolCalls ?? Infinity);
  return {
    // Its limit of model calls is checked with its budget, where a person may raise it.
    maxModelCalls: maxModelCalls ?? (limits?.modelCalls === undefined ? MAX_MODEL_CALLS : Infinity),
    maxToolCalls: toolCalls === Infinity ? (ofAllTools ?? MAX_TOOL_CALLS) : toolCalls,
  };
}

/** What an agent lacks where bounds have to hold. */
export function strictFaults(limits: Limits | undefined, agent: AgentOptions): string[] {
  return limits?.reserve === "strict" && agent.maxOutputTokens === undefined
    ? ['maxOutputTokens is needed under `limits.reserve: "strict"`: without it nobody knows what an answer may cost']
    : [];
}

/** Whether what calls use has to be kept in the ledger. */
export function isBooked(budget: AgentBudget | undefined): boolean {
  return budget !== undefined && (budget.limits.length > 0 || budget.callLimits !== undefined);
}
