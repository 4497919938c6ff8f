import type { Command } from "commander";
import type { ExitCode } from "../exit-codes.js";
import type { Terminal } from "../terminal.js";
import { mcpAcceptCommand } from "./mcp-accept.js";
import { mcpCheckCommand } from "./mcp-check.js";
import { mcpServeCommand } from "./mcp-serve.js";

/** `tenon mcp`: looks after the MCP servers that the app uses, and offers its own tools to MCP clients. */
export function mcpCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  const group = program
    .command("mcp")
    .description("compare the app's MCP servers with what was accepted of them; offer its tools to MCP clients");
  for (const command of [mcpCheckCommand, mcpAcceptCommand, mcpServeCommand]) command(group, terminal, done);
}
