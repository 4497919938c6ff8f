import { checkOptions, maybe, shownValue, type OptionRule, type OptionRules } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { CallContext } from "./call-context.js";
import type { ToolCallScope } from "./tool-context.js";

/** The scope of `invoke`. Throws `BadInputError` for one that would be overlooked, or fail later; the context of another call is one. */
export function callScopeOf(given: unknown): ToolCallScope {
  const scope = given ?? {};
  assertScope(scope);
  return scope;
}

function assertScope(scope: unknown): void {
  if (isContext(scope)) return;
  const faults = checkOptions(scope, rules);
  if (faults.length > 0)
    throw new BadInputError(
      "A tool cannot be called in this scope",
      faults.join("; "),
      "Pass a plain object with what matters of the context, or the context of another call.",
    );
}

/** A proxy may throw where it is asked for its class. */
function isContext(scope: unknown): boolean {
  try {
    return scope instanceof CallContext;
  } catch {
    return false;
  }
}

function ofType(name: string, type: "string" | "function", what: string): OptionRule {
  return maybe((value) => (typeof value === type ? undefined : `${name} must be ${what}, not ${shownValue(value)}`));
}

function anObject(name: string, member: string, what: string): OptionRule {
  return maybe((value) =>
    typeof value === "object" && value !== null && member in value
      ? undefined
      : `${name} must be ${what}, not ${shownValue(value)}`,
  );
}

const rules: OptionRules = {
  run: anObject("run", "runId", "what `testRunContext()` makes"),
  runId: ofType("runId", "string", "a text"),
  workflow: ofType("workflow", "string", "a text"),
  agent: ofType("agent", "string", "a text"),
  callId: ofType("callId", "string", "a text"),
  signal: anObject("signal", "aborted", "an AbortSignal"),
  executionContext: () => undefined,
  reportCost: ofType("reportCost", "function", "a function"),
  progress: ofType("progress", "function", "a function"),
  pause: ofType("pause", "function", "a function"),
  // What is no name allows nothing.
  approvedBy: () => undefined,
};
