import { checkOptions, list, maybe, shownValue, type OptionRule } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import {
  callStep,
  isStep,
  turnStep,
  type ModelStep,
  type RawCall,
  type StepCall,
  type StepUsage,
  type ToolCallStep,
} from "./model-step.js";

/** What `rawTurn` takes; all may be left out. They are sent in the order reasoning, text, calls. */
export interface RawTurn {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly calls?: readonly (RawCall | ToolCallStep)[] | undefined;
  /** Any label, or none (`null`). Default: `tool-calls` where there are calls, else `stop`. */
  readonly finish?: string | null | undefined;
  /** `null`: the provider reports no usage. */
  readonly usage?: StepUsage | null | undefined;
}

/** The model sends exactly this call, whatever a tool would say to it. */
export function rawCall(call: RawCall): ToolCallStep {
  const made = rawCallOf(call);
  return callStep(`rawCall(${made.name})`, made);
}

/** The model sends exactly this answer: cut off, with odd labels, with rubbish in its calls. */
export function rawTurn(turn: RawTurn): ModelStep {
  assertNone("rawTurn", checkOptions(turn, turnRules));
  const { calls = [], ...rest } = turn;
  return turnStep("rawTurn", { ...rest, calls: calls.map(toStepCall) });
}

function toStepCall(call: RawCall | ToolCallStep): StepCall {
  if (!isStep(call)) return rawCallOf(call);
  if (call.kind === "tool-call") return call.call;
  throw new BadInputError(
    "`calls` takes steps of one call each",
    (call as ModelStep).label,
    "Make them with `callTool` or `rawCall`.",
  );
}

function rawCallOf(call: RawCall): StepCall {
  assertNone("rawCall", checkOptions(call, callRules));
  return { ...call, numbered: false };
}

function assertNone(door: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new BadInputError(`${door} cannot send this`, faults.join("; "), "Mend the step.");
}

function text(name: string): OptionRule {
  return (value) => (typeof value === "string" ? undefined : `${name} must be a text, not ${shownValue(value)}`);
}

function textOrNull(name: string): OptionRule {
  return (value) =>
    value === null || typeof value === "string"
      ? undefined
      : `${name} must be a text or null, not ${shownValue(value)}`;
}

const callRules = { id: maybe(textOrNull("id")), name: text("name"), arguments: maybe(textOrNull("arguments")) };

const usageNames = [
  "inputTokens",
  "outputTokens",
  "cachedInputTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "costUsd",
] as const;
const usageRules = Object.fromEntries(
  usageNames.map((name): [string, OptionRule] => [
    name,
    maybe((value) => (typeof value === "number" ? undefined : `${name} must be a number, not ${shownValue(value)}`)),
  ]),
);

const turnRules = {
  text: maybe(text("text")),
  reasoning: maybe(text("reasoning")),
  calls: maybe(list("calls")),
  finish: maybe(textOrNull("finish")),
  usage: (value: unknown) => {
    if (value === undefined || value === null) return undefined;
    const faults = checkOptions(value, usageRules);
    return faults.length === 0 ? undefined : `usage: ${faults.join("; ")}`;
  },
};
