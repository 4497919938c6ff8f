import type { PriceBook } from "../finops/price-book.js";
import type { Reservations } from "../finops/reservations.js";
import type { OnEnd } from "../journal/engine.js";
import type { PastRun, RunRow } from "../journal/store.js";
import { CallInputs } from "../llm/call-inputs.js";
import { createPromptMemo, type Model, type PromptMemo, type ToolDeclaration } from "../llm/model.js";
import type { RunEventBody } from "../protocol/event.js";
import type { Message } from "../protocol/message.js";
import type { Outcome } from "../protocol/outcome.js";
import type { CallEnvironment } from "../tools/call-environment.js";
import type { CallHook } from "../tools/call-hook.js";
import type { ExclusiveKeys, KeyPlace, TurnOrder } from "../tools/exclusive-keys.js";
import { OpenCalls } from "../tools/open-calls.js";
import type { RepeatGuard } from "../tools/repeat-guard.js";
import type { Toolset } from "../tools/toolset.js";
import type { Mask } from "../tools/value-mask.js";
import { abortController, abortError, type AbortReason } from "../util/abort.js";
import type { Maybe } from "../util/class.js";
import type { Clock } from "../util/clock.js";
import type { Deadlines } from "../util/deadlines.js";
import type { BoundAgent } from "./bound-agent.js";
import { leavePast, noPast, type PastRuns } from "./past-runs.js";
import { PastTranscript } from "./past-transcript.js";
import type { NotedTurn } from "./turn-record.js";
import { UntrustedTools } from "./untrusted-tools.js";
import { UsageTotals } from "./usage-totals.js";
import { WallTime } from "./wall-time.js";
import { UsedIds } from "./wire-ids.js";

/** What the loop is given from outside. */
export interface RunPorts {
  readonly run: RunRow;
  readonly agent: BoundAgent;
  /** The agent's tools, and those of this run alone. */
  readonly tools: Toolset;
  readonly model: Model;
  readonly executionContext: unknown;
  /** The run's scope of the container. */
  readonly instances: unknown;
  /** Where calls reserve what they may use; undefined where nothing is limited and no ledger is kept. */
  readonly reservations: Reservations | undefined;
  /** What models cost. */
  readonly prices: PriceBook;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** Keys that one call of this process may have at a time. */
  readonly exclusive: ExclusiveKeys;
  /** The ended runs of the thread that the model is shown, oldest first. */
  window(): Maybe<readonly PastRun[]>;
  /** The function that tells the listeners, or `undefined` where there are none now. */
  listener(): ((event: RunEventBody) => void) | undefined;
}

/** Where it is kept what a call reports. */
export interface ReportedCosts {
  reported(costNanoUsd: number): void;
}

/** A model call that was reserved for. */
export interface ReservedTurn {
  goOn(end: OnEnd<any>): void;
}

/** What one activation of a run knows while it goes on. Everything that matters is also in the journal. */
export class RunState implements CallEnvironment {
  readonly ports: RunPorts;
  /** The ended runs of the thread that the model is shown. */
  past: PastRuns = noPast;
  /** The run's own transcript: only ever appended to. */
  readonly messages: Message[] = [];
  readonly memo: PromptMemo = createPromptMemo();
  readonly usage: UsageTotals = new UsageTotals();
  readonly calls: OpenCalls = new OpenCalls();
  /** What was called so far, once something was. */
  repeats: RepeatGuard | undefined;
  /** The calls of the first turn, as long as no other turn asks for any. */
  firstCalls: NotedTurn | undefined;
  /** What a person has raised limits by for this run, by their names. */
  raised: ReadonlyMap<string, number> | undefined;
  /** What the calls of this activation cost, by call id, where it is kept. */
  costs: Map<string, ReportedCosts> | undefined;
  /** The model call that was reserved for and comes next, where a person may be asked. */
  reserved: ReservedTurn | undefined;
  /** The order in which exclusive calls line up, once there is one. */
  order: TurnOrder | undefined;
  /** Their places, by call id, from admission to the end. */
  places: Map<string, KeyPlace> | undefined;
  /** The calls whose end was told by this activation; only of a run that was picked up, where others are told again. */
  told: Set<string> | undefined;
  /** The servers of its tools were looked at for a model call of this activation. */
  sawRemotes = false;
  /** What the model is shown of its tools, where some are not there now. */
  offered: readonly ToolDeclaration[] | undefined;
  /** How long the run was active, where that is limited. */
  readonly wallTime: WallTime | undefined;
  #used: UsedIds | undefined;
  #controller: AbortController | undefined;
  #requests: AbortController | undefined;
  /** Made when a hook first asks. */
  #strangers: UntrustedTools | undefined;

