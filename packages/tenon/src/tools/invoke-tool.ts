import type { Repair } from "../protocol/event.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { ToolErrorCode, ToolFailure, ToolResult } from "../protocol/tool-result.js";
import type { Checked } from "../schema/compiled-schema.js";
import { parseArguments } from "../schema/parse-arguments.js";
import { chain, isOwnPromise, isPromise, later, type Maybe } from "../util/class.js";
import type { BoundTool, Handler } from "./bound-tool.js";
import { CallContext } from "./call-context.js";
import type { CallHook } from "./call-hook.js";
import type { CallEnvironment } from "./call-environment.js";
import { encoded, unchecked, validated, type Fits } from "./checked-values.js";
import type { ExecutionEnd } from "./executed.js";
import { HandlerRace, type AfterHandler } from "./handler-race.js";
import { handlerToTell, NotReady, openHandler } from "./open-handler.js";
import type { Admission, AdmittedInput } from "./admission.js";
import { asked } from "./ask-person.js";
import type { Issue } from "./resumption.js";
import { askHooks, hooksOf, tellHooks } from "./run-hooks.js";
import { REPEATS_REFUSED } from "./repeat-guard.js";
import type { Toolset } from "./toolset.js";
import { CutShort, waitInTime } from "./wait-in-time.js";

/** A call as the model asked for it. */
export interface CallRequest {
  readonly callId: string;
  readonly name: string;
  /** Text as received, or a value where a program calls. */
  readonly arguments: unknown;
}

/** How a call came to its end. `input`: undefined where it was refused before it had one. */
export interface CallOutcome {
  readonly input: JsonValue | undefined;
  readonly result: ToolResult;
  /** As `Clock.elapsedMs` read. */
  readonly startedAt: number;
}

/**
 * Admission: may this call run, and with which input? Steps 1 to 5. Records nothing, starts nothing.
 * Every failure is a result that the model reads.
 */
export function admit(call: CallRequest, tools: Toolset, environment: CallEnvironment): Maybe<Admission> {
  // 1 Find the tool: the exact name, or nothing.
  const tool = tools.find(call.name);
  if (tool === undefined) return { kind: "refused", result: tools.unknown(call.name) };
  // 2 Parse and validate.
  const parsed = parseArguments(call.arguments);
  if (!parsed.ok) return refused("invalid_input", `${tool.name}: ${parsed.message}`);
  const checked = tool.input.check(parsed.value);
  return isPromise(checked)
    ? later(waitInTime(checked, tool.timeoutMs, environment), admitInTime, call, tool, parsed.repaired, environment)
    : admitChecked(checked, call, tool, parsed.repaired, environment);
}

function admitInTime(
  checked: Checked | CutShort,
  call: CallRequest,
  tool: BoundTool,
  repaired: Repair | undefined,
  environment: CallEnvironment,
): Maybe<Admission> {
  return checked instanceof CutShort
    ? refused("cancelled", `${tool.name} was not started: ${unchecked("input", tool, checked)}`)
    : admitChecked(checked, call, tool, repaired, environment);
}

function admitChecked(
  checked: Checked,
  call: CallRequest,
  tool: BoundTool,
  repaired: Repair | undefined,
  environment: CallEnvironment,
): Maybe<Admission> {
  if (!checked.ok) return refused("invalid_input", `${tool.name}: ${checked.message}`);
  if (checked.repairs.length === 0 && repaired === undefined && !tool.input.fills)
    environment.inputs?.add(call, checked.input as JsonObject);
  const repairs = repaired === undefined ? checked.repairs : [repaired, ...checked.repairs];
  // 3 The repeat guard.
  const guard = tool.polling ? undefined : environment.repeats;
  const times = guard?.any === true ? guard.before(tool.name, argumentText(call)).times : 0;
  if (times + 1 >= REPEATS_REFUSED)
    return refused(
      "repeated",
      `${tool.name} was called ${times + 1} times with this input and gave the same result: it was not run. Do something else`,
    );
  const { input } = checked;
  const handler = openHandler(tool, environment);
  return isOwnPromise(handler)
    ? later(handler, admitOpened, call, tool, input, repairs, environment)
    : admitOpened(handler, call, tool, input, repairs, environment);
}

function admitOpened(
  handler: Handler | NotReady,
  call: CallRequest,
  tool: BoundTool,
  input: JsonValue,
  repairs: readonly Repair[],
  environment: CallEnvironment,
): Maybe<Admission> {
  if (handler instanceof NotReady) return { kind: "refused", result: handler.result, input };
  // 4 The before-hooks.
  const hooks = hooksOf(tool, handler, environment);
  return hooks === undefined
    ? asked(tool, call.callId, input, repairs, undefined, environment)
    : admitByHooks(hooks, call, tool, input, repairs, environment);
}

