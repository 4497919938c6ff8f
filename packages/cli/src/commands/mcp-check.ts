import type { Command } from "commander";
import type { McpReport } from "tenon/mcp";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { commandLineOf } from "../npm-script.js";
import { printMcp } from "../print-mcp.js";
import type { Terminal } from "../terminal.js";
import { withServers } from "../with-servers.js";

/** `tenon mcp check`: whether the app's MCP servers offer their tools as they were accepted. Writes nothing. */
export function mcpCheckCommand(group: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  group
    .command("check")
    .description("connect to the app's MCP servers and compare their tools with tenon.lock.json; writes nothing")
    .option("--json", 'print one JSON object, { "ok": ..., "servers": [...] }')
    .action(async ({ json }: { json?: boolean }) =>
      done(
        await withServers(async ({ checkMcp }, createApp) => {
          const report = await checkMcp(createApp);
          if (json === true) terminal.out.write(`${JSON.stringify(report)}\n`);
          else {
            printMcp(terminal, report);
            if (differs(report)) terminal.out.write(`to take what they offer: ${commandLineOf("mcp accept")}\n`);
          }
          return report.ok ? exitCodes.ok : exitCodes.failed;
        }),
      ),
    );
}

function differs({ servers }: McpReport): boolean {
  return servers.some(({ tools }) => tools.some(({ standing }) => standing !== "accepted"));
}
