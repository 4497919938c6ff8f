import type { BudgetLimit } from "./ledger.js";

/** How long a run may be active, in milliseconds, and the limit's name as it is written in the options. */
export interface WallTimeLimit {
  readonly maxMs: number;
  readonly name: string;
}

/** What the calls of an agent are checked against before they are made. Made once, at assembly. */
export interface AgentBudget {
  readonly limits: readonly BudgetLimit[];
  /** One of them is about money. */
  readonly money: boolean;
  /** Tool calls of a run. */
  readonly toolCalls: number | undefined;
  /** Those of tool calls that hold for more than the run; undefined where there are none. */
  readonly callLimits: readonly BudgetLimit[] | undefined;
  /** How long a run may be active; undefined for as long as it takes. */
  readonly wallTime: WallTimeLimit | undefined;
  /** See `limits.reserveWaitMs`. */
  readonly reserveWaitMs: number;
  /** At a limit a person is asked to raise it. */
  readonly ask: boolean;
  /** See `limits.reserve`. */
  readonly strict: boolean;
}
