import { toUsd } from "../config/units.js";
import { isOptional, keyName, keyOf } from "../container/keys.js";
import type { AgentBudget } from "../finops/agent-budget.js";
import type { ModelCallLimits } from "../llm/call-limits.js";
import { dialects, lowerSchema, type Dialect } from "../llm/dialect.js";
import type { ProviderOptions, Thinking } from "../llm/model-settings.js";
import { withItsFallbacks } from "../llm/with-fallbacks.js";
import type { JsonObject } from "../protocol/json.js";
import type { Store } from "../journal/store.js";
import type { BoundTool } from "../tools/bound-tool.js";
import type { Assembly } from "./assembly.js";

export interface ToolDescription {
  readonly name: string;
  readonly access: "read" | "write";
  /** Where it runs. */
  readonly origin: "local" | "mcp";
  /** The name of the MCP server that it lives on. */
  readonly server: string | undefined;
  /** Whether each call waits for a person. */
  /** Whether a person is asked before each call; `by-input`: the tool says for which. */
  readonly approval: boolean | "by-input";
  readonly inDoubt: "rerun" | "ask";
  readonly durable: boolean;
  /** Whose words its results are. */
  readonly source: "trusted" | "untrusted";
  readonly timeoutMs: number;
  /** The names of what it depends on. */
  readonly deps: readonly string[];
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** How each family of providers is told of it. */
  readonly dialects: Readonly<Record<Dialect, DialectDescription>>;
}

/** A tool's schema on its way to a family of providers. */
export interface DialectDescription {
  /** The provider holds the model to the schema. */
  readonly strict: boolean;
  /** Why not, where it could. */
  readonly whyNotStrict: string | undefined;
  /** What is not sent: `jobs[].url: pattern`. Arguments are checked against all of it. */
  readonly lost: readonly string[];
}

export interface AgentDescription {
  readonly name: string;
  readonly description: string;
  readonly model: string;
  /** Which models are asked in its place, in order. */
  readonly fallbacks: readonly string[];
  /** Those of its models that count as free because they are served on this machine and nobody says what they cost. */
  readonly freeHere: readonly string[];
  /** The bounds of each model call; undefined is no deadline. */
  readonly modelCall: ModelCallLimits;
  /** What it says of how much the model thinks; `default` is what the provider does. */
  readonly thinking: "default" | Thinking;
  /** The most tokens of one answer; undefined is the provider's limit. */
  readonly maxOutputTokens: number | undefined;
  readonly providerOptions: ProviderOptions | undefined;
  readonly history: { readonly turns: number };
  readonly maxToolCalls: number;
  readonly maxModelCalls: number;
  readonly tools: readonly ToolDescription[];
}

/** What an app is able to do, before it ships. Plain data. */
export interface AppDescription {
  readonly workflow: string;
  readonly version: string | undefined;
  /** The workflow's file, as a URL, where it is known. */
  readonly declaredIn: string | undefined;
  readonly store: { readonly kind: string; readonly location: string };
  readonly limits: {
    readonly perRunCostUsd: number | undefined;
    /** All limits of budgets by their names, of agents too; money in US dollars, time in milliseconds. */
    readonly budgets: { readonly [name: string]: number };
    /** What the workflow says of it; undefined is the default: the run fails. */
    readonly atLimit: "stop" | "ask" | undefined;
    /** What the workflow says of it; undefined is `usual`. */
    readonly reserve: "usual" | "strict" | undefined;
    /** What the workflow says of it, in milliseconds; undefined is the default. */
    readonly reserveWaitMs: number | undefined;
  };
  readonly agents: readonly AgentDescription[];
  /** The MCP servers that it connects to; none that something stands in for. */
  readonly mcpServers: readonly McpServerDescription[];
}

/** An MCP server of an app, by name. */
export interface McpServerDescription {
  readonly name: string;
  /** The names of the environment variables that it gets. All of them are set: the app is not put together without. */
  readonly variables: readonly string[];
}

export function describeApp(assembly: Assembly, store: Store): AppDescription {
  const { perRun, atLimit, reserve, reserveWaitMs } = assembly.limits ?? {};
  const cost = perRun?.cost;
  return {
    workflow: assembly.name,
    version: assembly.version,
    declaredIn: assembly.declaredIn,
    store: { kind: store.kind, location: store.location },
    limits: {
      perRunCostUsd: cost === undefined ? undefined : toUsd(cost.nanoUsd),
      budgets: Object.fromEntries(assembly.agents.flatMap(({ budget }) => budgetEntries(budget))),
      atLimit,
      reserve,
      reserveWaitMs,
    },
    agents: assembly.agents.map((agent) => ({
      name: agent.name,
      description: agent.description,
      model: agent.model?.id ?? "",
      fallbacks: agent.model?.fallbacks?.map(({ id }) => id) ?? [],
      freeHere: withItsFallbacks(agent.model)
        .filter(({ billed }) => billed !== undefined)
        .map(({ id }) => id),
      modelCall: { ...agent.modelCall },
      thinking: agent.settings?.thinking ?? "default",
      maxOutputTokens: agent.settings?.maxOutputTokens,
      providerOptions: agent.settings?.providerOptions,
      history: { turns: agent.historyTurns },
      maxToolCalls: agent.maxToolCalls,
      maxModelCalls: Math.min(agent.maxModelCalls, agentModelCalls(agent.budget)),
      tools: agent.tools.tools.map(describeTool),
    })),
    mcpServers: assembly.servers.all().map(({ declaration: { options } }) => ({
      name: options.name,
      variables: [...(options.env ?? [])],
    })),
  };
}

function budgetEntries(budget: AgentBudget | undefined): readonly (readonly [name: string, max: number])[] {
  if (budget === undefined) return [];
  const { limits, toolCalls, callLimits = [], wallTime } = budget;
  return [
    ...[...limits, ...callLimits].map(
      ({ name, measure, max }) => [name, measure === "cost" ? toUsd(max) : max] as const,
    ),
    ...(toolCalls === undefined ? [] : [["limits.perRun.toolCalls", toolCalls] as const]),
    ...(wallTime === undefined ? [] : [[wallTime.name, wallTime.maxMs] as const]),
  ];
}

/** An agent's own limit of model calls, where its budget has one. */
function agentModelCalls(budget: AgentBudget | undefined): number {
  const own = budget?.limits.find(({ scope, measure }) => scope === "agent" && measure === "modelCalls");
  return own === undefined ? Infinity : own.max;
}

function describeTool(tool: BoundTool): ToolDescription {
  const { name, access, approval, inDoubt, durable, untrusted, timeoutMs, description, deps } = tool;
  return {
    name,
    access,
    origin: tool.remote === undefined ? "local" : "mcp",
    server: tool.remote?.server.name,
    approval: typeof approval === "function" ? "by-input" : approval,
    inDoubt,
    durable,
    source: untrusted ? "untrusted" : "trusted",
    timeoutMs,
    deps: deps.map((dep) => keyName(keyOf(dep)) + (isOptional(dep) ? "?" : "")),
    description,
    inputSchema: tool.declaration.inputSchema,
    dialects: Object.fromEntries(
      dialects.map((dialect) => {
        const { strict, whyNotStrict, lost } = lowerSchema(tool.declaration.inputSchema, dialect);
        return [dialect, { strict, whyNotStrict, lost: [...lost] }];
      }),
    ) as unknown as ToolDescription["dialects"],
  };
}
