import type { BudgetLimit } from "./ledger.js";

/** What the calls of an agent are checked against before they are made. Made once, at assembly. */
export interface AgentBudget {
  readonly limits: readonly BudgetLimit[];
  /** One of them is about money. */
  readonly money: boolean;
  /** Tool calls of a run. */
  readonly toolCalls: number | undefined;
  /** At a limit a person is asked to raise it. */
  readonly ask: boolean;
  /** See `limits.reserve`. */
  readonly strict: boolean;
}
