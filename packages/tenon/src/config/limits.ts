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
   * `maxOutputTokens` (without it 4,096) of answer, with what thinking and `providerOptions` add to it. `strict`: a token for each
   * byte that may be sent, and `maxOutputTokens`, which every agent then needs, at the dearest price that may apply; a model whose
   * options leave it open is not called (`usage_unbound`). A limit is not passed then unless the provider bills more than that.
   */
  readonly reserve?: "usual" | "strict" | undefined;
  /**
   * How long a call waits for what other calls have reserved, in milliseconds; default 60,000. Never longer than the model call's
   * `deadlineMs`; 0 waits for nothing. After it a model call fails its run with `LimitExceededError`, and a tool with `maxCost` is
   * not started: its model reads an error.
   */
  readonly reserveWaitMs?: number | undefined;
  /**
   * What happens where a model call does not fit any more. `stop` (default): the run fails. `ask`: it waits for a person, who may
   * raise the limit for this run by an amount, or refuse. At a limit of `toolCalls` or `wallTimeMs` a run always fails.
   */
  readonly atLimit?: "stop" | "ask" | undefined;
}

/** A day has no `wallTimeMs`: time is not reserved before it passes. */
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
  /** Each attempt of a model call counts: it is a request that may cost. */
  readonly modelCalls?: number | undefined;
  /** What models ask for counts, whatever becomes of it. A turn that would go over it runs none of its calls. */
  readonly toolCalls?: number | undefined;
}

/** The limits of one run, and of an agent in one run. */
export interface RunLimits extends UsageLimits {
  /**
   * How long the run may be active, in milliseconds, from 1 to 2,147,483,647. While it is paused, or no process has it, no time
   * counts; what it waits for otherwise does. Once it is over, what runs is stopped as by a cancel and the run fails. It holds
   * across resumes and processes; a crash loses at most the last five seconds.
   */
  readonly wallTimeMs?: number | undefined;
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
  toolCalls: maybe(wholeNumber("toolCalls", 0)),
};
const runRules: OptionRules = {
  ...usageRules,
  wallTimeMs: maybe(wholeNumber("wallTimeMs", 1, 2 ** 31 - 1, "milliseconds")),
};
const dayRules: OptionRules = {
  ...usageRules,
  wallTimeMs: maybe(
    () => "wallTimeMs is of one run: time is not reserved before it passes; set `limits.perRun.wallTimeMs`",
  ),
};

/** What is wrong with the limits of an agent, as a clause. */
export const agentLimitsFault: (value: unknown) => string | undefined = maybe(nested("limits", runRules));

const rules: OptionRules = {
  perRun: maybe(nested("perRun", runRules)),
  perDay: maybe(
    nested("perDay", { workflow: maybe(nested("workflow", dayRules)), owner: maybe(nested("owner", dayRules)) }),
  ),
  atLimit: maybe(oneOf("atLimit", ["stop", "ask"])),
  reserve: maybe(oneOf("reserve", ["usual", "strict"])),
  reserveWaitMs: maybe(wholeNumber("reserveWaitMs", 0, 2 ** 31 - 1, "milliseconds")),
};
