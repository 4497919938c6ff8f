import { nameText, shownValue } from "../config/options.js";
import type { Root } from "../container/check-graph.js";
import type { Container } from "../container/container.js";
import { depsOf } from "../container/inject.js";
import type { Dep } from "../container/keys.js";
import type { RunScope } from "../container/run-scope.js";
import { AssemblyError } from "../errors/assembly-errors.js";
import { bindHooks, bindTool, checkTool, compileFaults, type ToolHost } from "../tools/bind-tool.js";
import { mcpToolOf } from "../mcp/client/mcp-tool-entry.js";
import { SERVER_TOOL_MS } from "../mcp/client/server-options.js";
import type { BoundTool } from "../tools/bound-tool.js";
import type { CallHook } from "../tools/call-hook.js";
import type { IToolOptions } from "../tools/itool-metadata.js";
import { loadTools } from "../tools/load-schemas.js";
import { readTool } from "../tools/read-tool.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import { foldedName, Toolset } from "../tools/toolset.js";
import { callHooks, type HookEntry } from "../tools/value-mask.js";
import { chain, isClass, isPromise, type Class, type Maybe } from "../util/class.js";
import type { McpServers } from "./mcp-servers.js";
import { sameNames, type NamedEntry } from "./same-names.js";
import { Violations } from "./violations.js";

/** The scope of a run, opened when something of it is first asked for. */
export interface RunInstances {
  scope(): RunScope;
}

/** Makes tools ready once each, with what the container gives them. */
export class ToolBinder implements ToolHost {
  readonly timeoutMs: number | undefined;
  /** What the tools depend on, for the check of the whole app. */
  readonly roots: Root[] = [];
  /** What their hooks depend on. */
  readonly hookRoots: Root[] = [];
  readonly #bound: WeakMap<object, BoundTool> = new WeakMap();
  readonly #checked: WeakSet<object> = new WeakSet();
  #container: Container | undefined;

  readonly #servers: McpServers;

  constructor(timeoutMs: number | undefined, servers: McpServers) {
    this.timeoutMs = timeoutMs;
    this.#servers = servers;
  }

  use(container: Container): void {
    this.#container = container;
  }

