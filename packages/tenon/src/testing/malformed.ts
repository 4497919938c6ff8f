import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { callStep, isStep, type ToolCallStep } from "./model-step.js";

/**
 * The same call, whose arguments break off in the middle: `malformed(callTool(Search, { q: "a" }))`. Throws `BadInputError`
 * for what is no call, or has no object as arguments.
 */
export function malformed(step: ToolCallStep): ToolCallStep {
  if (!isStep(step) || step.kind !== "tool-call")
    throw new BadInputError(
      "malformed takes a step of one call",
      isStep(step) ? (step as { readonly label: string }).label : shownValue(step),
      "Make it with `callTool` or `rawCall`.",
    );
  const text = step.call.arguments?.trim() ?? "";
  if (!text.startsWith("{"))
    throw new BadInputError(
      "malformed takes a call whose arguments are a JSON object",
      text === "" ? "none" : JSON.stringify(text),
      "For anything else write the arguments themselves, with `rawCall`.",
    );
  const letters = Array.from(text);
  // The start of an object is no JSON as long as it lacks its last brace.
  const half = letters.slice(0, Math.max(1, Math.floor(letters.length / 2))).join("");
  return callStep(`malformed(${step.label})`, { ...step.call, arguments: half });
}
