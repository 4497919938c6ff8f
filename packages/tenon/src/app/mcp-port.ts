import type { Container } from "../container/container.js";
import { linkOf } from "../mcp/client/mcp-server-client.js";
import type { ServerLink } from "../mcp/client/server-link.js";
import type { McpServerClass } from "../mcp/client/server-options.js";
import type { RemoteServer } from "../tools/remote-tool.js";
import { chain, type Maybe } from "../util/class.js";

/** A server as the tools of an app see it: what a provider puts in its place is never connected, and has every tool. */
export class McpPort implements RemoteServer {
  readonly name: string;
  readonly #server: McpServerClass;
  readonly #link: ServerLink;
  readonly #container: Container;
  /** Known once the object was asked for. */
  #real: boolean | undefined;

  constructor(server: McpServerClass, link: ServerLink, container: Container) {
    this.name = link.name;
    this.#server = server;
    this.#link = link;
    this.#container = container;
  }

  look(tools: readonly string[], first: boolean): Maybe<void> {
    return this.#ifReal(() => this.#link.look(tools, first));
  }

  usable(tool: string): Maybe<void> {
    return this.#ifReal(() => this.#link.usable(tool));
  }

  offered(tool: string): boolean {
    return this.#real !== true || this.#link.offered(tool);
  }

  #ifReal(next: () => Maybe<void>): Maybe<void> {
    if (this.#real !== undefined) return this.#real ? next() : undefined;
    return chain(this.#container.get<unknown>(this.#server), (client) => {
      this.#real = linkOf(client) !== undefined;
      return this.#real ? next() : undefined;
    });
  }
}
