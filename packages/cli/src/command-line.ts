import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Command, CommanderError } from "commander";
import { CommandError } from "./command-error.js";
import { approveCommand } from "./commands/approve.js";
import { chatCommand } from "./commands/chat.js";
import { denyCommand } from "./commands/deny.js";
import { describeCommand } from "./commands/describe.js";
import { doctorCommand } from "./commands/doctor.js";
import { generateCommand } from "./commands/g.js";
import { ledgerCommand } from "./commands/ledger.js";
import { mcpCommand } from "./commands/mcp.js";
import { recoverCommand } from "./commands/recover.js";
import { runCommand } from "./commands/run.js";
import { runsCommand } from "./commands/runs.js";
import { exitCodeHelp, exitCodes, type ExitCode } from "./exit-codes.js";
import { printError } from "./print-error.js";
import { processTerminal, type Terminal } from "./terminal.js";

/** Runs one command and ends the process with its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<never> {
  const terminal = processTerminal();
  const code = await codeOf(terminal, args);
  // The project may keep timers or sockets open: the command is over all the same, once its output is out.
  for (const stream of [terminal.out, terminal.err])
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
  await filesWritten();
  process.exit(code);
}

/**
 * tsx keeps what it compiled of a project in files that it does not wait for: cut off, they stay empty, and every command
 * compiles the whole project anew. Ends after 200 looks, whatever else is being written.
 */
async function filesWritten(): Promise<void> {
  for (let looks = 0; looks < 200 && process.getActiveResourcesInfo().includes("FSReqPromise"); looks++)
    await setTimeout(1);
}

async function codeOf(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const program = programOf(terminal, (ended) => (code = ended));
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const json = args.includes("--json");
    if (thrown instanceof CommandError) {
      printError(terminal, thrown.cause, json);
      return thrown.exitCode;
    }
    printError(terminal, thrown, json);
    return exitCodes.failed;
  }
}

function programOf(terminal: Terminal, done: (code: ExitCode) => void): Command {
  const program = new Command("tenon");
  program
    .description("Describes, runs and talks to the agents of a Tenon project, and looks after its runs.")
    .version(version(), "-V, --version")
    .option("--verbose", "show errors with their stack")
    .exitOverride()
    .showHelpAfterError("(--help shows what there is)")
    .configureOutput({ writeOut: (text) => terminal.out.write(text), writeErr: (text) => terminal.err.write(text) })
    .hook("preAction", () => {
      terminal.verbose = program.opts<{ verbose?: boolean }>().verbose === true;
    })
    .addHelpText(
      "after",
      `\nThe project is the nearest tenon.config.ts, in this folder or above it (else src/app.ts). Commands run in its folder.\n${exitCodeHelp}`,
    );
  const commands = [
    describeCommand,
    chatCommand,
    runCommand,
    runsCommand,
    approveCommand,
    denyCommand,
    recoverCommand,
    ledgerCommand,
    generateCommand,
    mcpCommand,
    doctorCommand,
  ];
  for (const command of commands) command(program, terminal, done);
  return program;
}

function version(): string {
  return (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }).version;
}
