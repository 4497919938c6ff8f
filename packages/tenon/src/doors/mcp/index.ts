export { serveMcp, type McpServing } from "../../app/serve-mcp.js";
export type { ServeMcpOptions } from "../../app/serve-mcp-options.js";
export type { Authorize } from "../../mcp/serve/http-endpoint.js";
export type { McpCaller } from "../../mcp/serve/tool-port.js";
