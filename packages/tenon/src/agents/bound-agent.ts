import type { AgentBudget } from "../finops/agent-budget.js";
import type { ModelCallLimits } from "../llm/call-limits.js";
import type { Model } from "../llm/model.js";
import type { ModelSettings } from "../llm/model-settings.js";
import type { CallHook } from "../tools/call-hook.js";
import type { Toolset } from "../tools/toolset.js";
import type { Mask } from "../tools/value-mask.js";

/** An agent that is ready to run. Made once, at assembly; nothing of it changes at run time. */
export interface BoundAgent {
  readonly name: string;
  readonly description: string;
  /** The system prompt; `undefined` without one. */
  readonly system: string | undefined;
  /** Undefined where only a run's own model can serve it. */
  readonly model: Model | undefined;
  /** What it says of every call of its model; undefined where it says nothing. */
  readonly settings: ModelSettings | undefined;
  readonly modelCall: ModelCallLimits;
  readonly tools: Toolset;
  readonly maxToolCalls: number;
  readonly maxModelCalls: number;
  /** Undefined where nothing is limited but its calls. */
  readonly budget: AgentBudget | undefined;
  /** How many finished runs the model is shown. */
  readonly historyTurns: number;
  /** The app's hooks, then the agent's own. */
  readonly hooks: readonly CallHook[];
  /** What is masked in everything that is shown of its runs: the app's masks, then the agent's own. Undefined where nothing is. */
  readonly mask: Mask | undefined;
}
