import type { OnEnd, Op, RunOp, Scope } from "../journal/engine.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { Admission, AdmittedInput } from "../tools/admission.js";
import type { TurnPlace } from "../tools/exclusive-keys.js";
import { admit, conclude, failure } from "../tools/invoke-tool.js";
import { reconcileCall, type Found } from "../tools/reconcile-call.js";
import type { Issue } from "../tools/resumption.js";
import { review } from "../tools/review-edit.js";
import { chain, type Maybe } from "../util/class.js";
import { digestOf } from "../util/digest.js";
import { CallRun } from "./call-run.js";
import { lineUp, placeInTurn } from "./exclusive-calls.js";
import type { RunState } from "./run-state.js";
import { notRun } from "./transcript.js";
import { callKey, isOpen, type CallRecord, type OpenRecord } from "./turn-record.js";

/** A call of a turn, as its operation carries it. `refusal`: it is not run, and this is why. */
export interface TurnCall {
  readonly call: ToolCallPart;
  readonly refusal: ToolFailure | undefined;
  /** Its place among the exclusive calls of its turn. */
  readonly place?: TurnPlace | undefined;
  /** What its plain read recorded in place of a result. */
  readonly open?: OpenRecord | undefined;
}

/** What an attempt of an admitted call is given. */
export interface ExecuteInput extends Issue {
  readonly call: ToolCallPart;
  readonly admitted: AdmittedInput;
  /** The result that it ends with, where its handler does not run. */
  readonly ending: ToolResult | undefined;
}

/** A call and the input that it was admitted with. */
export interface AdmittedCall {
  readonly call: ToolCallPart;
  readonly input: JsonValue;
}

/** What a tool found out about an interrupted call, with what a person's decision is bound to. */
export type FoundRecord =
  | Exclude<Found, { outcome: "unknown" }>
  | { readonly outcome: "unknown"; readonly digest: string };

/**
 * The operation of a call. A plain read, and a call that is not run, is one record; a write or an approval is a sequence of
 * its own: `admit`, `wait:1` if somebody is asked, `run:1`.
 */
export function callOp(
  state: RunState,
  scope: Scope,
  turn: number,
  call: ToolCallPart,
  refusal: ToolFailure | undefined,
): Op {
  const key = callKey(turn, call.callId);
  const tool = state.ports.tools.find(call.name);
  const input: TurnCall = { call, refusal, place: placeInTurn(state, scope, key, tool) };
  const oneRecord =
    tool === undefined || tool.plain
      ? !scope.recordedBefore(`${key}/admit`)
      : scope.recordedBefore(key) || (refusal !== undefined && !scope.recordedBefore(`${key}/admit`));
  return oneRecord ? { type: "run", key, task: "call", input } : { type: "child", key, what: "call", input };
}

/** What a plain read that waits becomes: a sequence of its own that goes on from its record. */
export function waitingOp({ key, input }: RunOp, record: CallRecord | OpenRecord): Op | undefined {
  if (!isOpen(record)) return undefined;
  const turnCall: TurnCall = { call: (input as TurnCall).call, refusal: undefined, open: record };
  return { type: "child", key, what: "call", input: turnCall };
}

/**
 * Task `call`: a plain read from admission to result, or the result of a call that is not run. Where somebody has to be asked,
 * what is asked.
 */
export function runPlainCall(
  state: RunState,
  { call, refusal, place }: TurnCall,
  end: OnEnd<CallRecord | OpenRecord>,
): void {
  const run = new CallRun(state, call, place, end);
  if (refusal === undefined) run.begin();
  else run.settle(refusal);
}

/** Task `admit`: the admission alone. One that refuses is the call's end. */
export function admitCall(state: RunState, turnCall: TurnCall): Maybe<Admission> {
  return chain(admittedCall(state, turnCall), (admitted) => {
    if (admitted.kind !== "admitted") turnCall.place?.known();
    return admitted;
  });
}

function admittedCall(state: RunState, { call, place }: TurnCall): Maybe<Admission> {
  const startedAt = state.clock.elapsedMs();
  if (state.stopped !== undefined) return refusedNow(state, call, notRun(call.name) as ToolFailure, startedAt);
  return chain(admit(call, state.ports.tools, state), (admitted): Maybe<Admission> => {
    if (admitted.kind === "refused") return refusedNow(state, call, admitted.result, startedAt, admitted.input);
    if (admitted.kind === "ask") return admitted;
    return chain(lineUp(state, call, admitted.input, place), (failed): Maybe<Admission> =>
      failed === undefined ? admitted : refusedNow(state, call, failed, startedAt),
    );
  });
}

/** Task `review`: an input that a person changed is checked, and meets the before-hooks once; they may only allow or deny it. */
export function reviewCall(
  state: RunState,
  { call, input, edit }: AdmittedCall & { readonly edit: JsonObject },
): Maybe<Admission> {
  const tool = state.ports.tools.find(call.name);
  // The after-hooks hear of the end that it leads to.
  if (tool === undefined) return { kind: "refused", result: gone(call.name) };
  if (state.stopped !== undefined) return { kind: "refused", result: notRun(call.name) as ToolFailure };
  return chain(review(call, tool, input, edit, state), (reviewed): Maybe<Admission> =>
    "denied" in reviewed
      ? { kind: "refused", result: reviewed.denied }
      : { kind: "admitted", input: reviewed.input, repairs: [] },
  );
}

/** Task `reconcile`: what the tool itself knows of a call that was interrupted. */
export async function reconcile(state: RunState, { call, input }: AdmittedCall): Promise<FoundRecord> {
  const tool = state.ports.tools.find(call.name);
  const found =
    tool === undefined ? ({ outcome: "unknown" } as const) : await reconcileCall(call.callId, tool, input, state);
  return found.outcome === "unknown" ? { outcome: "unknown", digest: digestOf(call.callId, input) } : found;
}

/** Task `execute`: an attempt of an admitted call, or the end of one that does not run. */
export function executeCall(state: RunState, attempt: ExecuteInput, end: OnEnd<CallRecord | OpenRecord>): void {
  const { call, admitted, ending } = attempt;
  const run = new CallRun(state, call, undefined, end);
  if (ending === undefined) run.start(admitted, attempt);
  else run.settle(ending, admitted.input, state.ports.tools.find(call.name));
}

function refusedNow(
  state: RunState,
  call: ToolCallPart,
  result: ToolFailure,
  startedAt: number,
  input?: JsonValue,
): Maybe<Admission> {
  const tool = state.ports.tools.find(call.name);
  state.told?.add(call.callId);
  return chain(conclude(call, tool, { input, result, startedAt }, state), (): Admission => ({
    kind: "refused",
    result,
  }));
}

function gone(name: string): ToolFailure {
  return failure("tool_gone", `${name} is no longer there`);
}
