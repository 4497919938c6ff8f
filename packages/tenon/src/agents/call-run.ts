import { MAX_RESULT_CHARS } from "../config/defaults.js";
import type { OnEnd } from "../journal/engine.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { BoundTool } from "../tools/bound-tool.js";
import type { KeyPlace, TurnPlace } from "../tools/exclusive-keys.js";
import type { Executed, ExecutionEnd } from "../tools/executed.js";
import { isLostAnswer, isTrustedFailure } from "../tools/handler-failures.js";
import { whenTurn } from "../tools/in-turn.js";
import type { Admission, AdmittedInput } from "../tools/admission.js";
import { admit, conclude, execute, failure } from "../tools/invoke-tool.js";
import type { Issue, Suspension } from "../tools/resumption.js";
import { isOwnPromise, isPromise } from "../util/class.js";
import { digestOf } from "../util/digest.js";
import { CallMoney } from "./call-money.js";
import { lineUp, takePlace } from "./exclusive-calls.js";
import { notPaidFor } from "./not-paid-for.js";
import { withRepeat } from "./repeated-calls.js";
import type { RunState } from "./run-state.js";
import { notRun } from "./transcript.js";
import type { CallRecord, OpenRecord } from "./turn-record.js";

/** Of a plain read: nothing was before. */
const firstIssue: Issue = { again: false, resumption: { answers: [], step: undefined } };

/** One issue of a call, up to its record. All of it is one object: most calls wait for nothing but their handler. */
export class CallRun implements ExecutionEnd {
  readonly #state: RunState;
  readonly #call: ToolCallPart;
  /** Its place among the exclusive calls of its turn. */
  readonly #turnPlace: TurnPlace | undefined;
  readonly #end: OnEnd<CallRecord | OpenRecord>;
  readonly #startedAt: number;
  #input: JsonValue | undefined;
  /** The tool whose handler it came to. */
  #tool: BoundTool | undefined;
  #keyPlace: KeyPlace | undefined;
  /** Where it is kept what calls cost. */
  #money: CallMoney | undefined;

  constructor(
    state: RunState,
    call: ToolCallPart,
    turnPlace: TurnPlace | undefined,
    end: OnEnd<CallRecord | OpenRecord>,
  ) {
    this.#state = state;
    this.#call = call;
    this.#turnPlace = turnPlace;
    this.#end = end;
    this.#startedAt = state.clock.elapsedMs();
  }

