import { LimitExceededError } from "../errors/run-errors.js";
import type { BudgetLimit } from "./ledger.js";
import { limitExceeded } from "./limit-exceeded.js";

/** A call was not made, because a limit is in the way. `error` is what its run fails with, where nobody raises the limit. */
export abstract class NotReserved extends Error {
  readonly limit: BudgetLimit;

  constructor(limit: BudgetLimit) {
    super();
    this.limit = limit;
  }

  abstract get error(): LimitExceededError;
}

/** It does not fit what is left to be spent. */
export class BudgetExhausted extends NotReserved {
  readonly spent: number;
  readonly need: number;

  constructor(limit: BudgetLimit, spent: number, need: number) {
    super(limit);
    this.spent = spent;
    this.need = need;
  }

  get error(): LimitExceededError {
    return limitExceeded(this.limit, this.spent, this.need);
  }
}

/** It would fit, and waited until its time was over for what other calls have reserved. */
export class WaitedInVain extends NotReserved {
  readonly waitMs: number;

  constructor(limit: BudgetLimit, waitMs: number) {
    super(limit);
    this.waitMs = waitMs;
  }

  get error(): LimitExceededError {
    const { name, measure, max } = this.limit;
    return new LimitExceededError(
      `The call waited ${this.waitMs} ms for what other calls have reserved`,
      name,
      measure === "cost" ? max / 1e9 : max,
      "Raise the limit, run less at a time, or let calls wait longer with `limits.reserveWaitMs`.",
    );
  }
}
