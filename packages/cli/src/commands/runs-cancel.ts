import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { resultLine } from "../print-runs.js";
import type { Terminal } from "../terminal.js";
import { withApp } from "../with-app.js";

/** `tenon runs cancel`: ends a run, wherever it is, and waits for that. One that has ended stays as it is. */
export function runsCancelCommand(runs: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  runs
    .command("cancel")
    .description("end a run that goes on or waits, also in another process; one that has ended stays as it is")
    .argument("<id>", "the run's id")
    .option("--json", "print the result as one JSON object")
    .action(async (id: string, { json }: { json?: boolean }) =>
      done(
        await withApp(async (app) => {
          const result = await app.cancel(id);
          if (json === true) terminal.out.write(`${JSON.stringify(result)}\n`);
          else terminal.out.write(`${resultLine(result)}\n`);
          return exitCodes.ok;
        }),
      ),
    );
}
