import type { AgentEntry } from "../agents/agent-entry.js";
import type { BoundAgent } from "../agents/bound-agent.js";
import type { Env } from "../config/env-names.js";
import { checkLimits, type Limits } from "../config/limits.js";
import { HISTORY_TURNS } from "../config/defaults.js";
import { checkOptions, nameText } from "../config/options.js";
import type { Container } from "../container/container.js";
import type { Root } from "../container/check-graph.js";
import { thrownFault } from "../errors/fault.js";
import { PriceBook } from "../finops/price-book.js";
import { callLimitsOf } from "../llm/call-limits.js";
import { settingsOf } from "../llm/call-settings.js";
import type { LanguageModel } from "../llm/model.js";
import { catalogFault } from "../llm/model-catalog.js";
import type { CallHook } from "../tools/call-hook.js";
import { loadTools } from "../tools/load-schemas.js";
import type { Clock } from "../util/clock.js";
import { maskOfHooks, type HookEntry, type Mask } from "../tools/value-mask.js";
import { appContainer } from "./app-container.js";
import { agentBudget, agentCalls, isBooked, strictFaults } from "./agent-budget-of.js";
import { appRules, workflowRules } from "./app-rules.js";
import type { AppOptions } from "./app-options.js";
import { masksByAgent } from "./masks-by-agent.js";
import { McpServers } from "./mcp-servers.js";
import { ModelSource } from "./model-source.js";
import { readPrompt } from "./prompt-files.js";
import { readAgents, readTarget, serverRoots, type DeclaredAgent } from "./read-workflow.js";
import { storeFaults } from "./standard-store.js";
import { ToolAgents } from "./tool-agents.js";
import { ToolBinder } from "./tool-binder.js";
import { Violations } from "./violations.js";
import type { WorkflowOptions } from "./workflow.js";

/** An app that is put together and runs nothing yet. */
export interface Assembly {
  readonly name: string;
  readonly version: string | undefined;
  /** The file of the workflow, as a URL, where the stack told. */
  readonly declaredIn: string | undefined;
  readonly agents: readonly BoundAgent[];
  readonly agentOf: ReadonlyMap<unknown, BoundAgent>;
  /** That of a run, by the name that is stored with it; `undefined` for one that is no longer there. */
  readonly agentNamed: (name: string) => BoundAgent | undefined;
  /** What stands in an agent's place in a run of one call. */
  readonly toolAgents: ToolAgents;
  /** The app's and the workflow's hooks. */
  readonly appHooks: readonly CallHook[];
  /** What is masked in what is shown of an agent's runs, by its name; the app's own where there is none. Undefined where nothing is. */
  readonly maskOf: (agent: string) => Mask | undefined;
  readonly container: Container;
  readonly tools: ToolBinder;
  readonly servers: McpServers;
  readonly models: ModelSource;
  readonly env: Env;
  readonly prices: PriceBook;
  readonly limits: Limits | undefined;
  /** Whether what calls use is reserved and booked. */
  readonly books: boolean;
}

/** Gives an agent its model in place of the one that it names: how tests put in a scripted one. */
export type ModelFor = (agent: AgentEntry) => LanguageModel;

/** Puts an app together, or throws everything that is wrong with it at once. Runs no constructor, no factory and no model. */
export async function assemble(
  target: unknown,
  options: AppOptions,
  clock: Clock,
  modelFor?: ModelFor,
): Promise<Assembly> {
  const violations = new Violations();
  try {
    return await assembleChecked(target, options, clock, modelFor, violations);
  } catch (thrown) {
    // What cannot be read is a violation by then, and may throw when it is used.
    violations.assertNone();
    throw thrown;
  }
}

