import type { ExitCode } from "./exit-codes.js";

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
