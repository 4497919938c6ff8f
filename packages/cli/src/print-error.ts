import type { ErrorData } from "tenon";
import { printable, type Terminal } from "./terminal.js";

/** Whether an error has the shape of Tenon's own: from any copy of the package, or stored. */
export function isTenonError(thrown: unknown): thrown is ErrorData {
  if (typeof thrown !== "object" || thrown === null) return false;
  const { code, message, data } = thrown as { readonly [member: string]: unknown };
  return typeof code === "string" && typeof message === "string" && typeof data === "object" && data !== null;
}

/** The text of anything that was thrown. */
export function textOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === "" ? thrown.name : thrown.message;
  return String(thrown);
}

/** Any thrown value as data. */
export function toErrorData(thrown: unknown): ErrorData {
  if (isTenonError(thrown)) return { code: thrown.code, message: thrown.message, data: thrown.data };
  return { code: "internal_error", message: textOf(thrown), data: {} };
}

/** Shows an error: its message; with `--verbose` its stack too; with `--json` one object on standard output. */
export function printError(terminal: Terminal, thrown: unknown, json: boolean): void {
  const error = toErrorData(thrown);
  if (json) terminal.out.write(`${JSON.stringify({ error })}\n`);
  else
    terminal.err.write(
      `${terminal.errColors.red("error")} ${terminal.errColors.dim(error.code)} ${printable(error.message)}\n`,
    );
  if (terminal.verbose) for (const line of stacksOf(thrown)) terminal.err.write(`${printable(line)}\n`);
}

function stacksOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error)) return [];
  return [thrown.stack ?? "", ...stacksOf(thrown.cause)];
}
