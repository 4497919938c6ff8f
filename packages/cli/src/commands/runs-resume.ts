import type { Command } from "commander";
import { continueRun } from "../continue-run.js";
import type { ExitCode } from "../exit-codes.js";
import type { Terminal } from "../terminal.js";
import { withApp } from "../with-app.js";

/** `tenon runs resume`: continues a run until it ends or waits, and shows how it came back. One that has ended stays as it is. */
export function runsResumeCommand(runs: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  runs
    .command("resume")
    .description(
      "continue a run that was decided about, or left, until it ends or waits; follows one that goes on elsewhere",
    )
    .argument("<id>", "the run's id")
    .option("--json", "print the result as one JSON object")
    .action(async (id: string, { json }: { json?: boolean }) =>
      done(
        await withApp(async (app, project) => {
          const { owner } = await app.inspect(id);
          return continueRun(app, project, terminal, { runId: id, owner, decisions: {} }, json === true);
        }),
      ),
    );
}
