import type { ChildOp, OnEnd, Op, RunOp, Scope, Steps } from "../journal/engine.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { Decision, Pause } from "../protocol/pause.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import type { TurnPlace } from "../tools/exclusive-keys.js";
import { admit, conclude, failure, type Admission, type AdmittedInput } from "../tools/invoke-tool.js";
import { chain, type Maybe } from "../util/class.js";
import { CallRun } from "./call-run.js";
import { lineUp, placeInTurn } from "./exclusive-calls.js";
import type { RunState } from "./run-state.js";
import { notRun, unknownOutcome } from "./transcript.js";
import { callKey, type CallRecord } from "./turn-record.js";

/** A call of a turn, as its operation carries it. `refusal`: it is not run, and this is why. */
export interface TurnCall {
  readonly call: ToolCallPart;
  readonly refusal: ToolFailure | undefined;
  /** Its place among the exclusive calls of its turn. */
  readonly place?: TurnPlace | undefined;
}

interface ExecuteInput {
  readonly call: ToolCallPart;
  readonly admitted: AdmittedInput;
  readonly refusal: ToolFailure | undefined;
  /** An earlier activation admitted it. */
  readonly again: boolean;
}

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

/** Task `call`: a plain read from admission to result, or the result of a call that is not run. */
export function runPlainCall(state: RunState, { call, refusal, place }: TurnCall, end: OnEnd<CallRecord>): void {
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

/** Task `execute`: the handler of an admitted call, or the end of one that does not run. */
export function executeCall(
  state: RunState,
  { call, admitted, refusal, again }: ExecuteInput,
  end: OnEnd<CallRecord>,
): void {
  const run = new CallRun(state, call, undefined, end);
  if (refusal === undefined) run.start(admitted, again);
  else run.settle(refusal, admitted.input);
}

/**
 * Child `call`: the records of one call that needs more than one. The last record before the handler is the intent: found
 * without a result and made by an earlier activation, it means that nobody knows what happened.
 */
export function* callSequence(state: RunState, scope: Scope, op: ChildOp): Steps<CallRecord> {
  const turnCall = op.input as TurnCall;
  const { call } = turnCall;
  const admitKey = `${op.key}/admit`;
  const [admission] = (yield [{ type: "run", key: admitKey, task: "admit", input: turnCall }]) as [Admission];
  if (admission.kind === "refused") return { result: admission.result };
  const runKey = `${op.key}/run:1`;
  let intentKey = admitKey;
  let refusal: ToolFailure | undefined;
  if (admission.kind === "ask") {
    intentKey = `${op.key}/wait:1`;
    const pause = pauseOf(state, call, admission.input, admission.question);
    const [decision] = (yield [{ type: "wait", key: intentKey, signal: pause.id, about: pause }]) as [
      Decision | undefined,
    ];
    if (decision === undefined) refusal = notRun(call.name) as ToolFailure;
    else if (!decision.approved) refusal = failure("denied", `${call.name} was not approved: ${decision.reason}`);
  }
  const interrupted = scope.recordedBefore(intentKey) && !scope.recordedBefore(runKey);
  if (interrupted && refusal === undefined) {
    // A read is issued again with the same call id; a write that may have happened is not.
    if (state.ports.tools.find(call.name)?.access !== "read") refusal = unknownOutcome(call.name) as ToolFailure;
  }
  const input: ExecuteInput = {
    call,
    admitted: admission,
    refusal,
    again: interrupted || scope.recordedBefore(admitKey),
  };
  const execution: RunOp = { type: "run", key: runKey, task: "execute", input };
  const [record] = (yield [execution]) as [CallRecord];
  return record;
}

function pauseOf(state: RunState, call: ToolCallPart, input: JsonValue, question: string): Pause {
  const tool = state.ports.tools.find(call.name);
  return {
    id: `pause_${call.callId}_1`,
    runId: state.runId,
    threadId: state.threadId,
    kind: "approval",
    question,
    agent: state.agent,
    tool: tool?.name ?? call.name,
    callId: call.callId,
    input: tool === undefined ? input : tool.input.mask(input),
    openedAt: state.clock.now(),
  };
}

function refusedNow(state: RunState, call: ToolCallPart, result: ToolFailure, startedAt: number): Maybe<Admission> {
  const tool = state.ports.tools.find(call.name);
  return chain(conclude(call, tool, { input: undefined, result, startedAt }, state), (): Admission => ({
    kind: "refused",
    result,
  }));
}
