import type { ErrorData } from "../protocol/outcome.js";
import { TenonError } from "./tenon-error.js";

/** One thing that is wrong with the app as it was put together. */
export interface Violation {
  /** Where: `agent desk`, `tool note_save`, `providers`. */
  readonly at: string;
  readonly message: string;
  readonly code: string;
  /**
   * What is known of it beside the words: the data of the error that it was. `variable`: an environment variable that is not set,
   * of an MCP server with `server` and what of its variables is `set`. `package`: one that is not installed. Names, never values.
   */
  readonly data?: ErrorData["data"] | undefined;
}

/** Everything that is wrong with an app, at once, before any model call. `violations` lists it; so does `data.violations`. */
export class AssemblyError extends TenonError<"assembly_error" | "unknown_agent_tool"> {
  static readonly code: string = "assembly_error";
  readonly violations: readonly Violation[];
  constructor(violations: readonly Violation[], code: "assembly_error" | "unknown_agent_tool" = "assembly_error") {
    const lines = violations.map(({ at, message }) => `\n  - ${at}: ${message}`).join("");
    super(
      code,
      {
        what: `The app cannot be assembled (${violations.length} ${violations.length === 1 ? "fault" : "faults"}):${lines}\n`,
        next: "Mend what is listed; nothing was started.",
      },
      {
        violations: violations.map(({ at, message, code: fault, data }) => ({
          at,
          message,
          code: fault,
          ...(data !== undefined && { data }),
        })),
      },
    );
    this.violations = violations;
    Object.defineProperty(this, "violations", { enumerable: false });
  }

  static override is<E>(
    this: (abstract new (...args: any[]) => E) & { readonly code?: string | undefined },
    value: unknown,
  ): value is E {
    if (typeof value !== "object" || value === null) return false;
    const { code } = value as { code?: unknown };
    return code === this.code || (this.code === "assembly_error" && code === "unknown_agent_tool");
  }
}

/** Every fault of the assembly is an entry in an agent's `tools` that is no tool. Names agent and position. */
export class UnknownAgentToolError extends AssemblyError {
  static override readonly code: string = "unknown_agent_tool";
  constructor(violations: readonly Violation[]) {
    super(violations, "unknown_agent_tool");
  }
}

/** A schema that cannot be exported or compiled. Becomes a violation of the assembly. */
export class SchemaError extends TenonError<"schema_error"> {
  static readonly code = "schema_error";
  constructor(what: string, value: string | undefined, next: string, cause?: unknown) {
    super("schema_error", { what, value, next }, {}, cause);
  }
}

/** A dependency is not there, or its constructor or factory threw. `data.path` shows who wanted it; `cause` is what was thrown. */
export class DependencyError extends TenonError<"dependency_failed"> {
  static readonly code = "dependency_failed";
  constructor(what: string, path: string, next: string, cause?: unknown) {
    super("dependency_failed", { what, value: path, next }, { path }, cause);
  }
}

/** Some parts did not dispose; the others did. `cause` is an `AggregateError` of what they threw. */
export class DisposeError extends TenonError<"dispose_error"> {
  static readonly code = "dispose_error";
  readonly errors: readonly unknown[];
  constructor(errors: readonly unknown[], names: readonly string[]) {
    super(
      "dispose_error",
      {
        what: `${errors.length} of the app's parts did not close`,
        value: names.join(", "),
        next: "All others were closed; see `errors`.",
      },
      { names },
      new AggregateError(errors),
    );
    this.errors = errors;
    Object.defineProperty(this, "errors", { enumerable: false });
  }
}
