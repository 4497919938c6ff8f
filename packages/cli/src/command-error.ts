import type { ErrorData } from "tenon";
import { exitCodes, type ExitCode } from "./exit-codes.js";

/** Ends a command with an exit code; `cause` is what is shown. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  constructor(exitCode: ExitCode, cause: unknown) {
    super("The command failed", { cause });
    this.exitCode = exitCode;
  }
}

/** The project is not there or cannot be loaded. The message says what to do. */
export class ProjectError extends Error {
  readonly code: string = "config_load";
  readonly data: { readonly [key: string]: string };
  constructor(what: string, next: string, data: { readonly [key: string]: string }, cause?: unknown) {
    super(`${what}. ${next}`, cause === undefined ? undefined : { cause });
    this.name = "ProjectError";
    this.data = data;
  }
}

/** The command was written wrongly. */
export class UsageError extends Error {
  readonly code: string = "bad_input";
  readonly data: { readonly [key: string]: string } = {};
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** A decision that cannot be taken, found out before the app was asked. */
export class DecisionError extends Error {
  readonly code: string = "decision_refused";
  readonly data: ErrorData["data"];
  constructor(message: string, pauseId: string) {
    super(message);
    this.name = "DecisionError";
    this.data = { pauseId };
  }
}

/** A command that was written wrongly, with the exit code for it. */
export function usage(message: string): CommandError {
  return new CommandError(exitCodes.usage, new UsageError(message));
}

/** An error of Tenon with what can be done about it on the command line. */
export class AdvisedError extends Error {
  readonly code: string;
  readonly data: ErrorData["data"];
  constructor(error: ErrorData, advice: string) {
    super(`${error.message} ${advice}`, { cause: error });
    this.name = "AdvisedError";
    this.code = error.code;
    this.data = error.data;
  }
}

/** Throws what was thrown, as a command that was written wrongly where Tenon says that its input was bad. */
export function asUsage(thrown: unknown): never {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  throw code === "bad_input" ? new CommandError(exitCodes.usage, thrown) : thrown;
}
