import type { AgentEntry } from "../agents/agent-entry.js";
import { agentDeclarationOf, type AgentDeclaration } from "../agents/agent-metadata.js";
import { checkOptions, nameText, shownValue } from "../config/options.js";
import type { Root } from "../container/check-graph.js";
import { serverDeclarationOf } from "../mcp/client/server-options.js";
import type { Class } from "../util/class.js";
import { agentRules } from "./agent-rules.js";
import type { Violations } from "./violations.js";
import { workflowDeclarationOf, type WorkflowDeclaration, type WorkflowOptions } from "./workflow.js";

/** An agent of a workflow, with its place for messages. */
export interface DeclaredAgent {
  readonly at: string;
  readonly cls: AgentEntry;
  readonly declared: AgentDeclaration;
}

/** The workflow, or the workflow of one agent that an agent alone is. */
export function readTarget(target: unknown, violations: Violations): WorkflowDeclaration {
  const declaration = workflowDeclarationOf(target);
  if (declaration !== undefined) return declaration;
  const agent = agentDeclarationOf(target);
  if (agent !== undefined)
    return { options: { name: agent.options.name, agents: [target as never] }, declaredIn: agent.declaredIn };
  const name = typeof target === "function" ? target.name || "an anonymous class" : shownValue(target);
  violations.addAll("createApp", [
    `${name} is neither a workflow nor an agent; decorate a class with @Workflow or @Agent, or use defineWorkflow or defineAgent`,
  ]);
  throw violations.error();
}

/** The agents of a workflow; what is wrong with one is a violation. */
export function readAgents(workflow: WorkflowOptions, violations: Violations): readonly DeclaredAgent[] {
  const agents: DeclaredAgent[] = [];
  const names = new Map<string, number>();
  for (const [i, cls] of asList(workflow.agents).entries()) {
    const declared = agentDeclarationOf(cls);
    if (declared === undefined) {
      const what =
        cls === undefined
          ? "is undefined (an import cycle, or a name that its module does not export)"
          : `is no agent: ${typeof cls === "function" ? cls.name || "an anonymous class" : shownValue(cls)}; decorate it with @Agent, or use defineAgent`;
      violations.addAll(`workflow ${nameText(workflow.name)}`, [`agents[${i}] ${what}`]);
      continue;
    }
    const at = `agent ${nameText(declared.options.name)}`;
    violations.addAll(at, checkOptions(declared.options, agentRules));
    const first = names.get(declared.options.name);
    if (first !== undefined) violations.addAll(at, [`agents[${first}] and agents[${i}] of the workflow have one name`]);
    else names.set(declared.options.name, i);
    agents.push({ at, cls, declared });
  }
  return agents;
}

/** The servers that the workflow lists by itself. */
export function serverRoots(workflow: WorkflowOptions, violations: Violations): readonly Root[] {
  return asList<unknown>(workflow.mcp).flatMap((server, i) => {
    const at = `workflow ${nameText(workflow.name)}`;
    if (serverDeclarationOf(server) !== undefined) return [{ name: at, deps: [server as Class] }];
    violations.addAll(at, [`mcp[${i}] is no server; list classes that are decorated with @McpServer`]);
    return [];
  });
}

function asList<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}
