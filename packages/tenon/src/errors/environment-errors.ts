import type { ErrorData } from "../protocol/outcome.js";
import { TenonError, toErrorData } from "./tenon-error.js";

/** An optional peer package is needed and not installed. `data.package` names it. */
export class MissingPeerError extends TenonError<"missing_peer"> {
  static readonly code = "missing_peer";
  constructor(packageName: string, range: string, why: string, cause?: unknown) {
    super(
      "missing_peer",
      {
        what: `${why} needs a package that is not installed`,
        value: packageName,
        next: `Run \`npm install ${packageName}@${range}\`.`,
      },
      { package: packageName },
      cause,
    );
  }
}

/**
 * An environment variable is needed and not set. `data.variable` names it; values are never shown. `others` are what may be set
 * in its place, each as it is to be told: `B`, `C with D`.
 */
export class MissingVariableError extends TenonError<"missing_variable"> {
  static readonly code = "missing_variable";
  constructor(variable: string, why: string, others: readonly string[] = []) {
    const next = `Set the environment variable ${[variable, ...others].join(", or ")}.`;
    super("missing_variable", { what: why, value: others.length === 0 ? variable : undefined, next }, { variable });
  }
}

/** What is known of a model's failure. */
export interface ModelFailureData {
  /** The HTTP status of the response. */
  readonly status?: number | undefined;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The connection failed or broke, or the answer did: it ended early or cannot be read. */
  readonly network?: true | undefined;
  /** The request never left, so it costs nothing. */
  readonly sent?: false | undefined;
  /** It was given up after so many milliseconds. */
  readonly timeoutMs?: number | undefined;
}

const RUN_FAILED = "The run failed here and its thread can go on; check the provider's status and the request.";

/** The model's provider refused, failed or could not be reached. */
export class ModelError extends TenonError<"model_error"> {
  static readonly code = "model_error";
  constructor(model: string, message: string, data: ModelFailureData, cause?: unknown) {
    super(
      "model_error",
      {
        what: `The model ${model} did not answer`,
        value: message,
        next: RUN_FAILED,
      },
      { model, ...data },
      cause,
    );
  }
}

/** A model's failure as data, where the run does not end with it as it is: `next` says what comes next. */
export function modelFailure(error: ModelError, next: string): ErrorData {
  const { code, message, data } = toErrorData(error);
  return { code, message: `${message.replace(RUN_FAILED, "").trimEnd()} ${next}`, data };
}
