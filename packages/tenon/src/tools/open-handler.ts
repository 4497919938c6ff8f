import { HOOK_TIMEOUT_MS } from "../config/defaults.js";
import { textOf } from "../errors/tenon-error.js";
import type { ToolErrorCode, ToolFailure, ToolResult } from "../protocol/tool-result.js";
import { chain, isPromise, type Maybe } from "../util/class.js";
import type { BoundTool, Handler } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import { notReached, trustedFailure } from "./handler-failures.js";
import { ToolGone } from "./remote-tool.js";
import { CutShort, waitInTime } from "./wait-in-time.js";

/** A tool that could not be made ready for a call, as the call's result. */
export class NotReady {
  readonly result: ToolFailure;

  constructor(code: ToolErrorCode, message: string) {
    this.result = trustedFailure({ kind: "error", message, code });
    neverReady.add(this.result);
  }
}

/** Results of calls whose tool was not there: it is not made a second time only to hear of them. */
const neverReady: WeakSet<ToolResult> = new WeakSet();

/**
 * The handler of a tool. What it depends on may still be made: that is waited for as long as the tool may take, and the run
 * goes on. A tool that lives elsewhere must be there. Making goes on behind a wait that was given up, for the next call. Never throws.
 */
export function openHandler(tool: BoundTool, environment: CallEnvironment): Maybe<Handler | NotReady> {
  let handler: Maybe<Handler>;
  try {
    handler = tool.remote === undefined ? tool.open(environment.instances) : openRemote(tool, tool.remote, environment);
  } catch (thrown) {
    return failed(tool, thrown);
  }
  return isPromise(handler) ? inTime(tool, handler, environment) : handler;
}

function openRemote(
  tool: BoundTool,
  { server, tool: there }: NonNullable<BoundTool["remote"]>,
  { executionContext, instances }: CallEnvironment,
): Maybe<Handler> {
  return chain(server.usable(there, executionContext), () => tool.open(instances));
}

async function inTime(
  tool: BoundTool,
  opening: Promise<Handler>,
  environment: CallEnvironment,
): Promise<Handler | NotReady> {
  try {
    const handler = await waitInTime(opening, tool.timeoutMs, environment);
    if (!(handler instanceof CutShort)) return handler;
    return handler.reason === "timeout"
      ? new NotReady("timeout", `${tool.name} was not started: what it needs was not ready in ${tool.timeoutMs} ms`)
      : new NotReady("cancelled", `${tool.name} was not started: the run was stopped`);
  } catch (thrown) {
    return failed(tool, thrown);
  }
}

/** The handler whose own hook hears of a result; `undefined` where it is not there, or not in the time that a hook has. */
export function handlerToTell(
  tool: BoundTool,
  result: ToolResult,
  environment: CallEnvironment,
): Maybe<Handler | undefined> {
  if (result.kind === "error" && neverReady.has(result)) return undefined;
  try {
    const handler = tool.open(environment.instances);
    return isPromise(handler) ? inTimeToTell(tool, handler, environment) : handler;
  } catch {
    return undefined;
  }
}

async function inTimeToTell(
  { timeoutMs }: BoundTool,
  opening: Promise<Handler>,
  environment: CallEnvironment,
): Promise<Handler | undefined> {
  try {
    const given = await waitInTime(opening, Math.min(timeoutMs, HOOK_TIMEOUT_MS), environment);
    return given instanceof CutShort ? undefined : given;
  } catch {
    return undefined;
  }
}

function failed(tool: BoundTool, thrown: unknown): NotReady {
  if (thrown instanceof ToolGone) return new NotReady("tool_gone", thrown.message);
  return new NotReady(
    "tool_error",
    notReached(tool, thrown) ?? `${tool.name} could not be made ready: ${textOf(thrown)}`,
  );
}