  /** Looks at a list of tools without making any ready. What they and their hooks depend on is added to the roots. */
  check(
    at: string,
    entries: unknown,
    violations: Violations,
    roots: Root[] = this.roots,
    hookRoots: Root[] = this.hookRoots,
  ): void {
    if (entries === undefined || !Array.isArray(entries)) return;
    const names = new Map<string, NamedEntry>();
    for (const [i, given] of (entries as readonly unknown[]).entries()) {
      const entry = this.#servers.asPinned(given);
      const tool = readTool(entry);
      if (tool === undefined) {
        violations.addAll(at, [`tools[${i}] is ${whatItIs(entry)}`], "unknown_agent_tool");
        continue;
      }
      const { name } = tool.options;
      const folded = foldedName(nameText(name));
      // One whose name could not be read has none that another could have.
      const other = tool.named ? names.get(folded) : undefined;
      if (other !== undefined) violations.addAll(at, [sameNames(other, { name, entry })]);
      if (tool.named) names.set(folded, { name, entry });
      // Several agents may list one tool: its faults are told once.
      const key = given as object;
      if (this.#bound.has(key) || (this.#container === undefined && this.#checked.has(key))) continue;
      this.#checked.add(key);
      const tooled = `tool ${nameText(name)}`;
      const cls = tool.definition === undefined ? (entry as Class) : undefined;
      const faults = checkTool(tool, entry);
      violations.addAll(tooled, faults.length > 0 ? faults : compileFaults(tool.options));
      roots.push({
        name: tooled,
        cls,
        deps: Array.isArray(tool.options.deps) || tool.options.deps === undefined ? tool.options.deps : [],
        single: tool.scope === "singleton",
      });
      const server = mcpToolOf(entry)?.server;
      if (isClass(server)) roots.push({ name: tooled, cls: undefined, deps: [server], single: false });
      for (const hook of Array.isArray(tool.options.hooks) ? (tool.options.hooks as readonly unknown[]) : [])
        if (typeof hook === "function") hookRoots.push({ name: `${tooled}: hook ${hook.name}`, cls: hook as Class });
    }
  }

  /** A checked list, ready to be called. */
  toolset(entries: readonly ToolEntry[]): Toolset {
    return new Toolset(entries.map((entry) => this.bind(entry)));
  }

  /** The tools of an agent and those of one request; throws everything that is wrong with the latter. A promise where their schemas have to be loaded. */
  withTools(agent: string, own: Toolset, extra: readonly ToolEntry[]): Maybe<Toolset> {
    return chain(loadTools(extra), () => this.#withLoaded(agent, own, extra));
  }

  #withLoaded(agent: string, own: Toolset, extra: readonly ToolEntry[]): Toolset {
    const violations = new Violations();
    const roots: Root[] = [];
    const at = `agent ${agent}, tools of this run`;
    this.check(at, extra, violations, roots, roots);
    for (const violation of this.#container!.check(roots)) violations.add(violation);
    this.#servers.check(this.#container!, extra, violations);
    const taken = new Map(own.tools.map((tool) => [foldedName(tool.name), tool.name]));
    for (const entry of extra) {
      const name = readTool(entry)?.options.name;
      const clash = name === undefined ? undefined : taken.get(foldedName(nameText(name)));
      if (clash !== undefined) violations.addAll(at, [`${name} has the name of the agent's own tool ${clash}`]);
    }
    violations.assertNone();
    return new Toolset([...own.tools, ...this.toolset(extra).tools]);
  }

  bind(given: ToolEntry): BoundTool {
    let tool = this.#bound.get(given);
    if (tool !== undefined) return tool;
    const entry = this.#servers.asPinned(given) as ToolEntry;
    const place = mcpToolOf(entry);
    tool =
      place === undefined
        ? bindTool(entry, this)
        : this.#servers.bind(entry, place, bindTool(entry, this, SERVER_TOOL_MS), this.#container!);
    this.#bound.set(given, tool);
    return tool;
  }

  /** The tool that an entry was made ready as; `undefined` where it was not. */
  readonly known = (entry: ToolEntry): BoundTool | undefined => this.#bound.get(entry);

  /** One tool, checked by itself; throws everything that is wrong with it. */
  bindChecked(entry: ToolEntry): Maybe<BoundTool> {
    return (
      this.#bound.get(entry) ?? chain(this.withTools("app.tool", new Toolset([]), [entry]), ({ tools }) => tools[0]!)
    );
  }

  /** Those of a list that watch or gate calls, ready to be asked. */
  hooks(hooks: readonly HookEntry[] | undefined): readonly CallHook[] {
    return bindHooks(callHooks(hooks), this);
  }

  instance(
    target: abstract new (...args: any[]) => unknown,
    explicit: readonly Dep[] | undefined,
    lifetime?: IToolOptions["scope"],
  ): (scope: unknown) => Maybe<unknown> {
    const { deps, faults } = depsOf(target, explicit);
    if (faults.length > 0)
      throw new AssemblyError(faults.map((message) => ({ at: target.name, message, code: "assembly_error" })));
    return this.#once(deps, (scope) => scope.instantiate(target, deps), lifetime);
  }

  deps(
    target: (abstract new (...args: any[]) => unknown) | undefined,
    explicit: readonly Dep[] | undefined,
  ): readonly Dep[] {
    return target === undefined ? (explicit ?? []) : depsOf(target, explicit).deps;
  }

  values(deps: readonly Dep[]): (scope: unknown) => Maybe<readonly unknown[]> {
    return this.#once(deps, (scope) => scope.values(deps, "defineTool"));
  }

  /** Makes what needs `deps` once for the app, or once for each run where one of them is of a run. What failed is tried again. */
  #once<T>(
    deps: readonly Dep[],
    make: (scope: Container | RunScope) => Maybe<T>,
    lifetime?: IToolOptions["scope"],
  ): (instances: unknown) => Maybe<T> {
    const container = this.#container!;
    if (lifetime !== "run" && container.lifetime(deps) === "singleton") {
      let made: Maybe<T> | undefined;
      return () =>
        (made ??= settled(make(container), (value) => {
          made = value;
        }));
    }
    const perRun: WeakMap<RunScope, Maybe<T>> = new WeakMap();
    return (instances) => {
      const scope = (instances as RunInstances).scope();
      let made = perRun.get(scope);
      if (made === undefined) {
        made = settled(
          make(scope),
          (value) => void (value === undefined ? perRun.delete(scope) : perRun.set(scope, value)),
        );
        perRun.set(scope, made);
      }
      return made;
    };
  }
}

/** An entry of a list of tools that is none. */
function whatItIs(entry: unknown): string {
  if (entry === undefined) return "undefined: an import cycle, or a name that its module does not export";
  const made: unknown = typeof entry === "object" && entry !== null ? entry.constructor : undefined;
  if (isClass(made) && readTool(made) !== undefined)
    return `an object of the class ${made.name}; pass the class, and what its constructor takes in \`providers\``;
  const shown = typeof entry === "function" ? entry.name || "an anonymous class" : shownValue(entry);
  return `no tool: ${shown}; decorate it with @Tool or @decorator.tool(), or use defineTool`;
}

/** The same; `then` hears of a promise's value, and of `undefined` where there is none. */
function settled<T>(made: Maybe<T>, then: (value: T | undefined) => void): Maybe<T> {
  if (isPromise(made)) made.then(then, () => then(undefined));
  return made;
}
