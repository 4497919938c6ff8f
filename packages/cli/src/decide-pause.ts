import type { App, Decision, Pause } from "tenon";
import { AdvisedError, CommandError, DecisionError, usage } from "./command-error.js";
import { continueRun } from "./continue-run.js";
import { exitCodes, type ExitCode } from "./exit-codes.js";
import { codeOf } from "./follow-run.js";
import type { Project } from "./load-project.js";
import { commandLineOf } from "./npm-script.js";
import { toErrorData } from "./print-error.js";
import { decisionText } from "./print-audit.js";
import { printable, userName, type Terminal } from "./terminal.js";
import { withApp } from "./with-app.js";

/** The options that `approve` and `deny` share. */
export interface DecideFlags {
  readonly by?: string | undefined;
  readonly recordOnly?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/**
 * Takes a decision about one pause. Its run goes on here, until it ends or waits again; with `recordOnly`, and about a call in
 * doubt of a run that has ended, the decision is only recorded. `decisionOf` throws for what does not fit the pause; nothing is recorded then.
 */
export async function decidePause(
  terminal: Terminal,
  pauseId: string,
  { by = userName(), recordOnly = false, json = false }: DecideFlags,
  decisionOf: (pause: Pause, by: string) => Decision,
): Promise<ExitCode> {
  if (by.trim() === "") throw usage("--by is empty: give the name of whoever decides.");
  return withApp(async (app, project) => {
    const { pause, runId, owner, inbox } = await found(app, project, pauseId);
    const decision = decisionOf(pause, by);
    const decisions = { [pauseId]: decision };
    if (recordOnly || inbox) {
      await app.decide(runId, decisions);
      // As it is kept: values of sensitive fields are masked.
      const { audit } = await app.inspect(runId);
      const kept = audit.find((entry) => entry.pause.id === pauseId)?.decision ?? decision;
      if (json) terminal.out.write(`${JSON.stringify({ runId, pauseId, decision: kept })}\n`);
      else {
        const next = inbox
          ? "The run has ended: this is kept with it, and nothing runs."
          : `The run goes on with the next process that works or recovers, or with: ${commandLineOf("runs")} resume ${runId}`;
        terminal.out.write(`${printable(`${pause.tool}: ${decisionText(kept)}`)}\n${next}\n`);
      }
      return exitCodes.ok;
    }
    try {
      return await continueRun(app, project, terminal, { runId, owner, decisions }, json);
    } catch (thrown) {
      if (codeOf(thrown) !== "context_required") throw thrown;
      throw new AdvisedError(
        toErrorData(thrown),
        "Nothing was recorded. With --record-only the decision is recorded, and the run goes on in a process that has them.",
      );
    }
  });
}

interface FoundPause {
  readonly pause: Pause;
  readonly runId: string;
  readonly owner: string | undefined;
  /** Its run has ended, and what is still to be found out of it is kept. */
  readonly inbox: boolean;
}

/** A pause by its id, open or not: the same decision again is harmless, and another one is refused with what is known. */
async function found(app: App, { tenon }: Project, pauseId: string): Promise<FoundPause> {
  const next = `\`${commandLineOf("runs")} show <run>\` shows those of a run`;
  let runId: string;
  try {
    runId = tenon.runOfPause(pauseId);
  } catch {
    throw usage(`${printable(pauseId)} is no id of a pause; ${next}.`);
  }
  const { audit, owner, endedAt } = await app.inspect(runId);
  const entry = audit.find(({ pause }) => pause.id === pauseId);
  if (entry === undefined)
    throw new CommandError(
      exitCodes.failed,
      new DecisionError(`The run has no such pause: ${pauseId}. Nothing was recorded; ${next}.`, pauseId),
    );
  const { pause } = entry;
  return { pause, runId, owner, inbox: endedAt !== undefined && pause.kind === "in-doubt" };
}
