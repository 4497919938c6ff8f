import { checkOptions, filledText, list, maybe, oneOf, type OptionRules } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import type { ModelChoice } from "../llm/model.js";
import type { JsonObject } from "../protocol/json.js";
import { NotJson, toJson } from "../tools/json-encoding.js";
import { RUN_ID } from "../util/ids.js";
import { isPlainObject } from "../util/plain-object.js";
import type { ResumeOptions, RunInput, RunOptions } from "./app-options.js";
import { isObject } from "../util/is-object.js";

const noMetadata: JsonObject = Object.freeze({});

/** Throws for a run that cannot be started as it was asked for. Nothing is stored by then. */
export function checkRunRequest(input: RunInput, options: RunOptions): void {
  const { prompt } = input ?? {};
  if (typeof prompt !== "string" || prompt.trim() === "")
    throw new BadInputError(
      "A run needs a prompt",
      typeof prompt === "string" ? JSON.stringify(prompt) : typeof prompt,
      'Pass `{ prompt: "…" }` with the user\'s message.',
    );
  if (input.tools !== undefined && !Array.isArray(input.tools))
    throw new BadInputError(
      "`tools` must be a list",
      typeof input.tools,
      "Pass tool classes, or values of `defineTool`.",
    );
  for (const key in input)
    if (key !== "prompt" && key !== "tools")
      throw new BadInputError(
        "A run's input has an unknown member",
        key,
        "It takes `prompt` and `tools`; everything else is an option.",
      );
  if (options === none || areFine(options, runRules)) return;
  throwFaults(checkOptions(options, runRules));
}

/** Throws for a run id that is no text. */
export function checkRunId(runId: unknown): void {
  if (typeof runId !== "string")
    throw new BadInputError("A run's id is a text", typeof runId, "Pass the `runId` of a result.");
}

/** Throws for options of `resume` that it does not have. */
export function checkResumeRequest(options: ResumeOptions): void {
  throwFaults(checkOptions(options, resumeRules));
}

/** Metadata as it is stored. */
export function storedMetadata(metadata: Record<string, unknown> | undefined): JsonObject {
  if (metadata === undefined) return noMetadata;
  try {
    const json = toJson(metadata);
    if (isObject(json)) return json;
    throw new NotJson("is no object");
  } catch (thrown) {
    throw new BadInputError(
      "`metadata` must be a JSON object",
      thrown instanceof Error ? `it ${thrown.message}` : undefined,
      "It is stored with the run; what must not be stored goes into `executionContext`.",
    );
  }
}

/** A run's own model as it is stored: ids only. */
export function storedModel(model: ModelChoice | undefined): string | readonly string[] | undefined {
  if (typeof model === "string") return model;
  const ids = Array.isArray(model) && model.every((ref) => typeof ref === "string");
  return ids ? Object.freeze([...model]) : undefined;
}

/** The options of a run without any: the same object, so that there is nothing to check. */
export const none: RunOptions = Object.freeze({});

/** Looks only at what is there: every option of a run may be left out. What is not fine is told by `checkOptions`. */
function areFine(options: unknown, rules: OptionRules): boolean {
  if (!isPlainObject(options)) return false;
  try {
    for (const name in options) {
      const rule = Object.hasOwn(rules, name) ? rules[name]! : undefined;
      if (rule === undefined || rule((options as Record<string, unknown>)[name]) !== undefined) return false;
    }
  } catch {
    return false;
  }
  return true;
}

function throwFaults(faults: readonly string[]): void {
  if (faults.length > 0)
    throw new BadInputError(
      "The options cannot be used",
      faults.join("; "),
      "Mend them and try again; nothing was started.",
    );
}

const isSignal = (value: unknown): string | undefined =>
  value instanceof AbortSignal ? undefined : "signal must be an AbortSignal";
const isFunction = (value: unknown): string | undefined =>
  typeof value === "function" ? undefined : "onEvent must be a function";

const resumeRules = {
  executionContext: () => undefined,
  tools: maybe(list("tools")),
  signal: maybe(isSignal),
  onEvent: maybe(isFunction),
};

const runRules = {
  ...resumeRules,
  agent: () => undefined,
  threadId: maybe(filledText("threadId")),
  runId: maybe((value) =>
    typeof value === "string" && RUN_ID.test(value) ? undefined : `runId must match ${RUN_ID.source}`,
  ),
  owner: maybe(filledText("owner")),
  metadata: () => undefined,
  model: () => undefined,
  onBusy: maybe(oneOf("onBusy", ["wait", "refuse", "replace"])),
};
