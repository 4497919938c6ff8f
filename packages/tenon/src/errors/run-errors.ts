import type { ErrorData } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";
import { TenonError } from "./tenon-error.js";

/** The caller gave something that cannot be used; nothing was started. */
export class BadInputError extends TenonError<"bad_input"> {
  static readonly code = "bad_input";
  constructor(what: string, value: string | undefined, next: string, data?: ErrorData["data"]) {
    super("bad_input", { what, value, next }, data);
  }
}

/** A run or agent went over a limit. `data.limit` is the limit's name, `data.max` its value. */
export class LimitExceededError extends TenonError<"limit_exceeded"> {
  static readonly code = "limit_exceeded";
  constructor(what: string, limit: string, max: number, next: string) {
    super("limit_exceeded", { what, value: `${limit} = ${max}`, next }, { limit, max });
  }
}

/** A money limit is set and nobody says what a call of this model costs. Nothing was called. */
export class CostUnknownError extends TenonError<"cost_unknown"> {
  static readonly code = "cost_unknown";
  /** `more`: the others of its fallbacks of which that is true. */
  constructor(model: string, more: readonly string[] = []) {
    super(
      "cost_unknown",
      {
        what: "The run has a money limit, and the cost of its model is not known",
        value: [model, ...more].join(", "),
        next: "Declare its prices with `priced(model, { input: usd(…), output: usd(…) })` or `createApp(…, { prices })` (a table is `await genaiPrices()`), or `free(model)` if it costs nothing; or remove the limit.",
      },
      more.length === 0 ? { model } : { model, more: [...more] },
    );
  }
}

/** Under `limits.reserve: "strict"`, nobody can say how much an answer of the model may use. It was not called. */
export class UsageUnboundError extends TenonError<"usage_unbound"> {
  static readonly code = "usage_unbound";
  constructor(model: string, option: string, why: string) {
    super(
      "usage_unbound",
      {
        what: `Under \`limits.reserve: "strict"\` nobody can say how much the model ${model} may use`,
        value: `${option}: ${why}`,
        next: "Leave the option out, or set a number of tokens there; `maxOutputTokens` bounds what an answer may be. Or leave `reserve` out.",
      },
      { model, option },
    );
  }
}

/** The thread belongs to another owner. Nothing of it was read. */
export class ThreadOwnerError extends TenonError<"thread_owner"> {
  static readonly code = "thread_owner";
  constructor(threadId: string) {
    super(
      "thread_owner",
      {
        what: "The thread belongs to another owner",
        value: threadId,
        next: "Pass the `owner` that started it, or use another `threadId`.",
      },
      { threadId },
    );
  }
}

/** The thread has a run that has not ended. `data.pauses` are the ids of its open pauses. */
export class ThreadBusyError extends TenonError<"thread_busy"> {
  static readonly code = "thread_busy";
  readonly pauses: readonly Pause[];
  constructor(threadId: string, holder: string, pauses: readonly Pause[], cause?: unknown) {
    const waits = pauses.length > 0;
    super(
      "thread_busy",
      {
        what: waits ? "The thread has a run that waits for a decision" : "The thread has a run that has not ended",
        value: `${threadId}, run ${holder}${waits ? `, ${pauses.map((pause) => pause.id).join(", ")}` : ""}`,
        next: waits
          ? "Answer with `app.resume`, or end it with `app.cancel`."
          : 'Wait for it, or use `onBusy: "wait"`.',
      },
      { threadId, runId: holder, pauses: pauses.map((pause) => pause.id) },
      cause,
    );
    Object.defineProperty(this, "pauses", { value: pauses, enumerable: false });
    this.pauses = pauses;
  }
}

/** The model made one call over and over and got the same result. `data.tool` names it. */
export class RepeatedCallError extends TenonError<"repeated_call"> {
  static readonly code = "repeated_call";
  constructor(tool: string, times: number) {
    super(
      "repeated_call",
      {
        what: `The model called a tool ${times} times with the same input, and got the same result`,
        value: tool,
        next: "Look in the run why it does; a tool that is asked again on purpose is declared with `polling: true`.",
      },
      { tool, times },
    );
  }
}

/** A run of this id exists with another agent, prompt, thread or owner. */
export class RunExistsError extends TenonError<"run_exists"> {
  static readonly code = "run_exists";
  constructor(runId: string) {
    super(
      "run_exists",
      {
        what: "A run of this id exists with other input",
        value: runId,
        next: "Use a fresh `runId`, or give the same agent, prompt and thread to follow it.",
      },
      { runId },
    );
  }
}

export class RunNotFoundError extends TenonError<"run_not_found"> {
  static readonly code = "run_not_found";
  constructor(runId: string) {
    super(
      "run_not_found",
      {
        what: "There is no such run",
        value: runId,
        next: "Check the id, and that the app uses the store the run was made in.",
      },
      { runId },
    );
  }
}

/** A decision that cannot be taken: unknown pause, already answered otherwise, or not a decision. Nothing ran. */
export class DecisionRefusedError extends TenonError<"decision_refused"> {
  static readonly code = "decision_refused";
  constructor(what: string, pauseId: string, next: string) {
    super("decision_refused", { what, value: pauseId, next }, { pauseId });
  }
}

/** The run had an execution context (or tools of its own), which is never stored, and got none. Nothing ran. */
export class ContextRequiredError extends TenonError<"context_required"> {
  static readonly code = "context_required";
  constructor(runId: string) {
    super(
      "context_required",
      {
        what: "The run was started with an execution context or with tools of its own, which are not stored",
        value: runId,
        next: "Give them to `resume(…, { executionContext, tools })`, or through `createApp(…, { restore })`.",
      },
      { runId },
    );
  }
}

export class AppClosedError extends TenonError<"app_closed"> {
  static readonly code = "app_closed";
  constructor(runId?: string) {
    super(
      "app_closed",
      runId === undefined
        ? { what: "The app is closed", next: "Create a new one." }
        : {
            what: "The app was closed before the run ended",
            value: runId,
            next: "Its journal is kept: `recover()` of the next app on this store continues it.",
          },
      runId === undefined ? {} : { runId },
    );
  }
}

/** The journal and the code do not fit together, or the journal could not be written. */
export class JournalError extends TenonError<"journal_error"> {
  static readonly code = "journal_error";
  constructor(what: string, value: string | undefined, next: string, cause?: unknown) {
    super("journal_error", { what, value, next }, {}, cause);
  }
}

/** The store could not be opened, read or written. */
export class StoreError extends TenonError<"store_error"> {
  static readonly code = "store_error";
  constructor(what: string, value: string | undefined, next: string, cause?: unknown) {
    super("store_error", { what, value, next }, {}, cause);
  }
}
