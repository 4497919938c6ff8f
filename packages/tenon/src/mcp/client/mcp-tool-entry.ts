import type { ToolDefinition } from "../../tools/define-tool.js";
import type { PinnedTool } from "../lock/pin-of.js";
import type { McpServerClass } from "./server-options.js";

/** Where a tool's class or value keeps which tool of which server it is; shared by all copies of the package. */
export const MCP_TOOL: unique symbol = Symbol.for("tenon.mcp.tool") as never;

/** Which tool of which server an entry of a `tools` list is. Unchecked. */
export interface McpToolEntry {
  readonly server: McpServerClass;
  readonly tool: string;
  /** How it came to be, for messages. */
  readonly form: "@McpTool" | "mcpTools";
  /** Of `mcpTools`: the tool with the text of this pin. What the entry itself says is what the lock file says when it is asked. */
  readonly pinned?: ((pin: PinnedTool | undefined) => ToolDefinition) | undefined;
}

/** What an entry says of its server; `undefined` for a tool of this process. */
export function mcpToolOf(entry: unknown): McpToolEntry | undefined {
  if ((typeof entry !== "function" && typeof entry !== "object") || entry === null) return undefined;
  return Object.hasOwn(entry, MCP_TOOL)
    ? (entry as unknown as { readonly [MCP_TOOL]: McpToolEntry })[MCP_TOOL]
    : undefined;
}
