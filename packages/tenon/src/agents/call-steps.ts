import type { Op, Scope } from "../journal/engine.js";
import type { Repair } from "../protocol/event.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { ToolFailure, ToolResult } from "../protocol/tool-result.js";
import { MAX_RESULT_CHARS } from "../config/defaults.js";
import type { BoundTool } from "../tools/bound-tool.js";
import type { TurnPlace } from "../tools/exclusive-keys.js";
import { inTurn } from "../tools/in-turn.js";
import { reconcileCall, type Found } from "../tools/reconcile-call.js";
import type { Resumption, Suspension } from "../tools/resumption.js";
import { review } from "../tools/review-edit.js";
import type { Admission } from "../tools/admission.js";
import { admit, conclude, execute, failure, type Executed } from "../tools/invoke-tool.js";
import { chain, type Maybe } from "../util/class.js";
import { digestOf } from "../util/digest.js";
import { lineUp, placeInTurn, takePlace } from "./exclusive-calls.js";
import { withRepeat } from "./repeated-calls.js";
import type { RunState } from "./run-state.js";
import { notRun } from "./transcript.js";
import { callKey, type CallRecord, type OpenRecord } from "./turn-record.js";

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
export interface ExecuteInput {
  readonly call: ToolCallPart;
  readonly input: JsonValue;
  /** The result that it ends with, where its handler does not run. */
  readonly ending: ToolResult | undefined;
  readonly repairs: readonly Repair[];
  /** A person changed the input. */
  readonly edited: boolean;
  /** An earlier activation admitted it. */
  readonly again: boolean;
  readonly resumption: Resumption;
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
export function waitingOp(turn: number, call: ToolCallPart, open: OpenRecord): Op {
  const input: TurnCall = { call, refusal: undefined, open };
  return { type: "child", key: callKey(turn, call.callId), what: "call", input };
}

/**
 * Task `call`: a plain read from admission to result, or the result of a call that is not run. Where somebody has to be asked,
 * what is asked.
 */
export function runPlainCall(state: RunState, turnCall: TurnCall): Maybe<CallRecord | OpenRecord> {
  return chain(plainCall(state, turnCall), (record) => {
    turnCall.place?.known();
    return record;
  });
}

function plainCall(state: RunState, { call, refusal, place }: TurnCall): Maybe<CallRecord | OpenRecord> {
  const startedAt = state.clock.now();
  if (refusal !== undefined) return concluded(state, call, undefined, { result: refusal }, startedAt);
  if (state.stopped !== undefined) return concluded(state, call, undefined, { result: notRun(call.name) }, startedAt);
  return chain(admit(call, state.ports.tools, state), (admission): Maybe<CallRecord | OpenRecord> => {
    if (admission.kind === "refused") return concluded(state, call, undefined, { result: admission.result }, startedAt);
    if (admission.kind === "ask") return { kind: "asked", admission };
    const lined = lineUp(state, call, admission.input, place);
    return chain(lined, (failed): Maybe<CallRecord | OpenRecord> => {
      if (failed !== undefined) return concluded(state, call, admission.input, { result: failed }, startedAt);
      return started(state, { call, input: admission.input, repairs: admission.repairs, ...firstAttempt }, startedAt);
    });
  });
}

/** Task `admit`: the admission alone. One that refuses is the call's end. */
export function admitCall(state: RunState, turnCall: TurnCall): Maybe<Admission> {
  return chain(admittedCall(state, turnCall), (admitted) => {
    if (admitted.kind !== "admitted") turnCall.place?.known();
    return admitted;
  });
}

function admittedCall(state: RunState, { call, place }: TurnCall): Maybe<Admission> {
  const startedAt = state.clock.now();
  if (state.stopped !== undefined) return refusedNow(state, call, notRun(call.name) as ToolFailure, startedAt);
  return chain(admit(call, state.ports.tools, state), (admitted): Maybe<Admission> => {
    if (admitted.kind === "refused") return refusedNow(state, call, admitted.result, startedAt);
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
  const startedAt = state.clock.now();
  const tool = state.ports.tools.find(call.name);
  if (tool === undefined) return refusedNow(state, call, gone(call.name), startedAt);
  if (state.stopped !== undefined) return refusedNow(state, call, notRun(call.name) as ToolFailure, startedAt);
  return chain(review(call, tool, input, edit, state), (reviewed): Maybe<Admission> =>
    "denied" in reviewed
      ? refusedNow(state, call, reviewed.denied, startedAt)
      : { kind: "admitted", input: reviewed.input, repairs: [] },
  );
}

/** Task `reconcile`: what the tool itself knows of a call that was interrupted. */
export async function reconcile(state: RunState, { call, input }: AdmittedCall): Promise<FoundRecord> {
  const tool = state.ports.tools.find(call.name);
  const found =
    tool === undefined ? ({ outcome: "unknown" } as const) : await reconcileCall(call.callId, tool, input, state);
  return found.outcome === "unknown" ? { outcome: "unknown", digest: await digestOf(call.callId, input) } : found;
}

/** Task `execute`: an attempt of an admitted call, or the end of one that does not run. */
export function executeCall(state: RunState, attempt: ExecuteInput): Maybe<CallRecord | OpenRecord> {
  const startedAt = state.clock.now();
  const { call, input, ending } = attempt;
  return ending === undefined
    ? started(state, attempt, startedAt)
    : concluded(state, call, input, { result: ending }, startedAt, state.ports.tools.find(call.name));
}

/** A plain read asks for the first time, and is not issued again. */
const firstAttempt = { ending: undefined, edited: false, again: false, resumption: { answers: [], step: undefined } };

function started(
  state: RunState,
  { call, input, repairs, again, resumption }: ExecuteInput,
  startedAt: number,
): Maybe<CallRecord | OpenRecord> {
  const tool = state.ports.tools.find(call.name);
  if (tool === undefined) return concluded(state, call, input, { result: gone(call.name) }, startedAt);
  const place = takePlace(state, call, tool, input);
  if (place !== undefined && "kind" in place) return concluded(state, call, input, { result: place }, startedAt, tool);
  return inTurn(place, state, () =>
    chain(
      execute(call.callId, tool, input, repairs, state, again, resumption),
      (executed): Maybe<CallRecord | OpenRecord> => {
        if ("suspended" in executed) return suspended(state, call, input, executed);
        const { result } = executed;
        if (tool.inDoubt === "ask" && result.kind === "error" && result.code === "unknown_outcome")
          return doubtful(state, call, input, result, executed.costNanoUsd);
        return concluded(state, call, input, executed, startedAt, tool);
      },
    ),
  );
}

async function suspended(
  state: RunState,
  call: ToolCallPart,
  input: JsonValue,
  { suspended: suspension, ...cost }: Executed & { readonly suspended: Suspension },
): Promise<OpenRecord> {
  // Its turn is over; the next attempt lines up again.
  state.places?.delete(call.callId);
  return { kind: "suspended", suspension, input, digest: await digestOf(call.callId, input), ...cost };
}

async function doubtful(
  state: RunState,
  call: ToolCallPart,
  input: JsonValue,
  why: ToolFailure,
  costNanoUsd: number | undefined,
): Promise<OpenRecord> {
  state.places?.delete(call.callId);
  const interruption = state.stopped === undefined ? "timeout" : "cancel";
  const digest = await digestOf(call.callId, input);
  return { kind: "doubt", interruption, failure: why, digest, ...(costNanoUsd === undefined ? {} : { costNanoUsd }) };
}

function concluded(
  state: RunState,
  call: ToolCallPart,
  input: JsonValue | undefined,
  executed: Executed & { readonly result: ToolResult },
  startedAt: number,
  tool?: BoundTool,
): Maybe<CallRecord> {
  const capped = tool !== undefined && tool.maxResultChars !== MAX_RESULT_CHARS;
  const made: CallRecord = capped ? { ...executed, maxChars: tool.maxResultChars } : executed;
  const record = tool === undefined || tool.polling ? made : withRepeat(state, call, tool.name, made);
  state.told?.add(call.callId);
  return chain(conclude(call, state.ports.tools, input, executed.result, startedAt, state), () => record);
}

function refusedNow(state: RunState, call: ToolCallPart, result: ToolFailure, startedAt: number): Maybe<Admission> {
  state.told?.add(call.callId);
  return chain(conclude(call, state.ports.tools, undefined, result, startedAt, state), (): Admission => ({
    kind: "refused",
    result,
  }));
}

function gone(name: string): ToolFailure {
  return failure("tool_gone", `${name} is no longer there`);
}
