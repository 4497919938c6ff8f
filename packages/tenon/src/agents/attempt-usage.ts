import { pricedUsage } from "../finops/priced-usage.js";
import { usageInFull } from "../finops/lost-usage.js";
import type { Bound } from "../finops/ledger.js";
import { costsNothing } from "../llm/costs-nothing.js";
import type { AnswerPart, Model, ModelAnswer, ModelRequest } from "../llm/model.js";
import { toUsage } from "../llm/v4-usage.js";
import type { Usage } from "../protocol/usage.js";
import type { RunState } from "./run-state.js";

/** An attempt that was made. */
export interface Attempt {
  readonly state: RunState;
  readonly model: Model;
  readonly request: ModelRequest;
  /** What was reserved for it; undefined without a budget. */
  readonly bound: Bound | undefined;
}

/**
 * What an answer used: as its provider says, else an estimate. Where the answer was cut off, or only a bound is a promise, what
 * was reserved is used up instead.
 */
export function usageOfAnswer(attempt: Attempt, { usage, finish }: ModelAnswer): Usage {
  const { state, bound } = attempt;
  const used = priced(attempt, usage);
  if (!usage.estimated || bound === undefined) return used;
  const cut = finish === "error" || finish === "interrupted";
  return cut || state.ports.agent.budget?.strict === true ? usageInFull(used, bound) : used;
}

/**
 * What an attempt used that gave no answer, or was stopped: what was reserved for it, because nobody knows; without a budget an
 * estimate by what was asked and how many characters were `shown`. `failure`: what it failed with; undefined where it was stopped.
 */
export function usageOfFailure(attempt: Attempt, shown: number, failure: unknown): Usage {
  const { model, request, bound } = attempt;
  const refused = shown === 0 && costsNothing(failure);
  const parts: readonly AnswerPart[] = [{ type: "text", text: " ".repeat(shown) }];
  const source = { usage: undefined, metadata: undefined, free: refused || model.free };
  const used = priced(attempt, toUsage(source, request, parts));
  if (refused) return { ...used, costSource: "none" };
  return bound === undefined ? used : usageInFull(used, bound);
}

function priced({ state, model }: Attempt, usage: Usage): Usage {
  return usage.costNanoUsd === undefined ? pricedUsage(usage, state.ports.prices.of(model)) : usage;
}
