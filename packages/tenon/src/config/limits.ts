import { checkOptions, maybe, nested, oneOf, shownValue, wholeNumber, type OptionRules } from "./options.js";
import type { Usd } from "./units.js";
import { isUsd } from "./units.js";

/** The most that something may use. What does not fit any more is not called: the run fails with `LimitExceededError`. */
export interface Limits {
  /** What one run may use. */
  readonly perRun?: RunLimits | undefined;
  /** What all runs of a UTC day may use, in all processes that share the store. A call belongs to the day it begins on. */
  readonly perDay?: DayLimits | undefined;
  /**
   * What is reserved for a model call before it is made. `usual` (default): a token for three bytes of the request, and
   * `maxOutputTokens` (without it 4,096) of answer. `strict`: a token for each byte and `maxOutputTokens`, which every agent then
   * needs, at the dearest price that may apply: a limit is not passed unless the provider bills more than that.
   */
  readonly reserve?: "usual" | "strict" | undefined;
  /**
   * What happens where a model call does not fit any more. `stop` (default): the run fails. `ask`: it waits for a person, who may
   * raise the limit for this run by an amount, or refuse.
   */
  readonly atLimit?: "stop" | "ask" | undefined;
}

export interface DayLimits {
  /** The workflow, all owners together. */
  readonly workflow?: UsageLimits | undefined;
  /** Each owner in the workflow. Runs without an owner are not counted. */
  readonly owner?: UsageLimits | undefined;
}

export interface UsageLimits {
  /** Money, models and tools together. */
  readonly cost?: Usd | undefined;
  /** Input and output together. */
  readonly tokens?: number | undefined;
  readonly modelCalls?: number | undefined;
}

export interface RunLimits extends UsageLimits {
  /** All agents together. A turn that would go over it runs none of its calls. */
  readonly toolCalls?: number | undefined;
}

/** Everything that is wrong with `limits`, as clauses for an assembly error. `undefined` is right. */
export function checkLimits(limits: unknown): string[] {
  if (limits === undefined) return [];
  return checkOptions(limits, rules).map((fault) => `limits: ${fault}`);
}

function costFault(value: unknown): string | undefined {
  if (isUsd(value)) return undefined;
  return `cost must be an amount of money, not ${shownValue(value)}${typeof value === "number" ? `; write \`cost: usd(${value})\`` : ""}`;
}

const usageRules: OptionRules = {
  cost: maybe(costFault),
  tokens: maybe(wholeNumber("tokens", 0)),
  modelCalls: maybe(wholeNumber("modelCalls", 0)),
};

/** What is wrong with the limits of an agent, as a clause. */
export const agentLimitsFault: (value: unknown) => string | undefined = maybe(nested("limits", usageRules));

const rules: OptionRules = {
  perRun: maybe(nested("perRun", { ...usageRules, toolCalls: maybe(wholeNumber("toolCalls", 0)) })),
  perDay: maybe(
    nested("perDay", { workflow: maybe(nested("workflow", usageRules)), owner: maybe(nested("owner", usageRules)) }),
  ),
  atLimit: maybe(oneOf("atLimit", ["stop", "ask"])),
  reserve: maybe(oneOf("reserve", ["usual", "strict"])),
};
