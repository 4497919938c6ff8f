import { BadInputError } from "../errors/run-errors.js";
import type { App } from "./app.js";
import type { McpServers } from "./mcp-servers.js";

const servers = new WeakMap<App, McpServers>();

/** Remembers the MCP servers that an app was put together with. */
export function keepServers(app: App, its: McpServers): App {
  servers.set(app, its);
  return app;
}

/** The MCP servers of an app. Throws `BadInputError` for what is no app of this copy of the package. */
export function serversOfApp(app: App): McpServers {
  const its = servers.get(app);
  if (its === undefined)
    throw new BadInputError(
      "This is no app",
      typeof app,
      "Pass what `createApp` of the same copy of `tenon` gave, or a function that gives it.",
    );
  return its;
}
