import { callerFile } from "../../util/caller-file.js";
import type { McpServerClient } from "./mcp-server-client.js";
import { MCP_SERVER, type McpServerOptions } from "./server-options.js";

/**
 * Declares an MCP server that an app uses: `class Files extends McpServerClient {}`. The class is what tools depend on; the app
 * makes one object of it and one connection, at the first use. Works as a legacy and as a TC39 decorator. Bad options are found
 * when an app is assembled, all at once.
 */
export function McpServer(
  options: McpServerOptions,
): <C extends new () => McpServerClient>(target: C, context?: ClassDecoratorContext<C>) => void {
  const declaredIn = callerFile(McpServer);
  return (target) => {
    Object.defineProperty(target, MCP_SERVER, { value: { options, declaredIn }, configurable: true });
  };
}