async function assembleChecked(
  target: unknown,
  options: AppOptions,
  clock: Clock,
  modelFor: ModelFor | undefined,
  violations: Violations,
): Promise<Assembly> {
  const declaration = readTarget(target, violations);
  violations.addAll("createApp", checkOptions(options, appRules));
  const { options: workflow } = declaration;
  violations.addAll(`workflow ${nameText(workflow.name)}`, [
    ...checkOptions(workflow, workflowRules),
    ...checkLimits(workflow.limits),
  ]);
  const agents = readAgents(workflow, violations);
  for (const { at, declared } of agents) violations.addAll(at, strictFaults(workflow.limits, declared.options));
  await loadTools(agents.flatMap(({ declared }) => asList(declared.options.tools)));

  const env = options.env ?? processEnv();
  const hookRoots = [
    ...hookClasses("createApp", options.hooks),
    ...hookClasses(`workflow ${workflow.name}`, workflow.hooks),
    ...agents.flatMap(({ at, declared }) => hookClasses(at, declared.options.hooks)),
  ];
  const servers = new McpServers(env, clock);
  const binder = new ToolBinder(workflow.defaults?.tools?.timeoutMs, servers);
  for (const { at, declared } of agents) binder.check(at, declared.options.tools, violations);
  const allHooks = [...binder.hookRoots, ...hookRoots];
  const roots = [...binder.roots, ...serverRoots(workflow, violations)];
  const parts = { options, workflow, env, roots, hooks: allHooks, onMade: servers.connect };
  const container = appContainer(parts, violations);
  const listed = agents.flatMap(({ declared }) => asList<unknown>(declared.options.tools));
  servers.check(container, listed, violations);

  if (options.store === undefined) violations.addAll("environment", storeFaults(env));
  const prices = new PriceBook(options.prices);
  const models = new ModelSource(options.models, prices, env);
  const faulty = catalogFault(options.models) !== undefined;
  const asked = await askAgents(agents, faulty ? undefined : models, modelFor, violations);
  violations.assertNone();

  binder.use(container);
  const appHooks = [...binder.hooks(options.hooks), ...binder.hooks(workflow.hooks)];
  const bound = agents.map(({ cls, declared: { options: agent } }): readonly [unknown, BoundAgent] => [
    cls,
    {
      name: agent.name,
      description: agent.description,
      system: asked.get(cls)?.system,
      model: asked.get(cls)?.model,
      settings: settingsOf(agent),
      modelCall: callLimitsOf(agent.modelCall, workflow.defaults?.modelCall),
      tools: binder.toolset(agent.tools ?? []),
      ...agentCalls(agent, workflow.defaults?.tools?.maxToolCalls),
      budget: agentBudget(workflow.limits, agent),
      historyTurns: agent.history?.turns ?? HISTORY_TURNS,
      hooks: [...appHooks, ...binder.hooks(agent.hooks)],
      mask: maskOfHooks(options.hooks, workflow.hooks, agent.hooks),
    },
  ]);
  for (const [, { model, tools, settings }] of bound) model?.prepare?.(tools.declarations, settings);
  return {
    name: workflow.name,
    version: workflow.version,
    declaredIn: declaration.declaredIn,
    agents: bound.map(([, agent]) => agent),
    agentOf: new Map(bound),
    ...agentsByName(options, workflow, agents, new Map(bound.map(([, agent]) => [agent.name, agent])), binder),
    appHooks,
    container,
    tools: binder,
    servers,
    models,
    env,
    prices,
    limits: workflow.limits,
    books: options.ledger === true || bound.some(([, { budget }]) => isBooked(budget)),
  };
}

/** The prompt and the model of each agent; what is wrong with one is a violation. */
async function askAgents(
  agents: readonly DeclaredAgent[],
  models: ModelSource | undefined,
  modelFor: ModelFor | undefined,
  violations: Violations,
): Promise<ReadonlyMap<unknown, Pick<BoundAgent, "system" | "model">>> {
  const asked = new Map<unknown, Pick<BoundAgent, "system" | "model">>();
  for (const { at, cls, declared } of agents) {
    const { system, faults } = await readPrompt(declared);
    violations.addAll(at, faults);
    try {
      const model = await models?.ofAgent(modelFor?.(cls) ?? declared.options.model);
      asked.set(cls, { system, model });
      if (declared.options.thinking !== undefined && model?.noThinking !== undefined)
        violations.addAll(at, [`thinking: ${model.noThinking}`]);
    } catch (thrown) {
      violations.addAll(at, [thrownFault(thrown, "model: ")]);
    }
  }
  return asked;
}

/** What runs have for an agent, by the name that is stored with them. */
function agentsByName(
  options: AppOptions,
  workflow: WorkflowOptions,
  agents: readonly DeclaredAgent[],
  byName: ReadonlyMap<string, BoundAgent>,
  binder: ToolBinder,
): Pick<Assembly, "agentNamed" | "toolAgents" | "maskOf"> {
  const toolAgents = new ToolAgents({
    agents: agents.map(({ declared }) => ({
      options: declared.options,
      tools: byName.get(declared.options.name)!.tools,
    })),
    hooks: [...(options.hooks ?? []), ...(workflow.hooks ?? [])],
    binder,
    limits: workflow.limits,
  });
  return {
    agentNamed: (name) => byName.get(name) ?? toolAgents.of(name),
    toolAgents,
    maskOf: masksByAgent(byName, toolAgents, maskOfHooks(options.hooks, workflow.hooks)),
  };
}

function hookClasses(at: string, hooks: readonly HookEntry[] | undefined): readonly Root[] {
  return asList(hooks)
    .filter((hook) => typeof hook === "function")
    .map((hook) => ({ name: `${at}: hook ${hook.name}`, cls: hook }));
}

function asList<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}

/** The one place that reads the process's environment: what `env` stands in for. */
function processEnv(): Env {
  // oxlint-disable-next-line node/no-process-env -- the default of the option `env`
  return process.env;
}