function admitByHooks(
  hooks: readonly CallHook[],
  call: CallRequest,
  tool: BoundTool,
  input: JsonValue,
  repairs: readonly Repair[],
  environment: CallEnvironment,
): Maybe<Admission> {
  return chain(
    askHooks(hooks, { callId: call.callId, name: call.name, tool }, input, environment, (modified) =>
      validated(tool, modified, environment),
    ),
    // 5 The question, if the tool asks.
    (given) =>
      "denied" in given
        ? { ...refused("denied", `${tool.name} was not allowed: ${given.denied}`), input }
        : asked(tool, call.callId, given.input, repairs, given.ask, environment),
  );
}

/**
 * Execution of an admitted call: steps 6 to 8, raced against its timeout and the run's end. Never throws; `end` hears what it
 * gave.
 */
export function execute(
  callId: string,
  tool: BoundTool,
  admitted: AdmittedInput,
  environment: CallEnvironment,
  issue: Issue,
  end: ExecutionEnd,
): void {
  if (issue.again) runIfItFits(callId, tool, admitted, environment, issue, end);
  else run(callId, tool, admitted, environment, issue, end);
}

function runIfItFits(
  callId: string,
  tool: BoundTool,
  admitted: AdmittedInput,
  environment: CallEnvironment,
  issue: Issue,
  end: ExecutionEnd,
): void {
  // 6 Does the recorded input still fit?
  const runIfFit = (fits: Fits): void => {
    if ("input" in fits) return run(callId, tool, admitted, environment, issue, end);
    const message = `${tool.name} changed since the call was made: ${fits.message}`;
    end.executed({ result: failure("tool_gone", message) }, false);
  };
  const fits = validated(tool, structuredClone(admitted.input), environment);
  if (isPromise(fits)) void fits.then(runIfFit);
  else runIfFit(fits);
}

function run(
  callId: string,
  tool: BoundTool,
  { input, repairs }: AdmittedInput,
  environment: CallEnvironment,
  { resumption }: Issue,
  end: ExecutionEnd,
): void {
  // 7 The handler, under its timeout and signal.
  const context = new CallContext(callId, tool.name, environment, repairs, resumption);
  const race = new HandlerRace(tool, context, environment, afterHandler, end);
  const handler = openHandler(tool, environment);
  if (isOwnPromise(handler)) void later(handler, runOpened, race, input);
  else runOpened(handler, race, input);
}

function runOpened(handler: Handler | NotReady, race: HandlerRace, input: JsonValue): void {
  if (handler instanceof NotReady) race.end.executed({ result: handler.result }, false);
  else race.run(handler, input);
}

const afterHandler: AfterHandler = {
  // 8 Encode and validate what it gave.
  gave(value, race) {
    const result = encoded(race.tool, value, race.environment);
    if (isOwnPromise(result)) void later(result, tellEnd, race);
    else tellEnd(result, race);
  },
  failed(failed, race) {
    tellEnd(failed, race);
  },
};

function tellEnd(result: ToolResult, { context, end }: HandlerRace): void {
  const { costNanoUsd, started } = context;
  end.executed(costNanoUsd === 0 ? { result } : { result, costNanoUsd }, started);
}

/**
 * The end of a call, whatever its result: step 10. (Step 9, the cap, is applied where the model's text is made: `readResult`.)
 * At least once for each call, also after a crash. `tool` is undefined where there is none of the call's name.
 */
export function conclude(
  call: CallRequest,
  tool: BoundTool | undefined,
  outcome: CallOutcome,
  environment: CallEnvironment,
): Maybe<void> {
  const handler = tool === undefined ? undefined : handlerToTell(tool, outcome.result, environment);
  return isOwnPromise(handler)
    ? later(handler, concludeOpened, call, tool, outcome, environment)
    : concludeOpened(handler, call, tool, outcome, environment);
}

function concludeOpened(
  handler: Handler | undefined,
  call: CallRequest,
  tool: BoundTool | undefined,
  { input, result, startedAt }: CallOutcome,
  environment: CallEnvironment,
): Maybe<void> {
  const hooks = hooksOf(tool, handler, environment);
  const { emit } = environment;
  if (hooks === undefined && emit === undefined) return undefined;
  const durationMs = environment.clock.elapsedMs() - startedAt;
  emit?.({ type: "tool-end", callId: call.callId, name: tool?.name ?? call.name, result, durationMs });
  return hooks === undefined
    ? undefined
    : tellHooks(hooks, { callId: call.callId, name: call.name, tool }, input, result, durationMs, environment);
}

/** The arguments as text, as the repeat guard compares them. */
export function argumentText({ arguments: given }: CallRequest): string {
  return typeof given === "string" ? given : "";
}

/** An error result. */
export function failure(code: ToolErrorCode, message: string): ToolFailure {
  return { kind: "error", message, code };
}

function refused(code: ToolErrorCode, message: string): Admission {
  return { kind: "refused", result: failure(code, message) };
}
