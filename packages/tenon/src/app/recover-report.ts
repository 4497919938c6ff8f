import type { ErrorData } from "../protocol/outcome.js";
import type { RunResult } from "./run-result.js";

/** What a pass over runnable runs did. */
export interface RecoverReport {
  /** The runs that were continued, as they ended or paused. */
  readonly continued: readonly RunResult[];
  /** The runs that were left as they are, and why. */
  readonly skipped: readonly { readonly runId: string; readonly error: ErrorData }[];
}
