import { InvalidArgumentError, Option, type Command } from "commander";
import type { RunStatus } from "tenon";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { storeText } from "../print-description.js";
import { printRuns } from "../print-runs.js";
import type { Terminal } from "../terminal.js";
import { withApp } from "../with-app.js";

interface RunsListFlags {
  readonly thread?: string;
  readonly status?: readonly RunStatus[];
  readonly limit?: number;
  readonly json?: boolean;
}

/** `tenon runs`, `tenon runs list`: the runs of the app's store, newest first. */
export function runsListCommand(runs: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  runs
    .command("list", { isDefault: true })
    .description("list runs, newest first; `tenon runs` alone does that too")
    .option("--thread <id>", "only those of this conversation")
    .addOption(
      new Option("--status <status...>", "only those in these states").choices([
        "running",
        "paused",
        "completed",
        "failed",
        "cancelled",
      ]),
    )
    .option("--limit <count>", "how many at most; default 100", countOf)
    .option("--json", 'print one JSON object, { "runs": [...] }')
    .action(async ({ thread: threadId, status, limit, json }: RunsListFlags) =>
      done(
        await withApp(async (app) => {
          const found = await app.runs({ threadId, status, limit });
          if (json === true) terminal.out.write(`${JSON.stringify({ runs: found })}\n`);
          else if (found.length > 0) printRuns(terminal, found);
          else terminal.out.write(`no runs · store: ${storeText(app.describe())}\n`);
          return exitCodes.ok;
        }),
      ),
    );
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}
