import type { Maybe } from "../util/class.js";

/** What a hook knows of the run. */
export interface HookContext<Caller = unknown> {
  /** The caller's execution context. */
  readonly context: Caller;
  readonly runId: string;
  readonly threadId: string;
  readonly owner: string | undefined;
  readonly workflow: string;
  readonly agent: string;
  /** The run's signal. */
  readonly signal: AbortSignal;
}

/** A call before it runs. */
export interface BeforeCall {
  readonly toolName: string;
  readonly toolCallId: string;
  /** The JSON input form, after repairs and defaults: this hook's own frozen copy. */
  readonly input: unknown;
  readonly access: "read" | "write";
}

/** A call that has its result. */
export interface AfterCall<R = unknown> extends BeforeCall {
  readonly ok: boolean;
  readonly result: R | undefined;
  readonly error: string | undefined;
  readonly durationMs: number;
}

export type BeforeCallDecision =
  | { readonly action: "allow" }
  /** The input is validated again. */
  | { readonly action: "modify"; readonly input: unknown }
  /** The model reads the reason. */
  | { readonly action: "deny"; readonly reason: string }
  /** A person is asked before the call runs; the other hooks are asked first. */
  | { readonly action: "ask"; readonly question?: string | undefined };

/**
 * Runs once at admission, before approval, and once more for an input that a person changed; not again when a call is issued
 * again. Nothing or `allow` lets the call go on. A
 * throw, a rejection, five seconds without an answer, a stop of the run, or any other value denies: hooks fail closed.
 */
export type OnBeforeCall<Caller = any> = (
  ctx: HookContext<Caller>,
  call: BeforeCall,
) => Maybe<BeforeCallDecision | undefined | void>;

/**
 * Runs when a call gets its result, whatever it is, in reverse order of the before-hooks; at least once after a crash. A
 * throw, or five seconds without an end, is a `hook-error` event and changes nothing. A run that is stopped does not wait.
 */
export type OnAfterCall<Caller = any> = (ctx: HookContext<Caller>, call: AfterCall) => Maybe<void>;

/** Watches or gates calls: on the app, an agent or a tool. */
export interface CallHook<Caller = any> {
  readonly onBeforeCall?: OnBeforeCall<Caller> | undefined;
  readonly onAfterCall?: OnAfterCall<Caller> | undefined;
}
