import type { BoundAgent } from "../agents/bound-agent.js";
import type { Mask } from "../tools/value-mask.js";
import type { ToolAgents } from "./tool-agents.js";

/** What is masked in what is shown of a run, by the name of its agent; `app`: of a run whose agent is gone. */
export function masksByAgent(
  byName: ReadonlyMap<string, BoundAgent>,
  toolAgents: ToolAgents,
  app: Mask | undefined,
): (name: string) => Mask | undefined {
  return (name) => {
    const agent = byName.get(name) ?? toolAgents.of(name);
    return agent === undefined ? app : agent.mask;
  };
}
