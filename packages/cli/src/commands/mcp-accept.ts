import type { Command } from "commander";
import type { McpReport } from "tenon/mcp";
import { asUsage, usage } from "../command-error.js";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { LineReader } from "../line-reader.js";
import { printMcp } from "../print-mcp.js";
import type { Terminal } from "../terminal.js";
import { withServers } from "../with-servers.js";

interface AcceptFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `tenon mcp accept`: takes the tools of the app's MCP servers as they are offered now, after somebody saw what changed. */
export function mcpAcceptCommand(group: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  group
    .command("accept")
    .description("take the tools of the app's MCP servers as they are offered now into tenon.lock.json")
    .argument("[server]", "the name of one server; else all of them")
    .argument("[tools...]", "some of its declared tools; else all of them")
    .option("--yes", "do not ask; without a terminal nothing is taken otherwise")
    .option("--json", 'with --yes: print one JSON object, { "accepted": ..., "servers": [...] }')
    .action(async (server: string | undefined, tools: readonly string[], flags: AcceptFlags) => {
      if (flags.json === true && flags.yes !== true) throw usage("`--json` asks nobody: say `--yes` too.");
      done(await accept(terminal, server, tools, flags));
    });
}

function accept(
  terminal: Terminal,
  server: string | undefined,
  tools: readonly string[],
  { yes, json }: AcceptFlags,
): Promise<ExitCode> {
  return withServers(async ({ acceptMcp }, createApp) => {
    let refused: "by nobody" | "by a person" | undefined;
    const confirm = async (report: McpReport): Promise<boolean> => {
      if (json !== true) printMcp(terminal, report);
      if (yes === true) return true;
      if (!terminal.interactive) refused = "by nobody";
      else if (!(await says(terminal))) refused = "by a person";
      return refused === undefined;
    };
    const chosen = { server, tools: tools.length === 0 ? undefined : tools, confirm };
    const result = await acceptMcp(createApp, chosen).catch(asUsage);
    const unreached = result.servers.some(({ error }) => error !== undefined);
    if (json === true) terminal.out.write(`${JSON.stringify(result)}\n`);
    else if (refused === "by nobody")
      throw usage("Nothing was taken: nobody is there to be asked. Read what changed, and say `--yes`.");
    else if (refused === "by a person") terminal.out.write("nothing was taken\n");
    else if (result.accepted) for (const file of filesOf(result)) terminal.out.write(`written: ${file}\n`);
    else {
      printMcp(terminal, result);
      if (!unreached) terminal.out.write("nothing to take\n");
    }
    return unreached || refused !== undefined ? exitCodes.failed : exitCodes.ok;
  });
}

function filesOf({ servers }: McpReport): readonly string[] {
  return [...new Set(servers.map(({ lockFile }) => lockFile))];
}

/** Whether the person at the terminal says yes. Anything else is a no. */
async function says(terminal: Terminal): Promise<boolean> {
  const lines = new LineReader(terminal, () => lines.close());
  try {
    await lines.discard();
    return /^\s*y(es)?\s*$/i.test((await lines.next("take this? yes or no: ")) ?? "");
  } finally {
    lines.close();
  }
}
