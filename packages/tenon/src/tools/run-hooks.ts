import { HOOK_TIMEOUT_MS } from "../config/defaults.js";
import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { chain, isPromise, type Maybe } from "../util/class.js";
import type { BoundTool, Handler } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import type { AfterCall, BeforeCall, BeforeCallDecision, CallHook, HookContext } from "./call-hook.js";
import type { OpenCall } from "./open-calls.js";
import { shownInput } from "./shown-input.js";

/** A call as its hooks see it. */
export interface HookedCall {
  readonly callId: string;
  readonly name: string;
  readonly tool: BoundTool | undefined;
  /** A person changed its input. */
  readonly edited?: true | undefined;
}

export type Verdict =
  | { readonly denied: string }
  | {
      readonly input: JsonValue;
      readonly modified: boolean;
      /** A hook wants a person to be asked, with its own question or none. */
      readonly ask: { readonly question: string | undefined } | undefined;
    };

/** The hooks of a call in order: the app's, the agent's, the tool's own. Undefined where there are none. */
export function hooksOf(
  tool: BoundTool | undefined,
  handler: Handler | undefined,
  environment: CallEnvironment,
): readonly CallHook[] | undefined {
  // Reads no member: one that throws must be met where a hook may fail.
  const own = handler !== undefined && ("onBeforeCall" in handler || "onAfterCall" in handler);
  const toolHooks = tool?.hooks ?? [];
  if (!own && toolHooks.length === 0) return environment.hooks.length === 0 ? undefined : environment.hooks;
  return own ? [...environment.hooks, ...toolHooks, handler] : [...environment.hooks, ...toolHooks];
}

/**
 * Asks the before-hooks in order. Each sees what the one before it made of the input. Whatever is not a clear answer is a
 * no: a throw, a rejection, no answer in time or before the run is stopped, any other shape. `validate` gives the message for
 * an input that does not fit.
 */
export function askHooks(
  hooks: readonly CallHook[],
  call: HookedCall,
  input: JsonValue,
  environment: CallEnvironment,
  validate: (input: unknown) => Maybe<{ readonly input: JsonValue } | { readonly message: string }>,
): Maybe<Verdict> {
  const context = hookContext(environment);
  let wanted: { readonly question: string | undefined } | undefined;
  const ask = (at: number, current: JsonValue, modified: boolean): Maybe<Verdict> => {
    if (at === hooks.length) return { input: current, modified, ask: wanted };
    const hook = hooks[at]!;
    const answer = guarded(
      environment,
      () => {
        const { onBeforeCall } = hook;
        return onBeforeCall === undefined
          ? undefined
          : onBeforeCall.call(hook, context, beforeCall(call, current, environment));
      },
      decisionOf,
    );
    return chain(answer, (given): Maybe<Verdict> => {
      if ("stopped" in given) return { denied: "the run was stopped" };
      if ("failed" in given) {
        environment.emit?.({ type: "hook-error", callId: call.callId, hook: "onBeforeCall", message: given.failed });
        return { denied: `a check before the call failed (${given.failed})` };
      }
      const decision = given.value;
      if (decision.action === "allow") return ask(at + 1, current, modified);
      if (decision.action === "deny") return { denied: decision.reason };
      if (decision.action === "ask") {
        wanted = { question: wanted?.question ?? decision.question };
        return ask(at + 1, current, modified);
      }
      return chain(validate(decision.input), (checked): Maybe<Verdict> =>
        "message" in checked
          ? { denied: `a check before the call changed the input to one that does not fit: ${checked.message}` }
          : ask(at + 1, checked.input, true),
      );
    });
  };
  return ask(0, input, false);
}

/**
 * Tells the after-hooks, last one first. A hook that throws is an event; it changes nothing and stops no other. Once the run
 * is stopped, no hook is waited for.
 */
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
    if (at < 0) return undefined;
    const hook = hooks[at]!;
    const told = guarded(
      environment,
      () => {
        const { onAfterCall } = hook;
        return onAfterCall === undefined
          ? undefined
          : onAfterCall.call(hook, context, afterCall(call, input, result, durationMs, environment));
      },
      ignore,
    );
    return chain(told, (given) => {
      if ("failed" in given)
        environment.emit?.({ type: "hook-error", callId: call.callId, hook: "onAfterCall", message: given.failed });
      return tell(at - 1);
    });
  };
  return tell(hooks.length - 1);
}

