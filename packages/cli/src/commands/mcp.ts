import type { Command } from "commander";
import type { ExitCode } from "../exit-codes.js";
import type { Terminal } from "../terminal.js";
import { mcpAcceptCommand } from "./mcp-accept.js";
import { mcpCheckCommand } from "./mcp-check.js";

/** `tenon mcp`: looks after the MCP servers that the app uses. */
export function mcpCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  const group = program.command("mcp").description("compare the MCP servers of the app with what was accepted of them");
  for (const command of [mcpCheckCommand, mcpAcceptCommand]) command(group, terminal, done);
}
