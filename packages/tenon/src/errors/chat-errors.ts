import type { JsonValue } from "../protocol/json.js";
import type { CutOff, ErrorData, RunStatus, StopReason } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";
import { TenonError } from "./tenon-error.js";

/** What is known of a run that did not complete. */
export interface IncompleteRun {
  readonly runId: string;
  readonly threadId: string;
  readonly status: Exclude<RunStatus, "running">;
  readonly stopReason: StopReason;
  readonly pauses: readonly Pause[];
  readonly error?: ErrorData | undefined;
  /** What cut off the answer of a run that completed. */
  readonly finish?: CutOff | undefined;
}

/**
 * A chat gives an answer and has none: its run waits, failed or was cancelled, or the answer was cut off. `data` has `runId`, `threadId`, `status`,
 * `stopReason`, the open `pauses`, the `error` of a run that failed, and the `finish` of an answer that was cut off.
 */
export class RunIncompleteError extends TenonError<"run_incomplete"> {
  static readonly code = "run_incomplete";
  readonly pauses: readonly Pause[];

  constructor({ runId, threadId, status, stopReason, pauses, error, finish }: IncompleteRun) {
    const ids = pauses.map((pause) => pause.id).join(", ");
    super(
      "run_incomplete",
      {
        what:
          status === "paused"
            ? "The run waits for a decision"
            : status === "failed"
              ? `The run failed (${error?.code ?? stopReason}: ${error?.message ?? "nothing is known"})`
              : status === "completed"
                ? `The answer was cut off (${finish ?? stopReason})`
                : "The run was cancelled",
        value: status === "paused" ? `${runId}, ${ids}` : runId,
        next:
          status === "paused"
            ? "Answer with `chat.resume(runId, { [pauseId]: decision })`, or end it with `chat.app.cancel(runId)`."
            : finish === "length"
              ? "Allow longer answers, or ask for a shorter one in the same thread. `chat.app.inspect(runId)` has what there is."
              : "Its thread can go on with another message.",
      },
      {
        runId,
        threadId,
        status,
        stopReason,
        pauses: pauses as unknown as JsonValue,
        error: error as unknown as JsonValue,
        finish,
      },
    );
    this.pauses = pauses;
    Object.defineProperty(this, "pauses", { value: pauses, enumerable: false });
  }
}

/** A run completed with an answer that is not what was wanted: nothing, or nothing that fits the chat's output schema. `data` has `runId` and `text`. */
export class InvalidAnswerError extends TenonError<"invalid_answer"> {
  static readonly code = "invalid_answer";

  constructor(why: string, runId: string, text: string) {
    super(
      "invalid_answer",
      {
        what: "The answer cannot be used",
        value: why,
        next: "Ask again in the same thread, or look in the run what the model was told.",
      },
      { runId, text },
    );
  }
}
