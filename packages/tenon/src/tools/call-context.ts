import { BadInputError } from "../errors/run-errors.js";
import { textOf } from "../errors/tenon-error.js";
import type { Repair } from "../protocol/event.js";
import type { JsonValue } from "../protocol/json.js";
import { abortController, abortError, type AbortReason } from "../util/abort.js";
import { copyPlain } from "../util/copy-plain.js";
import type { CallEnvironment } from "./call-environment.js";
import { toJson } from "./json-encoding.js";
import type { OpenCall } from "./open-calls.js";
import { pauseOf, stepOf, type Left } from "./leave-handler.js";
import type { Resumption } from "./resumption.js";
import type { DurableToolContext, RunInfo } from "./tool-context.js";

/** The context of one call, while it runs. Its signal is made on first access: most handlers never ask. */
export class CallContext implements DurableToolContext<any>, OpenCall {
  readonly callId: string;
  /** What was repaired in the arguments; told when the handler starts. */
  readonly repairs: readonly Repair[];
  /** The handler was called. */
  started = false;
  /** The call has its result. */
  settled = false;
  /** What waits for the handler, while it is waited for. */
  race: { cutShort(reason: AbortReason): void } | undefined;
  /** How the handler left without a value, once it did. */
  left: Left | undefined;
  /** The handler waits for what never comes: it was dropped after its call was over. */
  dropped = false;
  /** Hears of that, once the call has its result. */
  onDropped: (() => void) | undefined;
  readonly #environment: CallEnvironment;
  readonly #name: string;
  readonly #resumption: Resumption | undefined;
  #pause: DurableToolContext["pause"] | undefined;
  #step: DurableToolContext["step"] | undefined;
  #progress: ((value: unknown) => void) | undefined;
  #controller: AbortController | undefined;
  #aborted: AbortReason | undefined;
  #run: RunInfo | undefined;
  #nanoUsd = 0;
  #report: ((usd: number) => void) | undefined;

  constructor(
    callId: string,
    name: string,
    environment: CallEnvironment,
    repairs: readonly Repair[],
    resumption?: Resumption,
  ) {
    this.#resumption = resumption;
    this.#name = name;
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
      this.#controller = abortController();
      if (this.#aborted !== undefined) this.#controller.abort(abortError(this.#aborted));
    }
    return this.#controller.signal;
  }

  get run(): RunInfo {
    return (this.#run ??= new CallRun(this, this.#environment));
  }

  /** Both are bound to their call: a handler may take them out of the context. */
  get progress(): (value: unknown) => void {
    return (this.#progress ??= (value) => this.#tellProgress(value));
  }

  get reportCost(): (usd: number) => void {
    return (this.#report ??= (usd) => this.#addCost(usd));
  }

  get pause(): DurableToolContext["pause"] {
    return (this.#pause ??= pauseOf(this.#name, this.#resumption, this.#environment, this));
  }

  get step(): DurableToolContext["step"] {
    return (this.#step ??= stepOf(this.#resumption, this));
  }

  /** The handler goes no further: its call ends, or waits, without it. */
  leave(left: Left): void {
    if (this.left !== undefined) return;
    // What comes first counts: a call whose time is over, or whose run was stopped, asks nobody any more.
    if (this.settled || this.#aborted !== undefined) return this.drop();
    this.left = left;
    this.abort("paused");
  }

  drop(): void {
    if (this.dropped) return;
    this.dropped = true;
    this.onDropped?.();
  }

  /** What the handler reported so far, in whole nano-USD: rounded up, where more than a billionth of it is over. */
  get costNanoUsd(): number {
    if (this.#nanoUsd === 0) return 0;
    const nearest = Math.round(this.#nanoUsd);
    // Less than that is the noise of adding.
    return Math.abs(this.#nanoUsd - nearest) <= this.#nanoUsd * 1e-9 ? nearest : Math.ceil(this.#nanoUsd);
  }

  /** Why it was stopped, once it was. */
  get aborted(): AbortReason | undefined {
    return this.#aborted;
  }

  abort(reason: AbortReason): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = reason;
    this.#controller?.abort(abortError(reason));
    this.race?.cutShort(reason);
  }

  #tellProgress(value: unknown): void {
    const { emit, onProgress } = this.#environment;
    if (this.settled) return;
    onProgress?.(value);
    emit?.({ type: "tool-progress", callId: this.callId, name: this.#name, value: told(value) });
  }

  #addCost(usd: number): void {
    if (typeof usd !== "number" || !Number.isFinite(usd) || usd < 0) {
      throw new BadInputError(
        "reportCost takes US dollars, zero or more",
        String(usd),
        "Report what the call cost, as a number.",
      );
    }
    const nanoUsd = this.#nanoUsd + usd * 1e9;
    if (nanoUsd > Number.MAX_SAFE_INTEGER)
      throw new BadInputError(
        "A call reports more than can be counted",
        String(usd),
        "The most is 9,007,199 US dollars, all reports of a call together.",
      );
    this.#nanoUsd = nanoUsd;
    this.#environment.onCost?.(usd);
    this.#environment.spends?.(this.callId, this.costNanoUsd);
  }
}

/** Progress in its JSON form. What has none is a note: a call does not fail because somebody listens. */
function told(value: unknown): JsonValue {
  try {
    return toJson(value);
  } catch (thrown) {
    return `[progress that cannot be told: it ${textOf(thrown)}]`;
  }
}

/** The run as one call sees it: its signal is the call's own. */
class CallRun implements RunInfo {
  readonly runId: string;
  readonly threadId: string;
  readonly owner: string | undefined;
  readonly #call: CallContext;
  readonly #environment: CallEnvironment;
  #metadata: Readonly<Record<string, unknown>> | undefined;

  constructor(call: CallContext, environment: CallEnvironment) {
    this.runId = environment.runId;
    this.threadId = environment.threadId;
    this.owner = environment.owner;
    this.#call = call;
    this.#environment = environment;
  }

  /** The call's own copy: what is stored with the run stays as it is. */
  get metadata(): Readonly<Record<string, unknown>> {
    return (this.#metadata ??= copyPlain(this.#environment.metadata));
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
