import { callerFile } from "../util/caller-file.js";
import type { AgentClass, AgentOptions } from "./agent-options.js";
import { AGENT } from "./agent-metadata.js";

/**
 * Makes a class an agent. The class stays empty: the options say everything. Bad options are found when an app is
 * assembled, all at once.
 */
export function Agent(
  options: AgentOptions,
): <C extends AgentClass>(target: C, context?: ClassDecoratorContext<C>) => void {
  const declaredIn = needsFile(options) ? callerFile(Agent) : undefined;
  return (target) => {
    Object.defineProperty(target, AGENT, { value: { options, declaredIn }, configurable: true });
  };
}

/** Whether options have paths that are relative to the file they stand in. */
export function needsFile(options: AgentOptions | undefined): boolean {
  return (
    options?.baseUrl === undefined &&
    Array.isArray(options?.promptUrls) &&
    options.promptUrls.some((url) => typeof url === "string")
  );
}
