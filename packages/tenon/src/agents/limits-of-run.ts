import type { BudgetLimit } from "../finops/ledger.js";
import type { RunState } from "./run-state.js";

/** The limits that the calls of a run are checked against, as far as a person has raised them for it. */
export function limitsOfRun({ ports, raised }: RunState): readonly BudgetLimit[] {
  const limits = ports.agent.budget?.limits ?? [];
  if (raised === undefined) return limits;
  return limits.map((limit) => ({ ...limit, max: limit.max + (raised.get(limit.name) ?? 0) }));
}

/** How long a call of a run waits for what others have reserved, in milliseconds. */
export function reserveWaitMs({ ports }: RunState): number {
  return ports.agent.budget?.reserveWaitMs ?? 0;
}

/** Whether a limit of cost holds. */
export function limitsCost({ ports }: RunState): boolean {
  return ports.agent.budget?.limits.some(({ measure }) => measure === "cost") === true;
}
