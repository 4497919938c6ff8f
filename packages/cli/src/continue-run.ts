import type { App, Decisions } from "tenon";
import { exitCodeOf, exitCodes, type ExitCode } from "./exit-codes.js";
import type { Project } from "./load-project.js";
import { commandLineOf } from "./npm-script.js";
import { printResult } from "./print-result.js";
import type { Terminal } from "./terminal.js";

/** A run that somebody else may have started. */
export interface ContinuedRun {
  readonly runId: string;
  readonly owner: string | undefined;
  readonly decisions: Decisions;
}

/**
 * Takes decisions, continues a run until it ends or waits again, and shows how it came back. Ctrl-C leaves it: whoever continues
 * a run is not always who asked for it, so the run is kept for the next process.
 */
export async function continueRun(
  app: App,
  { root }: Project,
  terminal: Terminal,
  { runId, owner, decisions }: ContinuedRun,
  json: boolean,
): Promise<ExitCode> {
  const left = new Promise<undefined>((resolve) => process.once("SIGINT", () => resolve(undefined)));
  const result = await Promise.race([app.resume(runId, decisions), left]);
  if (result === undefined) {
    terminal.err.write(`The run is kept. It goes on with: ${commandLineOf("runs")} resume ${runId}\n`);
    return exitCodes.canceled;
  }
  if (json) terminal.out.write(`${JSON.stringify(result)}\n`);
  else printResult(app, root, terminal, result, owner);
  return exitCodeOf(result.status);
}
