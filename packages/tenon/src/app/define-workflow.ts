import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { callerFile } from "../util/caller-file.js";
import type { Class } from "../util/class.js";
import type { AgentDefinition } from "../agents/define-agent.js";
import { isPlainObject } from "../util/plain-object.js";
import { WORKFLOW, type WorkflowDeclaration, type WorkflowOptions } from "./workflow.js";

/** A workflow written as a value. */
export interface WorkflowDefinition<N extends string = string> {
  readonly kind: "workflow";
  readonly name: N;
  readonly [WORKFLOW]: WorkflowDeclaration;
}

/** What an app is made of: a class with `@Workflow` or `@Agent`, or a value of `defineWorkflow` or `defineAgent`. */
export type WorkflowEntry = Class<object> | WorkflowDefinition | AgentDefinition;

/**
 * Makes a workflow without a class: it stands wherever a class with `@Workflow` does, and its options are the same. Bad
 * options are found when an app is assembled, all at once.
 */
export function defineWorkflow<const N extends string, P extends readonly unknown[] | [] = [], L = unknown>(
  options: WorkflowOptions<P, L> & { readonly name: N },
): WorkflowDefinition<N> {
  if (!isPlainObject(options))
    throw new BadInputError(
      "defineWorkflow takes a plain object of options",
      shownValue(options),
      "Give it a name and `agents`.",
    );
  const declaredIn = callerFile(defineWorkflow);
  return Object.freeze({
    kind: "workflow" as const,
    name: options.name,
    [WORKFLOW]: { options, declaredIn },
  });
}
