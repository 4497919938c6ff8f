import type { Command } from "commander";
import type { Decision, Pause } from "tenon";
import { usage } from "../command-error.js";
import { decidePause, type DecideFlags } from "../decide-pause.js";
import type { ExitCode } from "../exit-codes.js";
import type { Terminal } from "../terminal.js";

interface DenyFlags extends DecideFlags {
  readonly reason?: string;
}

/** `tenon deny`: no to a call or to a question, or giving up on a call in doubt; the run goes on with it. */
export function denyCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  program
    .command("deny")
    .description("say no to a call or to a question, or give up on a call in doubt; its run goes on here")
    .argument("<pauseId>", "the id of the pause; `tenon runs show` prints it")
    .option("--reason <text>", "why: the model reads it; needed, but for a call in doubt")
    .option("--by <name>", "who decides; default: the user of this machine")
    .option("--record-only", "record the decision, and leave the run to another process")
    .option("--json", "print the run's result (with --record-only the decision) as one JSON object")
    .action(async (pauseId: string, flags: DenyFlags) => {
      const { reason } = flags;
      if (reason?.trim() === "") throw usage("--reason is empty.");
      done(await decidePause(terminal, pauseId, flags, (pause, by) => decisionOf(pause, reason, by)));
    });
}

function decisionOf({ kind }: Pause, reason: string | undefined, by: string): Decision {
  if (kind === "in-doubt") return reason === undefined ? { action: "give-up", by } : { action: "give-up", reason, by };
  if (reason === undefined) throw usage("Say why, with --reason <text>: the model reads it. Nothing was recorded.");
  return { approved: false, reason, by };
}
