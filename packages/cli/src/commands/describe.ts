import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { printDescription } from "../print-description.js";
import type { Terminal } from "../terminal.js";
import { findUnassignedTools } from "../unassigned-tools.js";
import { withApp } from "../with-app.js";

/** `tenon describe`: what the app is able to do. Needs a model that is named, but no key and no network, and runs nothing. */
export function describeCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  program
    .command("describe")
    .description(
      "show the agents, their tools and what those depend on; a model must be named (offlineModel() counts), but no key and no network is needed",
    )
    .option("--json", "print one JSON object")
    .action(async ({ json }: { json?: boolean }) =>
      done(
        await withApp(async (app, project) => {
          const description = app.describe();
          const unassigned = await findUnassignedTools(description, project);
          if (json === true) terminal.out.write(`${JSON.stringify({ ...description, unassigned })}\n`);
          else printDescription(terminal, description, unassigned);
          return exitCodes.ok;
        }),
      ),
    );
}
