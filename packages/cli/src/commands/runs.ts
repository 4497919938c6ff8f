import type { Command } from "commander";
import type { ExitCode } from "../exit-codes.js";
import type { Terminal } from "../terminal.js";
import { runsCancelCommand } from "./runs-cancel.js";
import { runsListCommand } from "./runs-list.js";
import { runsResumeCommand } from "./runs-resume.js";
import { runsShowCommand } from "./runs-show.js";

/** `tenon runs`: lists runs; `runs show`, `runs resume` and `runs cancel` are about one of them. */
export function runsCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  const runs = program.command("runs").description("list runs; show one, continue one, or end one");
  for (const command of [runsListCommand, runsShowCommand, runsResumeCommand, runsCancelCommand])
    command(runs, terminal, done);
}
