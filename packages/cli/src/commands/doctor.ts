import type { Command } from "commander";
import { examine } from "../doctor.js";
import type { DoctorCheck } from "../doctor-check.js";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { printable, type Terminal } from "../terminal.js";

/** `tenon doctor`: whether the project has what it needs. Shows all of it, whatever is broken. */
export function doctorCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  program
    .command("doctor")
    .description("look at Node, its flags, the tsconfig, the project, its packages, environment variables and store")
    .option("--model", "also ask each model for one word, which may cost money")
    .option("--json", 'print one JSON object, { "ok": ..., "checks": [...] }')
    .action(async ({ model, json }: { model?: boolean; json?: boolean }) => {
      const checks = await examine(process.cwd(), model === true);
      const code = codeOf(checks);
      if (json === true) terminal.out.write(`${JSON.stringify({ ok: code === exitCodes.ok, checks })}\n`);
      else printChecks(terminal, checks);
      done(code);
    });
}

function printChecks({ out, outColors: { green, yellow, red } }: Terminal, checks: readonly DoctorCheck[]): void {
  const marks = { ok: green("ok     "), note: yellow("note   "), problem: red("problem") };
  for (const { name, level, message } of checks)
    out.write(`${marks[level]} ${name.padEnd(11)} ${printable(message).replace(/\n\s*/g, "\n        ")}\n`);
}

/** A project that cannot be loaded counts more than all else. */
function codeOf(checks: readonly DoctorCheck[]): ExitCode {
  const problems = checks.filter(({ level }) => level === "problem");
  if (problems.some(({ name }) => name === "project")) return exitCodes.project;
  return problems.length > 0 ? exitCodes.failed : exitCodes.ok;
}
