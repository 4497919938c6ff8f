import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { callerFile } from "../util/caller-file.js";
import { isPlainObject } from "../util/plain-object.js";
import { AGENT, type AgentDeclaration } from "./agent-metadata.js";
import { needsFile } from "./agent.js";
import type { AgentOptions } from "./agent-options.js";

/** An agent written as a value. */
export interface AgentDefinition<N extends string = string> {
  readonly kind: "agent";
  readonly name: N;
  readonly [AGENT]: AgentDeclaration;
}

/**
 * Makes an agent without a class: it stands wherever a class with `@Agent` does, and its options are the same. Each value is
 * an agent of its own. Bad options are found when an app is assembled, all at once.
 */
export function defineAgent<const N extends string>(options: AgentOptions & { readonly name: N }): AgentDefinition<N> {
  if (!isPlainObject(options))
    throw new BadInputError(
      "defineAgent takes a plain object of options",
      shownValue(options),
      "Give it a name, a description and `tools`.",
    );
  const declaredIn = needsFile(options) ? callerFile(defineAgent) : undefined;
  return Object.freeze({ kind: "agent" as const, name: options.name, [AGENT]: { options, declaredIn } });
}
