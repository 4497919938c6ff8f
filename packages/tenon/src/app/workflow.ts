import type { AgentEntry } from "../agents/agent-entry.js";
import type { Limits } from "../config/limits.js";
import type { ModelCallOptions } from "../llm/call-limits.js";
import type { McpServerClass } from "../mcp/client/server-options.js";
import type { Providers } from "../container/provider.js";
import { callerFile } from "../util/caller-file.js";
import type { Class } from "../util/class.js";
import type { HookEntry } from "../tools/value-mask.js";

/** What a workflow groups: agents, what they need, and what they may use. */
export interface WorkflowOptions<P extends readonly unknown[] = readonly unknown[], L = unknown> {
  /** Matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`. */
  readonly name: string;
  /** Your own version, shown by `describe`. */
  readonly version?: string | undefined;
  /** The first one answers where a run names none. */
  readonly agents: readonly AgentEntry[];
  /** What tools and hooks depend on. A class without constructor parameters needs no entry. */
  readonly providers?: Providers<P, L> | undefined;
  /** MCP servers that the app uses, listed for whoever reads it: those of its tools are found without it. */
  readonly mcp?: readonly McpServerClass[] | undefined;
  readonly defaults?: WorkflowDefaults | undefined;
  readonly limits?: Limits | undefined;
  /** Asked and told before the agents' own. */
  readonly hooks?: readonly HookEntry[] | undefined;
}

export interface WorkflowDefaults {
  readonly tools?:
    | {
        /** Tool calls of one agent in one run; default 20. */
        readonly maxToolCalls?: number | undefined;
        /** Milliseconds a call may take; default 60,000. */
        readonly timeoutMs?: number | undefined;
      }
    | undefined;
  /** The bounds of each model call of agents that set none. */
  readonly modelCall?: ModelCallOptions | undefined;
}

/** Where `@Workflow` keeps its options on the class; shared by all copies of the package. */
export const WORKFLOW: unique symbol = Symbol.for("tenon.workflow") as never;

export interface WorkflowDeclaration {
  readonly options: WorkflowOptions;
  /** The file it stands in, as a URL, where the stack told. */
  readonly declaredIn: string | undefined;
}

/** Makes a class a workflow. Bad options are found when an app is assembled, all at once. */
export function Workflow<P extends readonly unknown[] | [] = [], L = unknown>(
  options: WorkflowOptions<P, L>,
): <C extends Class<object>>(target: C, context?: ClassDecoratorContext<C>) => void {
  const declaredIn = callerFile(Workflow);
  return (target) => {
    Object.defineProperty(target, WORKFLOW, { value: { options, declaredIn }, configurable: true });
  };
}

/** What `@Workflow` said of a class, or what a value of `defineWorkflow` says. */
export function workflowDeclarationOf(target: unknown): WorkflowDeclaration | undefined {
  if ((typeof target !== "function" && typeof target !== "object") || target === null) return undefined;
  if (!Object.hasOwn(target, WORKFLOW)) return undefined;
  return (target as unknown as { readonly [WORKFLOW]: WorkflowDeclaration })[WORKFLOW];
}
