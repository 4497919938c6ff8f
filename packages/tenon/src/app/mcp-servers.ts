import type { Env } from "../config/env-names.js";
import { shownValue } from "../config/options.js";
import type { Container } from "../container/container.js";
import { thrownFault, type Fault } from "../errors/fault.js";
import { formOfOutput, inForm } from "../mcp/client/answer-forms.js";
import { attachLink, McpServerClient } from "../mcp/client/mcp-server-client.js";
import { mcpToolOf, type McpToolEntry } from "../mcp/client/mcp-tool-entry.js";
import { pinFault } from "../mcp/client/mcp-tools.js";
import { missingVariables, serverFaults } from "../mcp/client/server-faults.js";
import { ServerLink } from "../mcp/client/server-link.js";
import { serverDeclarationOf, type McpServerClass, type McpServerDeclaration } from "../mcp/client/server-options.js";
import { pinsOf, type ServerPins } from "../mcp/client/server-pins.js";
import { serverSpecOf } from "../mcp/client/server-spec-of.js";
import type { ServerSpec } from "../mcp/connection/server-spec.js";
import type { BoundTool } from "../tools/bound-tool.js";
import type { ToolDefinition } from "../tools/define-tool.js";
import { readTool } from "../tools/read-tool.js";
import { chain, type Class } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import { McpPort } from "./mcp-port.js";
import type { Violations } from "./violations.js";

/** One server of an app, and how it is reached. */
export interface AppServer {
  readonly declaration: McpServerDeclaration;
  readonly spec: ServerSpec;
}

/** The MCP servers of an app: one link to each, connected when something is first asked of it. */
export class McpServers {
  readonly #env: Env;
  readonly #clock: Clock;
  /** Those that were checked, and their classes. */
  readonly #checked: Map<McpServerDeclaration, Class> = new Map();
  /** Those of them that nothing stands in for. */
  readonly #real: Set<McpServerDeclaration> = new Set();
  readonly #links: Map<McpServerDeclaration, ServerLink> = new Map();
  readonly #pins: Map<McpServerDeclaration, ServerPins> = new Map();
  readonly #pinned: WeakMap<object, ToolDefinition> = new WeakMap();
  readonly #ports: Map<McpServerClass, McpPort> = new Map();

  constructor(env: Env, clock: Clock) {
    this.#env = env;
    this.#clock = clock;
  }

  /** The servers that something depends on, and the tools of servers among `entries`: what is wrong is a violation. Connects to nothing. */
  check(container: Container, entries: readonly unknown[], violations: Violations): void {
    for (const key of container.wanted) if (typeof key === "function") this.#checkServer(container, key, violations);
    const seen = new Set<unknown>();
    for (const entry of entries) {
      const place = mcpToolOf(entry);
      if (place === undefined || seen.has(entry)) continue;
      seen.add(entry);
      const fault = this.#toolFault(container, place);
      if (fault !== undefined) violations.addAll(`tool ${readTool(entry)?.options.name ?? place.tool}`, [fault]);
    }
  }

