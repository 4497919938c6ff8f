import { textOf } from "../errors/tenon-error.js";
import type { Repair } from "../protocol/event.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolErrorCode, ToolFailure, ToolResult } from "../protocol/tool-result.js";
import { parseArguments } from "../schema/parse-arguments.js";
import { chain, type Maybe } from "../util/class.js";
import type { BoundTool } from "./bound-tool.js";
import { CallContext } from "./call-context.js";
import type { CallEnvironment } from "./call-environment.js";
import { toJson } from "./json-encoding.js";
import { handlerToTell, NotReady, openHandler } from "./open-handler.js";
import { raceHandler } from "./race-handler.js";
import type { Admission } from "./admission.js";
import { asked } from "./ask-person.js";
import type { Resumption, Suspension } from "./resumption.js";
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

/** What execution gave, with what the handler reported to have spent. */
export type Executed = { readonly costNanoUsd?: number | undefined } & (
  | { readonly result: ToolResult }
  /** The handler asked a question that nobody has answered yet, and starts again once somebody has. */
  | { readonly suspended: Suspension }
);

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
  return chain(waitInTime(tool.input.check(parsed.value), tool.timeoutMs, environment), (checked): Maybe<Admission> => {
    if (checked instanceof CutShort)
      return refused("cancelled", `${tool.name} was not started: ${unchecked("input", tool, checked)}`);
    if (!checked.ok) return refused("invalid_input", `${tool.name}: ${checked.message}`);
    const repairs = parsed.repaired === undefined ? checked.repairs : [parsed.repaired, ...checked.repairs];
    // 3 The repeat guard.
    const times = tool.polling ? 0 : (environment.repeats?.before(tool.name, argumentText(call)).times ?? 0);
    if (times + 1 >= REPEATS_REFUSED)
      return refused(
        "repeated",
        `${tool.name} was called ${times + 1} times with this input and gave the same result: it was not run. Do something else`,
      );
    // 4 The before-hooks.
    return chain(openHandler(tool, environment), (handler): Maybe<Admission> => {
      if (handler instanceof NotReady) return { kind: "refused", result: handler.result };
      const hooks = hooksOf(tool, handler, environment);
      if (hooks === undefined) return asked(tool, call.callId, checked.input, repairs, undefined, environment);
      const hooked = { callId: call.callId, name: call.name, tool };
      const verdict = askHooks(hooks, hooked, checked.input, environment, (input) =>
        validated(tool, input, environment),
      );
      // 5 The question, if the tool asks.
      return chain(verdict, (given) =>
        "denied" in given
          ? refused("denied", `${tool.name} was not allowed: ${given.denied}`)
          : asked(tool, call.callId, given.input, repairs, given.ask, environment),
      );
    });
  });
}

/**
 * Execution of an admitted call: steps 6 to 8, raced against its timeout and the run's end. Never throws. `again`: the call
 * was recorded earlier and is issued again, so its input has to fit today's tool.
 */
export function execute(
  callId: string,
  tool: BoundTool,
  input: JsonValue,
  repairs: readonly Repair[],
  environment: CallEnvironment,
  again: boolean,
  resumption?: Resumption,
): Maybe<Executed> {
  // 6 Does the recorded input still fit?
  if (again) {
    return chain(validated(tool, structuredClone(input), environment), (fits) =>
      "message" in fits
        ? { result: failure("tool_gone", `${tool.name} changed since the call was made: ${fits.message}`) }
        : run(callId, tool, input, repairs, environment, resumption),
    );
  }
  return run(callId, tool, input, repairs, environment, resumption);
}

function run(
  callId: string,
  tool: BoundTool,
  input: JsonValue,
  repairs: readonly Repair[],
  environment: CallEnvironment,
  resumption: Resumption | undefined,
): Maybe<Executed> {
  return chain(openHandler(tool, environment), (handler): Maybe<Executed> => {
    if (handler instanceof NotReady) return { result: handler.result };
    const context = new CallContext(callId, tool.name, environment, repairs, resumption);
    // 7 The handler, under its timeout and signal.
    return raceHandler(tool, handler, input, context, environment, (given) =>
      // 8 Encode and validate what it gave.
      "value" in given
        ? chain(encoded(tool, given.value, environment), (result) => executed({ result }, context))
        : executed("failure" in given ? { result: given.failure } : given, context),
    );
  });
}

function executed(end: Executed, { costNanoUsd }: CallContext): Executed {
  return costNanoUsd === 0 ? end : { ...end, costNanoUsd };
}

/**
 * The end of a call, whatever its result: step 10. (Step 9, the cap, is applied where the model's text is made: `resultText`.)
 * At least once for each call, also after a crash.
 */
export function conclude(
  call: CallRequest,
  tools: Toolset,
  input: JsonValue | undefined,
  result: ToolResult,
  startedAt: number,
  environment: CallEnvironment,
): Maybe<void> {
  const tool = tools.find(call.name);
  return chain(tool === undefined ? undefined : handlerToTell(tool, result, environment), (handler): Maybe<void> => {
    const hooks = hooksOf(tool, handler, environment);
    if (hooks === undefined && environment.emit === undefined) return undefined;
    const durationMs = environment.clock.now() - startedAt;
    environment.emit?.({ type: "tool-end", callId: call.callId, name: tool?.name ?? call.name, result, durationMs });
    return hooks === undefined
      ? undefined
      : tellHooks(hooks, { callId: call.callId, name: call.name, tool }, input, result, durationMs, environment);
  });
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

/** An input that was not made by the model, checked again: its JSON form, or what is wrong with it. */
export function validated(
  tool: BoundTool,
  input: unknown,
  environment: Pick<CallEnvironment, "calls" | "deadlines">,
): Maybe<{ readonly input: JsonValue } | { readonly message: string }> {
  try {
    return chain(waitInTime(tool.input.check(toJson(input)), tool.timeoutMs, environment), (checked) => {
      if (checked instanceof CutShort) return { message: unchecked("input", tool, checked) };
      return checked.ok ? { input: checked.input } : { message: checked.message };
    });
  } catch (thrown) {
    return { message: textOf(thrown) };
  }
}

/** What a handler gave as a result: encoded once, and checked against the tool's output. */
export function encoded(
  tool: BoundTool,
  value: unknown,
  environment: Pick<CallEnvironment, "calls" | "deadlines">,
): Maybe<ToolResult> {
  let json: JsonValue;
  try {
    json = toJson(value);
  } catch (thrown) {
    return failure("invalid_output", `${tool.name} gave a result that cannot be told: it ${textOf(thrown)}`);
  }
  if (tool.output === undefined) return { kind: "ok", value: json };
  return chain(waitInTime(tool.output.check(json), tool.timeoutMs, environment), (checked): ToolResult => {
    if (checked instanceof CutShort)
      return failure("invalid_output", `${tool.name}: ${unchecked("result", tool, checked)}`);
    if (checked.ok) return { kind: "ok", value: checked.input };
    return failure("invalid_output", `${tool.name} gave a result that does not fit its output: ${checked.message}`);
  });
}

/** Why a check of a library that takes its time was not waited for. */
function unchecked(what: "input" | "result", tool: BoundTool, { reason }: CutShort): string {
  return reason === "timeout"
    ? `its ${what} was not checked within ${tool.timeoutMs} ms`
    : `the run was stopped while its ${what} was checked`;
}
