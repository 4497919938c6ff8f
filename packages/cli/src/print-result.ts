import type { App, RunResult } from "tenon";
import { journalText } from "./print-description.js";
import { decideText, pauseText, reopenText } from "./print-pause.js";
import { usageText } from "./print-run.js";
import { printable, type Terminal } from "./terminal.js";

/** How a run came back: the answer on standard output, all else on standard error. `root` is the project's folder. */
export function printResult(
  app: App,
  root: string,
  { out, err, errColors: { dim, red } }: Terminal,
  result: RunResult,
  owner: string | undefined,
): void {
  if (result.text !== "") out.write(`${printable(result.text)}\n`);
  if (result.status === "failed")
    err.write(`${red("the run failed")} ${dim(result.error.code)} ${printable(result.error.message)}\n`);
  if (result.status === "cancelled") err.write("the run was canceled\n");
  for (const pause of result.pauses) err.write(`${pauseText(pause)}\n${decideText(pause)}\n`);
  if (result.status === "paused") err.write(`${reopenText(result.threadId, owner, false)}\n`);
  err.write(
    dim(
      `${usageText(result.usage)} · ${journalText(app.describe(), root)} · thread ${printable(result.threadId)} · run ${result.runId}\n`,
    ),
  );
}
