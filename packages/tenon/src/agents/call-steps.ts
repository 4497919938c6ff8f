import type { ChildOp, Op, RunOp, Scope } from "../journal/engine.js";
import type { Repair } from "../protocol/event.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { Decision, Pause } from "../protocol/pause.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { MAX_RESULT_CHARS } from "../config/defaults.js";
import type { BoundTool } from "../tools/bound-tool.js";
import type { TurnPlace } from "../tools/exclusive-keys.js";
import { inTurn } from "../tools/in-turn.js";
import { admit, conclude, execute, failure, type Admission, type Executed } from "../tools/invoke-tool.js";
import { chain, type Maybe } from "../util/class.js";
import { lineUp, placeInTurn, takePlace } from "./exclusive-calls.js";
import { withRepeat } from "./repeated-calls.js";
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
  readonly input: JsonValue;
  readonly refusal: ToolFailure | undefined;
  readonly repairs: readonly Repair[];
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
export function runPlainCall(state: RunState, turnCall: TurnCall): Maybe<CallRecord> {
  return chain(plainCall(state, turnCall), (record) => {
    turnCall.place?.known();
    return record;
  });
}

function plainCall(state: RunState, { call, refusal, place }: TurnCall): Maybe<CallRecord> {
  const startedAt = state.clock.now();
  if (refusal !== undefined) return concluded(state, call, undefined, { result: refusal }, startedAt);
  if (state.stopped !== undefined) return concluded(state, call, undefined, { result: notRun(call.name) }, startedAt);
  return chain(admit(call, state.ports.tools, state), (admission): Maybe<CallRecord> => {
    if (admission.kind === "refused") return concluded(state, call, undefined, { result: admission.result }, startedAt);
    const lined = lineUp(state, call, admission.input, place);
    return chain(lined, (failed) => {
      if (failed !== undefined) return concluded(state, call, admission.input, { result: failed }, startedAt);
      return started(state, call, admission.input, admission.repairs, startedAt, false);
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

/** Task `execute`: the handler of an admitted call, or the end of one that does not run. */
export function executeCall(
  state: RunState,
  { call, input, refusal, repairs, again }: ExecuteInput,
): Maybe<CallRecord> {
  const startedAt = state.clock.now();
  if (refusal !== undefined) return concluded(state, call, input, { result: refusal }, startedAt);
  return started(state, call, input, repairs, startedAt, again);
}

/**
 * Child `call`: the records of one call that needs more than one. The last record before the handler is the intent: found
 * without a result and made by an earlier activation, it means that nobody knows what happened.
 */
export async function callSequence(state: RunState, scope: Scope, op: ChildOp): Promise<CallRecord> {
  const turnCall = op.input as TurnCall;
  const { call } = turnCall;
  const admitKey = `${op.key}/admit`;
  const [admission] = (await scope.all([{ type: "run", key: admitKey, task: "admit", input: turnCall }])) as [
    Admission,
  ];
  if (admission.kind === "refused") return { result: admission.result };
  const runKey = `${op.key}/run:1`;
  let intentKey = admitKey;
  let refusal: ToolFailure | undefined;
  if (admission.kind === "ask") {
    intentKey = `${op.key}/wait:1`;
    const pause = pauseOf(state, call, admission.input, admission.question);
    const [decision] = (await scope.all([{ type: "wait", key: intentKey, signal: pause.id, about: pause }])) as [
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
    input: admission.input,
    refusal,
    repairs: admission.repairs,
    again: interrupted || scope.recordedBefore(admitKey),
  };
  const execution: RunOp = { type: "run", key: runKey, task: "execute", input };
  const [record] = (await scope.all([execution])) as [CallRecord];
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

function started(
  state: RunState,
  call: ToolCallPart,
  input: JsonValue,
  repairs: readonly Repair[],
  startedAt: number,
  again: boolean,
): Maybe<CallRecord> {
  const tool = state.ports.tools.find(call.name);
  if (tool === undefined)
    return concluded(
      state,
      call,
      input,
      { result: failure("tool_gone", `${call.name} is no longer there`) },
      startedAt,
    );
  const place = takePlace(state, call, tool, input);
  if (place !== undefined && "kind" in place) return concluded(state, call, input, { result: place }, startedAt, tool);
  return inTurn(place, state, () =>
    chain(execute(call.callId, tool, input, repairs, state, again), (executed) =>
      concluded(state, call, input, executed, startedAt, tool),
    ),
  );
}

function concluded(
  state: RunState,
  call: ToolCallPart,
  input: JsonValue | undefined,
  executed: Executed,
  startedAt: number,
  tool?: BoundTool,
): Maybe<CallRecord> {
  const capped = tool !== undefined && tool.maxResultChars !== MAX_RESULT_CHARS;
  const made: CallRecord = capped ? { ...executed, maxChars: tool.maxResultChars } : executed;
  const record = tool === undefined || tool.polling ? made : withRepeat(state, call, tool.name, made);
  return chain(conclude(call, state.ports.tools, input, executed.result, startedAt, state), () => record);
}

function refusedNow(state: RunState, call: ToolCallPart, result: ToolFailure, startedAt: number): Maybe<Admission> {
  return chain(conclude(call, state.ports.tools, undefined, result, startedAt, state), (): Admission => ({
    kind: "refused",
    result,
  }));
}
