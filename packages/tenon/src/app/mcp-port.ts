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

  look(tools: readonly string[], first: boolean, context: unknown): Maybe<readonly string[]> {
    return this.#ifReal<readonly string[]>(() => this.#link.look(tools, first, context), none);
  }

  usable(tool: string, context: unknown): Maybe<void> {
    return this.#ifReal<void>(() => this.#link.usable(tool, context), undefined);
  }

  #ifReal<T>(next: () => Maybe<T>, otherwise: T): Maybe<T> {
    if (this.#real !== undefined) return this.#real ? next() : otherwise;
    return chain(this.#container.get<unknown>(this.#server), (client) => {
      this.#real = linkOf(client) !== undefined;
      return this.#real ? next() : otherwise;
    });
  }
}

const none: readonly string[] = [];
