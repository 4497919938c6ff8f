import { HOOK_TIMEOUT_MS } from "../config/defaults.js";
import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { chain, isPromise, type Maybe } from "../util/class.js";
import type { BoundTool, Handler } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import type { AfterCall, BeforeCall, CallHook, HookContext } from "./call-hook.js";

/** A call as its hooks see it. */
export interface HookedCall {
  readonly callId: string;
  readonly name: string;
  readonly tool: BoundTool | undefined;
}

export type Verdict = { readonly denied: string } | { readonly input: JsonValue; readonly modified: boolean };

/** The hooks of a call in order: the app's, the agent's, the tool's own. Undefined where there are none. */
export function hooksOf(
  tool: BoundTool | undefined,
  handler: Handler | undefined,
  environment: CallEnvironment,
): readonly CallHook[] | undefined {
  const own = handler !== undefined && (handler.onBeforeCall !== undefined || handler.onAfterCall !== undefined);
  const toolHooks = tool?.hooks ?? [];
  if (!own && toolHooks.length === 0) return environment.hooks.length === 0 ? undefined : environment.hooks;
  return own ? [...environment.hooks, ...toolHooks, handler] : [...environment.hooks, ...toolHooks];
}

/**
 * Asks the before-hooks in order. Each sees what the one before it made of the input. Whatever is not a clear answer is a
 * no: a throw, a rejection, no answer in time, any other shape. `validate` gives the message for an input that does not fit.
 */
export function askHooks(
  hooks: readonly CallHook[],
  call: HookedCall,
  input: JsonValue,
  environment: CallEnvironment,
  validate: (input: unknown) => Maybe<{ readonly input: JsonValue } | { readonly message: string }>,
): Maybe<Verdict> {
  const context = hookContext(environment);
  const ask = (at: number, current: JsonValue, modified: boolean): Maybe<Verdict> => {
    while (at < hooks.length && hooks[at]!.onBeforeCall === undefined) at++;
    if (at === hooks.length) return { input: current, modified };
    const hook = hooks[at]!;
    const answer = guarded(environment, () => hook.onBeforeCall!(context, beforeCall(call, current)));
    return chain(answer, (given): Maybe<Verdict> => {
      if ("failed" in given) {
        environment.emit?.({ type: "hook-error", callId: call.callId, hook: "onBeforeCall", message: given.failed });
        return { denied: `a check before the call failed (${given.failed})` };
      }
      const decision = given.value as { action?: unknown; input?: unknown; reason?: unknown } | undefined;
      if (decision === undefined) return ask(at + 1, current, modified);
      const action = typeof decision === "object" && decision !== null ? decision.action : undefined;
      if (action === "allow") return ask(at + 1, current, modified);
      if (action === "deny")
        return {
          denied:
            typeof decision.reason === "string" && decision.reason !== "" ? decision.reason : "no reason was given",
        };
      if (action !== "modify" || !("input" in decision))
        return { denied: "a check before the call gave no clear answer" };
      return chain(validate(decision.input), (checked): Maybe<Verdict> =>
        "message" in checked
          ? { denied: `a check before the call changed the input to one that does not fit: ${checked.message}` }
          : ask(at + 1, checked.input, true),
      );
    });
  };
  return ask(0, input, false);
}

/** Tells the after-hooks, last one first. A hook that throws is an event; it changes nothing and stops no other. */
export function tellHooks(
  hooks: readonly CallHook[],
  call: HookedCall,
  input: JsonValue | undefined,
  result: ToolResult,
  durationMs: number,
  environment: CallEnvironment,
): Maybe<void> {
  const context = hookContext(environment);
  const tell = (at: number): Maybe<void> => {
    while (at >= 0 && hooks[at]!.onAfterCall === undefined) at--;
    if (at < 0) return undefined;
    const hook = hooks[at]!;
    const info: AfterCall = Object.freeze({
      ...beforeCall(call, input ?? {}),
      ok: result.kind === "ok",
      result: result.kind === "ok" ? frozenCopy(result.value as JsonValue) : undefined,
      error: result.kind === "error" ? result.message : undefined,
      durationMs,
    });
    return chain(
      guarded(environment, () => hook.onAfterCall!(context, info)),
      (given) => {
        if ("failed" in given)
          environment.emit?.({ type: "hook-error", callId: call.callId, hook: "onAfterCall", message: given.failed });
        return tell(at - 1);
      },
    );
  };
  return tell(hooks.length - 1);
}

type Given = { readonly value: unknown } | { readonly failed: string };

function guarded(environment: CallEnvironment, run: () => unknown): Maybe<Given> {
  try {
    const value = run();
    if (!isPromise(value)) return { value };
    return new Promise((resolve) => {
      const deadline = environment.deadlines.add(HOOK_TIMEOUT_MS, () =>
        resolve({ failed: `no answer in ${HOOK_TIMEOUT_MS} ms` }),
      );
      value.then(
        (answer) => {
          environment.deadlines.remove(deadline);
          resolve({ value: answer });
        },
        (thrown: unknown) => {
          environment.deadlines.remove(deadline);
          resolve({ failed: textOf(thrown) });
        },
      );
    });
  } catch (thrown) {
    return { failed: textOf(thrown) };
  }
}

function hookContext(environment: CallEnvironment): HookContext<any> {
  const { executionContext: context, runId, threadId, owner, workflow, agent } = environment;
  return {
    context,
    runId,
    threadId,
    owner,
    workflow,
    agent,
    get signal() {
      return environment.signal;
    },
  };
}

function beforeCall(call: HookedCall, input: JsonValue): BeforeCall {
  return Object.freeze({
    toolName: call.tool?.name ?? call.name,
    toolCallId: call.callId,
    input: frozenCopy(input),
    access: call.tool?.access ?? "read",
  });
}

function frozenCopy(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  const copy: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) Object.defineProperty(copy, key, { value: frozenCopy(member), enumerable: true });
  }
  return Object.freeze(copy);
}
