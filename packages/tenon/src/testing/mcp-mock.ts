import type { MockedFunction } from "vitest";
import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { ToolError } from "../errors/tool-error.js";
import type { McpServerClient } from "../mcp/client/mcp-server-client.js";
import { serverDeclarationOf, type McpServerClass } from "../mcp/client/server-options.js";
import type { JsonObject } from "../protocol/json.js";
import { toJson } from "../tools/json-encoding.js";
import type { ToolContext } from "../tools/tool-context.js";
import { vi } from "./vitest.js";

/** What a tool of a server gives in a test: what `McpServerClient.call` would give, or a text for `{ text }`. What it throws is what the call rejects with. */
export type McpToolMock = MockedFunction<(input: JsonObject, ctx: ToolContext<any>) => unknown>;

/** An MCP server of a test. Nothing is started or reached, and neither a lock file nor an environment variable is needed. */
export interface McpMock {
  /** The mock of one of its declared tools: `tool("write_file").mockResolvedValue({ text: "written" })`. Without an answer its call is an error result that says so. */
  tool(name: string): McpToolMock;
}

/** The server of a test, and what its app is given in its place. */
export interface MadeMcpMock {
  readonly mock: McpMock;
  readonly client: McpServerClient;
}

/** Makes a mock of a server's class. Throws `BadInputError` for what is no server. */
export function mcpMock(server: McpServerClass): MadeMcpMock {
  const declaration = serverDeclarationOf(server);
  if (declaration === undefined)
    throw new BadInputError(
      "mcpOf takes the class of an MCP server",
      typeof server === "function" ? server.name : shownValue(server),
      "Pass the class that is decorated with `@McpServer`.",
    );
  const { tools: declared } = declaration.options;
  const made = new Map<string, McpToolMock>();
  const tool = (name: string): McpToolMock => {
    if (!declared.includes(name))
      throw new BadInputError(
        `The server ${server.name} is not declared with this tool`,
        shownValue(name),
        `It is declared with ${declared.join(", ")}.`,
      );
    let mock = made.get(name);
    if (mock === undefined) made.set(name, (mock = vi.fn(() => unanswered(server.name, name)).mockName(name)));
    return mock;
  };
  const call = async (name: string, input: object | undefined, ctx: ToolContext): Promise<unknown> => {
    const given = await tool(name)(toJson(input ?? {}) as JsonObject, ctx);
    return typeof given === "string" ? { text: given } : given;
  };
  const client = Object.create(server.prototype as object) as McpServerClient;
  Object.defineProperty(client, "call", { value: call });
  return { mock: { tool }, client };
}

function unanswered(server: string, tool: string): never {
  throw new ToolError(
    `The test has no answer for ${tool}: give it one with \`mcpOf(${server}).tool("${tool}").mockResolvedValue({ … })\``,
  );
}
