import { BadInputError } from "../errors/run-errors.js";
import type { Repair } from "../protocol/event.js";
import { abortError, type AbortReason } from "../util/abort.js";
import type { CallEnvironment } from "./call-environment.js";
import type { OpenCall } from "./open-calls.js";
import type { RunInfo, ToolContext } from "./tool-context.js";

/** The context of one call, while it runs. Its signal is made on first access: most handlers never ask. */
export class CallContext implements ToolContext<any>, OpenCall {
  readonly callId: string;
  /** What was repaired in the arguments; told when the handler starts. */
  readonly repairs: readonly Repair[];
  /** What the handler reported so far, in nano-USD. */
  costNanoUsd = 0;
  /** The handler was called. */
  started = false;
  /** The call has its result. */
  settled = false;
  /** Ends the wait for the handler; set while it is waited for. */
  onAbort: ((reason: AbortReason) => void) | undefined;
  readonly #environment: CallEnvironment;
  #controller: AbortController | undefined;
  #aborted: AbortReason | undefined;
  #run: RunInfo | undefined;
  #report: ((usd: number) => void) | undefined;

  constructor(callId: string, environment: CallEnvironment, repairs: readonly Repair[]) {
    this.repairs = repairs;
    this.callId = callId;
    this.#environment = environment;
  }

  get workflow(): string {
    return this.#environment.workflow;
  }

  get agent(): string {
    return this.#environment.agent;
  }

  get executionContext(): any {
    return this.#environment.executionContext;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(abortError(this.#aborted));
    }
    return this.#controller.signal;
  }

  get run(): RunInfo {
    return (this.#run ??= new CallRun(this, this.#environment));
  }

  /** Bound to its call: a handler may take it out of the context. */
  get reportCost(): (usd: number) => void {
    return (this.#report ??= (usd) => this.#addCost(usd));
  }

  /** Why it was stopped, once it was. */
  get aborted(): AbortReason | undefined {
    return this.#aborted;
  }

  abort(reason: AbortReason): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = reason;
    this.#controller?.abort(abortError(reason));
    this.onAbort?.(reason);
  }

  #addCost(usd: number): void {
    if (typeof usd !== "number" || !Number.isFinite(usd) || usd < 0) {
      throw new BadInputError(
        "reportCost takes US dollars, zero or more",
        String(usd),
        "Report what the call cost, as a number.",
      );
    }
    this.costNanoUsd += Math.round(usd * 1e9);
    this.#environment.onCost?.(usd);
  }
}

/** The run as one call sees it: its signal is the call's own. */
class CallRun implements RunInfo {
  readonly runId: string;
  readonly threadId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly owner: string | undefined;
  readonly #call: CallContext;

  constructor(call: CallContext, { runId, threadId, metadata, owner }: CallEnvironment) {
    this.runId = runId;
    this.threadId = threadId;
    this.metadata = metadata;
    this.owner = owner;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
