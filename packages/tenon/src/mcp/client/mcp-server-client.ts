import { BadInputError } from "../../errors/run-errors.js";
import type { ToolContext } from "../../tools/tool-context.js";

/** Where an app keeps its way to the server on the object; shared by all copies of the package. */
const LINK: unique symbol = Symbol.for("tenon.mcp.link") as never;

/**
 * What tools call an MCP server with. A class that extends it and is decorated with `@McpServer` is one server; tools take it as
 * a dependency: `constructor(private readonly files: Files) {}`. The app makes the one object of it, and connects at the first
 * call; one made with `new` reaches nothing. A test passes a plain object with a `call` of its own.
 */
export class McpServerClient {
  /**
   * Calls a tool that `@McpServer` lists. Arguments that are absent are `{}`. `ctx` is what `run` got: a stop or a timeout of the
   * call is told to the server, its progress is told as the call's, and its headers are of this caller.
   *
   * Gives what the server answered. In a tool of `@McpTool`: in the form of its `output` (`{ text }` for `PlainText`). Elsewhere:
   * its structured content, else `{ text }` where all of it is text, else `{ content }`: a list of texts, of `media`, and of
   * one-line notes.
   *
   * Rejects with `ToolError` where the server says that the tool failed, and with `McpConnectionError` where there is no answer; that
   * a write may have happened all the same is `unknown_outcome` of the call that it is made for.
   */
  call<T = any>(tool: string, input: object | undefined, ctx: CallScope): Promise<T> {
    const link = linkOf(this);
    return link === undefined ? Promise.reject(noApp(this)) : (link.call(tool, input, ctx) as Promise<T>);
  }
}

/** What a call needs to know of the call that it is made for. */
export type CallScope = Pick<ToolContext<any>, "signal"> &
  Partial<Pick<ToolContext<any>, "executionContext" | "progress">>;

/** The way of a client to its server. */
export interface ClientLink {
  /** Its app was closed: it leads nowhere any more. */
  readonly closed: boolean;
  call(tool: string, input: object | undefined, ctx: CallScope): Promise<unknown>;
}

/**
 * Connects an object with its server. Throws `BadInputError` for an object that another open app has, whose calls would go out with
 * the credentials of this one, and for one that takes no property.
 */
export function attachLink(client: object, link: ClientLink): void {
  const before = linkOf(client);
  if (before !== undefined && before !== link && !before.closed)
    throw new BadInputError(
      "This object of an MCP server belongs to another app",
      client.constructor.name,
      "Let the provider make one for each app, or leave it to the app.",
    );
  if (!Reflect.defineProperty(client, LINK, { value: link, configurable: true }))
    throw new BadInputError(
      "This object of an MCP server cannot be connected, it is frozen",
      client.constructor.name,
      "Leave it open, or leave it to the app to make it.",
    );
}

/** The way of an object to its server; `undefined` for one that stands in for it. */
export function linkOf(client: unknown): ClientLink | undefined {
  return typeof client === "object" && client !== null ? (client as { readonly [LINK]?: ClientLink })[LINK] : undefined;
}

function noApp(client: object): BadInputError {
  const { name } = client.constructor;
  return new BadInputError(
    "This object of an MCP server belongs to no app",
    name,
    `Take it as a dependency, \`deps: [${name}]\`; in a test of a tool alone, pass an object with a \`call\` of your own.`,
  );
}
