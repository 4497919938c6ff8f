import type { LimitExceededError } from "../errors/run-errors.js";
import { limitExceeded } from "./limit-exceeded.js";
import type { BudgetLimit } from "./ledger.js";

/** A call does not fit a limit: what its run fails with, where nobody raises it. */
export class BudgetExhausted extends Error {
  readonly limit: BudgetLimit;
  readonly spent: number;
  readonly need: number;

  constructor(limit: BudgetLimit, spent: number, need: number) {
    super();
    this.limit = limit;
    this.spent = spent;
    this.need = need;
  }

  get error(): LimitExceededError {
    return limitExceeded(this.limit, this.spent, this.need);
  }
}