  constructor(ports: RunPorts) {
    this.ports = ports;
    const limit = ports.agent.budget?.wallTime;
    this.wallTime = limit === undefined ? undefined : new WallTime(limit, ports, this.calls);
  }

  get inputs(): CallInputs {
    return (this.memo.inputs ??= new CallInputs());
  }

  get runId(): string {
    return this.ports.run.id;
  }

  get threadId(): string {
    return this.ports.run.threadId;
  }

  get owner(): string | undefined {
    return this.ports.run.owner;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.ports.run.metadata;
  }

  get workflow(): string {
    return this.ports.run.workflow;
  }

  get agent(): string {
    return this.ports.agent.name;
  }

  get executionContext(): unknown {
    return this.ports.executionContext;
  }

  get instances(): unknown {
    return this.ports.instances;
  }

  get hooks(): readonly CallHook[] {
    return this.ports.agent.hooks;
  }

  get mask(): Mask | undefined {
    return this.ports.agent.mask;
  }

  get untrustedTools(): readonly string[] {
    return (this.#strangers ??= new UntrustedTools(this.past.transcripts)).in(this.messages);
  }

  get spends(): ((callId: string, costNanoUsd: number) => void) | undefined {
    return this.costs === undefined ? undefined : (callId, nanoUsd) => this.costs!.get(callId)?.reported(nanoUsd);
  }

  get exclusive(): ExclusiveKeys {
    return this.ports.exclusive;
  }

  get clock(): Clock {
    return this.ports.clock;
  }

  get deadlines(): Deadlines {
    return this.ports.deadlines;
  }

  get emit(): ((event: RunEventBody) => void) | undefined {
    return this.ports.listener();
  }

  /** The signal of the model's requests: of the run, or of the one that takes too long. */
  get requestSignal(): AbortSignal {
    if (this.#requests === undefined) {
      this.#requests = abortController();
      if (this.calls.stopped !== undefined) this.#requests.abort(abortError(this.calls.stopped));
    }
    return this.#requests.signal;
  }

  /** The next request gets a signal of its own; the function that is given aborts the one of the last. */
  giveUpRequest(): () => void {
    const given = this.#requests;
    this.#requests = undefined;
    return () => given?.abort(abortError("timeout"));
  }

  /** The run's own signal: hooks get it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = abortController();
      if (this.calls.stopped !== undefined) this.#controller.abort(abortError(this.calls.stopped));
    }
    return this.#controller.signal;
  }

  /** Why the run stops, once it does. */
  get stopped(): AbortReason | undefined {
    return this.calls.stopped;
  }

  /** The ids that calls have on the wire so far. */
  get usedIds(): UsedIds {
    return (this.#used ??= new UsedIds(this.messages, this.past));
  }

  /** The next run of a thread that goes on finds here what this one was shown and said. A thread with one run costs nothing. */
  leavePast(outcome: Outcome): void {
    if (this.past.transcripts.length === 0) return;
    leavePast(outcome, this.past, new PastTranscript(this.runId, this.messages, this.memo, this.#used?.own));
  }

  abort(reason: AbortReason): void {
    if (this.calls.stopped !== undefined) return;
    this.calls.abort(reason);
    this.#controller?.abort(abortError(reason));
    this.#requests?.abort(abortError(reason));
    // A run that this process lets go of never comes to the calls that it admitted: others get their keys.
    if (reason !== "cancel" && reason !== "limit" && this.places !== undefined)
      for (const place of this.places.values()) place.leave();
  }
}
