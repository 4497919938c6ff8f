import type { AgentClass } from "./agent-options.js";
import type { AgentDefinition } from "./define-agent.js";

/** What a workflow may list: a class decorated with `@Agent`, or a value of `defineAgent`. */
export type AgentEntry = AgentClass | AgentDefinition;
