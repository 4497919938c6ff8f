import type { Parsed, Schema } from "../schema/schema.js";
import type { Maybe } from "../util/class.js";
import type { PauseOptions } from "./resumption.js";

/** What a call knows of its run. */
export interface RunInfo {
  readonly runId: string;
  readonly threadId: string;
  /** Inside a call the same signal as the call's own: run, cancel and timeout together. */
  readonly signal: AbortSignal;
  /** What the caller gave with the run; stored with it. Inside a call its own copy. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly owner: string | undefined;
}

/** What a handler gets beside its input. `Caller` is the type of the caller's execution context, which is never stored. */
export interface ToolContext<out Caller = unknown> {
  readonly run: RunInfo;
  readonly workflow: string;
  readonly agent: string;
  /** The call's id: the same when a call that a crash interrupted runs again, so it serves as idempotency key. */
  readonly callId: string;
  /** Aborted when the run is stopped or the call timed out. */
  readonly signal: AbortSignal;
  readonly executionContext: Caller;
  /** Adds what the call cost, in US dollars, to the run. What is no amount, or too much to count, throws. */
  reportCost(usd: number): void;
  /** Tells whoever listens how far the call is: an event, no record. The value is told in its JSON form. */
  progress(value: unknown): void;
  /**
   * Asks a person, and gives the answer: also days later and in another process, for the run waits as data. Where there is no
   * answer yet the handler is dropped at this point: nothing after it runs, `catch` and `finally` do not fire, `signal` aborts.
   * Once it is answered the handler starts again from the top, with the same call id, and finds its answers in order: so do
   * nothing that must not happen twice before you ask. A question that is not approved, or not answered in time, ends the call
   * with the error result `denied` or `expired`. Rejects with `BadInputError` for what cannot be asked.
   */
  pause<S extends Schema>(question: string, options: PauseOptions<S> & { readonly schema: S }): Promise<Parsed<S>>;
  pause<T = unknown>(question: string, options?: PauseOptions<undefined>): Promise<T>;
}

/** The context of a tool with `durable: true`. */
export interface DurableToolContext<out Caller = unknown> extends ToolContext<Caller> {
  /**
   * Runs `fn` once and records what it gives, in its JSON form, before it resolves; when the handler starts again (after a
   * pause or a crash) the record is read and `fn` does not run. One that a crash interrupts runs again. What it throws is
   * recorded too, and thrown again. Steps come in the same order each time and one at a time: another order, or a second step
   * while one is open, fails the run with `JournalError`.
   */
  step<T>(name: string, fn: () => Maybe<T>): Promise<T>;
}

/** The context of `invoke` outside a run: state only what matters, the rest gets plain defaults. */
export interface ToolCallScope {
  readonly run?: RunInfo | undefined;
  readonly runId?: string | undefined;
  readonly workflow?: string | undefined;
  readonly agent?: string | undefined;
  readonly callId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly executionContext?: unknown;
  readonly reportCost?: ((usd: number) => unknown) | undefined;
  readonly progress?: ((value: unknown) => unknown) | undefined;
  /** Answers what the handler asks with `ctx.pause`; without it such a call gives `approval_required`. */
  readonly pause?: ((question: string) => unknown) | undefined;
  /** Who allowed a tool that waits for approval; without it such a tool answers `approval_required`. */
  readonly approvedBy?: string | undefined;
}
