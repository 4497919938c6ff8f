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
  /** Who allowed a tool that waits for approval; without it such a tool answers `approval_required`. */
  readonly approvedBy?: string | undefined;
}