type Given<T> = { readonly value: T } | { readonly failed: string } | { readonly stopped: true };

/** A call into a hook, with all that is read of it and of its answer. Waits until the answer, the timeout or the run's stop. */
function guarded<T>(environment: CallEnvironment, run: () => unknown, read: (answer: unknown) => T): Maybe<Given<T>> {
  try {
    const answer = run();
    return isPromise(answer) ? answered(environment, answer, read) : { value: read(answer) };
  } catch (thrown) {
    return { failed: textOf(thrown) };
  }
}

function answered<T>(
  { calls, deadlines }: CallEnvironment,
  answer: PromiseLike<unknown>,
  read: (answer: unknown) => T,
): Promise<Given<T>> {
  return new Promise((resolve) => {
    const end = (given: Given<T>): void => {
      deadlines.remove(deadline);
      calls.delete(waiting);
      resolve(given);
    };
    const waiting: OpenCall = { abort: () => end({ stopped: true }) };
    const deadline = deadlines.add(HOOK_TIMEOUT_MS, () => end({ failed: `no answer in ${HOOK_TIMEOUT_MS} ms` }));
    // A promise of our own settles once, whatever the hook's does when it is asked.
    const settling = new Promise((settle) => settle(answer));
    settling.then((value) => end({ value: read(value) })).catch((thrown: unknown) => end({ failed: textOf(thrown) }));
    if (calls.stopped === undefined) calls.add(waiting);
    else end({ stopped: true });
  });
}

function ignore(): void {}

const allowed: BeforeCallDecision = { action: "allow" };
const unclear: BeforeCallDecision = { action: "deny", reason: "a check before the call gave no clear answer" };

/** What a before-hook's answer says; each of its members is read once. */
function decisionOf(answer: unknown): BeforeCallDecision {
  if (answer === undefined) return allowed;
  if (typeof answer !== "object" || answer === null) return unclear;
  const { action } = answer as { readonly action?: unknown };
  if (action === "allow") return allowed;
  if (action === "modify" && "input" in answer) return { action, input: answer.input };
  if (action === "ask") {
    const { question } = answer as { readonly question?: unknown };
    if (question === undefined) return { action };
    return typeof question === "string" && question.trim() !== "" ? { action, question } : unclear;
  }
  if (action !== "deny") return unclear;
  const { reason } = answer as { readonly reason?: unknown };
  return { action, reason: typeof reason === "string" && reason !== "" ? reason : "no reason was given" };
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

function beforeCall(call: HookedCall, input: JsonValue, environment: CallEnvironment): BeforeCall {
  return Object.freeze({ ...hookedCall(call, input, environment), edited: call.edited === true });
}

function afterCall(
  call: HookedCall,
  input: JsonValue | undefined,
  result: ToolResult,
  durationMs: number,
  environment: CallEnvironment,
): AfterCall {
  const { tool } = call;
  return Object.freeze({
    ...hookedCall(call, input ?? {}, environment),
    shownInput:
      tool === undefined || input === undefined ? undefined : frozenCopy(shownInput(tool, input, environment.mask)),
    ok: result.kind === "ok",
    result: result.kind === "ok" ? frozenCopy(result.value as JsonValue) : undefined,
    error: result.kind === "error" ? result.message : undefined,
    code: result.kind === "error" ? result.code : undefined,
    durationMs,
  });
}

function hookedCall(
  { callId, name, tool }: HookedCall,
  input: JsonValue,
  { untrustedTools = none, mask }: CallEnvironment,
): Omit<BeforeCall, "edited"> {
  return {
    // What the model made up as the name of a tool is nothing that a hook can go by, and `audit` shows it.
    toolName: tool?.name ?? mask?.(name) ?? name,
    toolCallId: callId,
    input: frozenCopy(input),
    access: tool?.access ?? "read",
    untrusted: untrustedTools.length > 0,
    untrustedTools,
  };
}

const none: readonly string[] = Object.freeze([]);

function frozenCopy(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  const copy: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) Object.defineProperty(copy, key, { value: frozenCopy(member), enumerable: true });
  }
  return Object.freeze(copy);
}
