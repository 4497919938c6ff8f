import type { Command } from "commander";
import type { RecoverReport } from "tenon";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { resultLine } from "../print-runs.js";
import { oneLine, printable, type Terminal } from "../terminal.js";
import { withApp } from "../with-app.js";

/** `tenon recover`: continues the runs that no process has, each until it ends or waits for a decision. */
export function recoverCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  program
    .command("recover")
    .description("continue the runs that processes which are gone had left, each until it ends or waits")
    .option("--json", 'print one JSON object, { "continued": [...], "skipped": [...], "held": [...] }')
    .action(async ({ json }: { json?: boolean }) =>
      done(
        await withApp(async (app) => {
          const report = await app.recover();
          // What still runs belongs to a process, or to one that died a moment ago.
          const tried = new Set([...report.continued, ...report.skipped].map(({ runId }) => runId));
          const held = (await app.runs({ status: "running", limit: Number.MAX_SAFE_INTEGER }))
            .map(({ id }) => id)
            .filter((id) => !tried.has(id));
          if (json === true) terminal.out.write(`${JSON.stringify({ ...report, held })}\n`);
          else printReport(terminal, report, held);
          return codeOf(report);
        }),
      ),
    );
}

function printReport(
  { out, outColors: { red } }: Terminal,
  { continued, skipped }: RecoverReport,
  held: readonly string[],
): void {
  if (continued.length + skipped.length + held.length === 0) out.write("nothing to recover\n");
  for (const result of continued) out.write(`${resultLine(result)}\n`);
  for (const { runId, error } of skipped)
    out.write(`${printable(runId)}  ${red("left as it is")}: ${error.code} ${oneLine(error.message, 300)}\n`);
  for (const runId of held)
    out.write(
      `${printable(runId)}  held by the process that works on it; if that died, try again when its lease is over\n`,
    );
}

/** What went wrong counts more than what waits. */
function codeOf({ continued, skipped }: RecoverReport): ExitCode {
  if (skipped.length > 0 || continued.some(({ status }) => status === "failed")) return exitCodes.failed;
  return continued.some(({ status }) => status === "paused") ? exitCodes.paused : exitCodes.ok;
}
