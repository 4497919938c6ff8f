import type { Command } from "commander";
import type { ExitCode } from "../exit-codes.js";
import type { Terminal } from "../terminal.js";
import { mcpServeCommand } from "./mcp-serve.js";

/** `tenon mcp`: offers the app's tools to MCP clients. */
export function mcpCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  const group = program.command("mcp").description("offer the app's tools to MCP clients");
  for (const command of [mcpServeCommand]) command(group, terminal, done);
}
