import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { textOf } from "../errors/tenon-error.js";
import { readTool } from "../tools/read-tool.js";
import type { InputArgs, ToolEntry, ToolInput } from "../tools/tool-entry.js";
import { callStep, isStep, turnStep, type ModelStep, type StepCall, type ToolCallStep } from "./model-step.js";

/** A tool and what it is called with. */
export type CallPair<X> = readonly [tool: X, input: ToolInput<X>];

/**
 * The model calls one tool. The input is checked by the compiler and goes out as JSON text, under an id as a provider makes
 * it. Throws `BadInputError` for what is no tool, and for an input that is no JSON. For wrong arguments use `rawCall`.
 */
export function callTool<X extends ToolEntry>(tool: X, ...input: InputArgs<X>): ToolCallStep {
  const call = callOf(tool, input[0]);
  return callStep(`callTool(${call.name})`, call);
}

/** The model calls several tools in one turn: `callTools([[Search, { q: "a" }], [Count, { q: "b" }]])`. */
export function callTools<const T extends readonly ToolEntry[]>(calls: {
  readonly [I in keyof T]: CallPair<T[I]>;
}): ModelStep {
  const pairs: unknown = calls;
  if (!Array.isArray(pairs) || pairs.length === 0 || !pairs.every(Array.isArray))
    throw new BadInputError(
      "callTools takes a list of [tool, input] pairs, at least one",
      shownValue(pairs),
      'Write `callTools([[Search, { q: "a" }]])`.',
    );
  return turnOf(
    "callTools",
    pairs.map(([tool, input]: readonly unknown[]) => callOf(tool, input)),
  );
}

/** The same with steps, which also takes `rawCall`: `callAll(callTool(Search, { q: "a" }), callTool(Count))`. */
export function callAll(...calls: readonly ToolCallStep[]): ModelStep {
  const wrong = calls.findIndex((call) => !isStep(call) || call.kind !== "tool-call");
  if (calls.length === 0 || wrong >= 0)
    throw new BadInputError(
      "callAll takes steps of one call each, at least one",
      calls.length === 0 ? "none" : `number ${wrong + 1} is ${shownValue(calls[wrong])}`,
      "Make them with `callTool` or `rawCall`.",
    );
  return turnOf(
    "callAll",
    calls.map(({ call }) => call),
  );
}

function turnOf(label: string, calls: readonly StepCall[]): ModelStep {
  return turnStep(`${label}(${calls.map(({ name }) => name).join(", ")})`, { calls });
}

function callOf(tool: unknown, input: unknown): StepCall {
  const name = readTool(tool)?.options.name;
  if (name === undefined)
    throw new BadInputError(
      "A call needs a tool",
      shownTool(tool),
      "Pass a class decorated with @Tool or @decorator.tool(), or a value of `defineTool`; for a name that no tool has use `rawCall`.",
    );
  return { name, arguments: textOfInput(name, input), numbered: true };
}

function textOfInput(name: string, input: unknown): string {
  if (input === undefined) return "{}";
  let text: string | undefined;
  let why = "it has no JSON form";
  try {
    text = JSON.stringify(input);
  } catch (thrown) {
    why = textOf(thrown);
  }
  if (text === undefined)
    throw new BadInputError(
      `The input of a call to ${name} cannot be sent`,
      why,
      "Pass plain JSON, as a model would send it.",
    );
  return text;
}

function shownTool(tool: unknown): string {
  return typeof tool === "function" ? tool.name || "an anonymous class" : shownValue(tool);
}
