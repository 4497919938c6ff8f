export { McpServer } from "../../mcp/client/mcp-server.js";
export { McpServerClient, type CallScope } from "../../mcp/client/mcp-server-client.js";
export { McpTool, type McpToolOptions } from "../../mcp/client/mcp-tool.js";
export { mcpTools, type McpToolsOptions } from "../../mcp/client/mcp-tools.js";
export type { McpServerClass, McpServerOptions } from "../../mcp/client/server-options.js";
export { McpConnectionError, type McpFailure, type McpFailureData } from "../../errors/mcp-connection-errors.js";
export { McpDriftError, type ToolDrift } from "../../errors/mcp-drift-error.js";