  /** A plain call, from its admission on. */
  begin(): void {
    const state = this.#state;
    if (state.stopped !== undefined) return this.settle(notRun(this.#call.name));
    const admission = admit(this.#call, state.ports.tools, state);
    if (isOwnPromise(admission)) this.#whenAdmitted(admission);
    else this.#admitted(admission);
  }

  // What waits is a method of its own, here and below: one that makes a closure pays for it in each call, also where none is made.
  #whenAdmitted(admission: Promise<Admission>): void {
    admission.then(
      (given) => this.#admitted(given),
      (thrown: unknown) => this.#end.failed(thrown),
    );
  }

  /** The handler of an admitted call. */
  start(admitted: AdmittedInput, issue: Issue): void {
    const state = this.#state;
    const call = this.#call;
    const { input } = admitted;
    this.#input = input;
    const tool = state.ports.tools.find(call.name);
    if (tool === undefined) return this.settle(failure("tool_gone", `${call.name} is no longer there`), input);
    this.#tool = tool;
    const place = takePlace(state, call, tool, input);
    if (state.ports.reservations !== undefined) this.#money = CallMoney.of(state, call.callId, tool);
    if (place === undefined) return this.#execute(tool, admitted, issue);
    if ("kind" in place) return this.settle(place, input);
    this.#executeInTurn(place, tool, admitted, issue);
  }

  #executeInTurn(place: KeyPlace, tool: BoundTool, admitted: AdmittedInput, issue: Issue): void {
    this.#keyPlace = place;
    whenTurn(place, this.#state, () => this.#execute(tool, admitted, issue));
  }

  #execute(tool: BoundTool, admitted: AdmittedInput, issue: Issue): void {
    const state = this.#state;
    const { callId } = this.#call;
    const { maxCostNanoUsd } = tool;
    if (this.#money === undefined || maxCostNanoUsd === undefined || state.stopped !== undefined)
      return execute(callId, tool, admitted, state, issue, this);
    this.#executeOnceReserved(this.#money, maxCostNanoUsd, tool, admitted, issue);
  }

  #executeOnceReserved(
    money: CallMoney,
    maxCostNanoUsd: number,
    tool: BoundTool,
    admitted: AdmittedInput,
    issue: Issue,
  ): void {
    const state = this.#state;
    const { callId } = this.#call;
    money.reserve(maxCostNanoUsd, (refused) => {
      if (refused === undefined) return execute(callId, tool, admitted, state, issue, this);
      this.#money = undefined;
      if (state.stopped !== undefined) return this.settle(notRun(tool.name), admitted.input);
      const unpaid = notPaidFor(tool.name, refused);
      if (unpaid === undefined) return this.#end.failed(refused);
      this.settle(unpaid, admitted.input, tool);
    });
  }

  /** The end of a call that is not run; of an admitted one, of its tool. */
  settle(result: ToolResult, input?: JsonValue, tool?: BoundTool): void {
    this.#input = input;
    this.#settled({ result }, tool);
  }

  executed(executed: Executed, started: boolean): void {
    if (!started) this.#money?.notStarted();
    if ("suspended" in executed) return this.#open("suspended", executed.suspended, executed.costNanoUsd);
    const { result } = executed;
    const doubtful = this.#tool?.inDoubt === "ask" && result.kind === "error" && result.code === "unknown_outcome";
    if (doubtful) this.#open("doubt", result, executed.costNanoUsd);
    else this.#settled(executed, this.#tool);
  }

  broken(thrown: unknown): void {
    this.#end.failed(thrown);
  }

  #settled(executed: Executed & { readonly result: ToolResult }, tool: BoundTool | undefined): void {
    const state = this.#state;
    const call = this.#call;
    state.told?.add(call.callId);
    let record: CallRecord;
    try {
      record =
        tool === undefined || tool.maxResultChars === MAX_RESULT_CHARS
          ? executed
          : { ...executed, maxChars: tool.maxResultChars };
      // One whose handler did not run says nothing but what is known here.
      const ran = this.#tool !== undefined || executed.result.kind === "ok";
      if (ran && tool?.untrusted === true && !isTrustedFailure(executed.result))
        record = { ...record, untrusted: true };
      if (tool !== undefined && !tool.polling) record = withRepeat(state, call, tool.name, record);
      const named = tool ?? state.ports.tools.find(call.name);
      const told = conclude(
        call,
        named,
        { input: this.#input, result: executed.result, startedAt: this.#startedAt },
        state,
      );
      if (isPromise(told)) return this.#closeOnceTold(told, record);
    } catch (thrown) {
      return this.#end.failed(thrown);
    }
    this.#close(record);
  }

  #closeOnceTold(told: Promise<void>, record: CallRecord): void {
    void told.then(() => this.#close(record));
  }

  /** The attempt ends without a result: its handler asked, or somebody has to find out what happened. */
  #open(kind: "suspended", suspension: Suspension, costNanoUsd: number | undefined): void;
  #open(kind: "doubt", failure: ToolFailure, costNanoUsd: number | undefined): void;
  #open(kind: "suspended" | "doubt", why: any, costNanoUsd: number | undefined): void {
    const input = this.#input!;
    const digest = digestOf(this.#call.callId, input);
    const cost = costNanoUsd === undefined ? {} : { costNanoUsd };
    // Its turn is over; the next attempt lines up again.
    this.#state.places?.delete(this.#call.callId);
    const ended = kind === "doubt" && isLostAnswer(why as ToolFailure) ? "crash" : "timeout";
    const interruption = this.#state.stopped === undefined ? ended : "cancel";
    this.#close(
      kind === "suspended"
        ? { kind, suspension: why as Suspension, input, digest, ...cost }
        : { kind, interruption, failure: why as ToolFailure, digest, ...cost },
    );
  }

  #admitted(admission: Admission): void {
    if (admission.kind === "refused") return this.settle(admission.result, admission.input);
    if (admission.kind === "ask") return this.#close({ kind: "asked", admission });
    const lined = lineUp(this.#state, this.#call, admission.input, this.#turnPlace);
    if (isPromise(lined)) this.#whenLinedUp(lined, admission);
    else this.#linedUp(lined, admission);
  }

  #whenLinedUp(lined: Promise<ToolFailure | undefined>, admission: AdmittedInput): void {
    void lined.then((failed) => this.#linedUp(failed, admission));
  }

  #linedUp(failed: ToolFailure | undefined, admitted: AdmittedInput): void {
    if (failed !== undefined) this.settle(failed, admitted.input);
    else this.start(admitted, firstIssue);
  }

  #close(record: CallRecord | OpenRecord): void {
    this.#keyPlace?.leave();
    this.#turnPlace?.known();
    if (this.#money === undefined) this.#end.done(record);
    else this.#closeOnceSettled(this.#money, record);
  }

  #closeOnceSettled(money: CallMoney, record: CallRecord | OpenRecord): void {
    try {
      const settled = money.settle(record);
      if (!isPromise(settled)) return this.#end.done(record);
      settled.then(
        () => this.#end.done(record),
        (thrown: unknown) => this.#end.failed(thrown),
      );
    } catch (thrown) {
      this.#end.failed(thrown);
    }
  }
}
