import type { McpReport, McpServerReport, McpToolReport } from "tenon/mcp";
import { oneLine, printable, type Terminal } from "./terminal.js";

/** Shows how the tools of the app's MCP servers stand: one line each, and what differs under it. */
export function printMcp(terminal: Terminal, { servers }: McpReport): void {
  if (servers.length === 0)
    terminal.out.write(
      "the app uses no MCP server: give an agent a tool of one, or list its class in `mcp` of the workflow\n",
    );
  for (const server of servers) printServer(terminal, server);
}

function printServer({ out, outColors: { bold, dim, green, yellow, red } }: Terminal, report: McpServerReport): void {
  const { server, lockFile, tools, unused, faults, error } = report;
  out.write(`${bold(printable(server))}  ${dim(printable(lockFile))}\n`);
  if (error !== undefined) out.write(`  ${red("not reached")} ${error.code} ${oneLine(error.message, 400)}\n`);
  const words: Readonly<Record<McpToolReport["standing"], string>> = {
    accepted: green("accepted  "),
    changed: red("changed   "),
    gone: red("gone      "),
    "not-pinned": yellow("not pinned"),
  };
  for (const { tool, standing, differences } of tools) {
    out.write(`  ${words[standing]} ${printable(tool)}\n`);
    if (standing !== "gone") for (const line of differences) out.write(`             ${printable(line)}\n`);
  }
  for (const tool of unused) out.write(`  ${dim("unused    ")} ${printable(tool)}: pinned, and not declared\n`);
  for (const fault of faults) out.write(`  ${yellow("note")} ${oneLine(fault, 400)}\n`);
}
