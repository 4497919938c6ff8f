import type { JsonValue } from "../protocol/json.js";
import type { ToolErrorCode } from "../protocol/tool-result.js";
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
  /**
   * Whether the history that the model was sent before it asked for this call holds a result of a tool with `source: "untrusted"`,
   * also of an earlier run. Known from the records: the same on every pick-up. Always false outside a run.
   */
  readonly untrusted: boolean;
  /** The names of those tools. */
  readonly untrustedTools: readonly string[];
  /** A person changed the input of a call that was asked about before: the hook may only allow or deny it. */
  readonly edited: boolean;
}

/** A call that has its result. */
export interface AfterCall<R = unknown> extends Omit<BeforeCall, "edited"> {
  /**
   * The input as it may be shown: values of sensitive fields and what `maskValues` finds are masked. `undefined` where the call
   * was refused before it had a checked input; `input` is `{}` then.
   */
  readonly shownInput: JsonValue | undefined;
  readonly ok: boolean;
  readonly result: R | undefined;
  readonly error: string | undefined;
  /** What kind of error it is. */
  readonly code: ToolErrorCode | undefined;
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
