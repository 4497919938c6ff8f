import type { Command } from "commander";
import type { ExitCode } from "../exit-codes.js";
import type { Terminal } from "../terminal.js";
import { generateMcpCommand } from "./g-mcp.js";

/** `tenon g`: writes code that a person goes on with. */
export function generateCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  const group = program.command("g").alias("generate").description("write code to go on with: `tenon g mcp`");
  for (const command of [generateMcpCommand]) command(group, terminal, done);
}
