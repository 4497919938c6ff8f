import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { printDetails } from "../print-runs.js";
import type { Terminal } from "../terminal.js";
import { withApp } from "../with-app.js";

/** `tenon runs show`: one run with its turns, calls, open pauses and cost. Changes nothing. */
export function runsShowCommand(runs: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  runs
    .command("show")
    .description("show one run: its turns and calls, what it waits for, what it cost")
    .argument("<id>", "the run's id")
    .option("--json", "print one JSON object")
    .action(async (id: string, { json }: { json?: boolean }) =>
      done(
        await withApp(async (app) => {
          const run = await app.inspect(id);
          if (json === true) terminal.out.write(`${JSON.stringify(run)}\n`);
          else printDetails(terminal, run);
          return exitCodes.ok;
        }),
      ),
    );
}
