import type { AgentOptions } from "../agents/agent-options.js";
import type { BoundAgent } from "../agents/bound-agent.js";
import { toolOfRun, toolRunName } from "../agents/tool-run.js";
import type { Limits } from "../config/limits.js";
import { callLimitsOf } from "../llm/call-limits.js";
import type { BoundTool } from "../tools/bound-tool.js";
import { Toolset } from "../tools/toolset.js";
import { maskOfHooks, type HookEntry } from "../tools/value-mask.js";
import { agentBudget } from "./agent-budget-of.js";
import { noModel } from "./no-model.js";
import type { ToolBinder } from "./tool-binder.js";

/** What runs of one call are made ready from. */
export interface ToolAgentsParts {
  /** The agents as they are declared, with their tools. */
  readonly agents: readonly { readonly options: AgentOptions; readonly tools: Toolset }[];
  /** The app's hooks, then the workflow's. */
  readonly hooks: readonly HookEntry[];
  readonly binder: ToolBinder;
  readonly limits: Limits | undefined;
}

/**
 * What stands in an agent's place in a run of one call. A call meets the hooks of the app and of every agent that has the tool,
 * each once: what gates a tool for one of them gates it here. The limits are those of the workflow.
 */
export class ToolAgents {
  readonly #parts: ToolAgentsParts;
  readonly #made: Map<string, BoundAgent> = new Map();
  /** The tools of all agents, each once, by name; of several with one name the first. */
  readonly tools: ReadonlyMap<string, BoundTool>;
  /** Names that two different tools have. */
  readonly clashes: ReadonlySet<string>;

  constructor(parts: ToolAgentsParts) {
    this.#parts = parts;
    const tools = new Map<string, BoundTool>();
    const clashes = new Set<string>();
    for (const tool of parts.agents.flatMap((agent) => agent.tools.tools)) {
      const known = tools.get(tool.name);
      if (known === undefined) tools.set(tool.name, tool);
      else if (known !== tool) clashes.add(tool.name);
    }
    this.tools = tools;
    this.clashes = clashes;
  }

  /** That of a run, by the name that is stored with it; `undefined` for a run of an agent. A tool that is gone is not in it. */
  of(agent: string): BoundAgent | undefined {
    const name = toolOfRun(agent);
    if (name === undefined) return undefined;
    let made = this.#made.get(name);
    if (made !== undefined) return made;
    made = this.#make(name);
    // What others may name is not kept.
    if (this.tools.has(name)) this.#made.set(name, made);
    return made;
  }

  #make(name: string): BoundAgent {
    const { agents, hooks, binder, limits } = this.#parts;
    const tool = this.tools.get(name);
    const having = agents.filter(({ tools }) => tool !== undefined && tools.tools.includes(tool));
    const all = [...new Set([...hooks, ...having.flatMap(({ options }) => options.hooks ?? [])])];
    return {
      name: toolRunName(name),
      description: tool?.description ?? "",
      system: undefined,
      model: noModel,
      settings: undefined,
      modelCall: callLimitsOf(undefined),
      tools: new Toolset(tool === undefined ? [] : [tool]),
      maxToolCalls: Infinity,
      maxModelCalls: Infinity,
      budget: agentBudget(limits, { name: toolRunName(name), description: "" }),
      historyTurns: 0,
      hooks: binder.hooks(all),
      mask: maskOfHooks(all),
    };
  }
}