  /** A tool of `mcpTools` as the app's pins have it; any other entry as it is. */
  asPinned(entry: unknown): unknown {
    const place = mcpToolOf(entry);
    if (place?.pinned === undefined) return entry;
    const found = this.#pinned.get(entry as object);
    if (found !== undefined) return found;
    let made: ToolDefinition;
    try {
      made = place.pinned(this.#pinsOf(serverDeclarationOf(place.server)!).tools[place.tool]);
    } catch {
      // What is wrong with the file is told by `check`, unless something stands in for the server.
      return place.pinned(undefined);
    }
    this.#pinned.set(entry as object, made);
    return made;
  }

  /** A tool that lives on a server: it is there as long as the server has it, and answered in the form of its output. */
  bind(entry: unknown, { server, tool }: McpToolEntry, bound: BoundTool, container: Container): BoundTool {
    const declaration = serverDeclarationOf(server)!;
    const form = formOfOutput(readTool(entry)!.options.output);
    const adapt = inForm({ server: declaration.options.name, tool, form });
    return {
      ...bound,
      remote: { server: this.#port(server, declaration, container), tool },
      open: (instances) => chain(bound.open(instances), adapt),
    };
  }

  /** Hears of every object that the container makes. */
  readonly connect = (made: unknown): void => {
    if (typeof made !== "object" || made === null) return;
    const declaration = serverDeclarationOf(made.constructor);
    if (declaration !== undefined) attachLink(made, this.#linkOf(declaration));
  };

  /** Every server that nothing stands in for, and how it is reached; in the order in which the app asked for them. */
  all(): readonly AppServer[] {
    return [...this.#real].map((declaration) => ({
      declaration,
      spec: serverSpecOf(declaration.options, this.#env),
    }));
  }

  /** Closes every link. All are attempted; rejects with what the first one threw. */
  async close(): Promise<void> {
    const closed = await Promise.allSettled([...this.#links.values()].map((link) => link.close()));
    for (const each of closed) if (each.status === "rejected") throw each.reason;
  }

  #checkServer(container: Container, cls: Class, violations: Violations): void {
    const declaration = serverDeclarationOf(cls);
    if (declaration === undefined) {
      if (cls === McpServerClient || cls.prototype instanceof McpServerClient)
        violations.addAll(cls.name, [
          "it is no server: extend McpServerClient, and decorate the class with @McpServer",
        ]);
      return;
    }
    if (this.#checked.has(declaration)) return;
    this.#checked.set(declaration, cls);
    const { options } = declaration;
    const faults: (string | Fault)[] = serverFaults(options);
    if (!standsIn(container, cls)) {
      this.#real.add(declaration);
      if (faults.length === 0) faults.push(...this.#setupFaults(cls, declaration));
    }
    violations.addAll(`server ${typeof options?.name === "string" ? options.name : cls.name}`, faults);
  }

  #setupFaults(cls: Class, declaration: McpServerDeclaration): (string | Fault)[] {
    const faults: (string | Fault)[] = missingVariables(declaration.options, this.#env);
    for (const [other, otherClass] of this.#checked)
      if (other !== declaration && other.options?.name === declaration.options.name)
        faults.push(`the classes ${otherClass.name} and ${cls.name} are servers of one name; give one another name`);
    try {
      this.#pinsOf(declaration);
    } catch (thrown) {
      faults.push(thrownFault(thrown));
    }
    return faults;
  }

  /** What is wrong with a tool of a server, beside its own options. */
  #toolFault(container: Container, { server, tool, form }: McpToolEntry): string | undefined {
    const declaration = serverDeclarationOf(server);
    if (declaration === undefined)
      return `server must be a class decorated with @McpServer, not ${typeof server === "function" ? (server as Class).name : shownValue(server)}`;
    const { name, tools } = declaration.options ?? {};
    if (!Array.isArray(tools)) return undefined;
    if (!tools.includes(tool))
      return `tool: the server ${name} is not declared with ${shownValue(tool)}; add it to \`tools\` of @McpServer`;
    return form === "mcpTools" && !standsIn(container, server)
      ? pinFault(declaration, tool, () => this.#pinsOf(declaration))
      : undefined;
  }

  /** The pins of a server as they were when the app first looked: at its assembly, or with the first request that brings the server. */
  #pinsOf(declaration: McpServerDeclaration): ServerPins {
    let pins = this.#pins.get(declaration);
    if (pins === undefined) this.#pins.set(declaration, (pins = pinsOf(declaration)));
    return pins;
  }

  #port(server: McpServerClass, declaration: McpServerDeclaration, container: Container): McpPort {
    let port = this.#ports.get(server);
    if (port === undefined) this.#ports.set(server, (port = new McpPort(server, this.#linkOf(declaration), container)));
    return port;
  }

  #linkOf(declaration: McpServerDeclaration): ServerLink {
    let link = this.#links.get(declaration);
    if (link === undefined) {
      const spec = serverSpecOf(declaration.options, this.#env);
      this.#links.set(declaration, (link = new ServerLink(declaration, this.#pinsOf(declaration), spec, this.#clock)));
    }
    return link;
  }
}

/** Whether a value that somebody made is provided in the place of a server. */
function standsIn(container: Container, server: Class): boolean {
  const slot = container.slot(server);
  return slot !== undefined && slot.make === undefined;
}
