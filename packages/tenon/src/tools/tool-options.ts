import type { Duration } from "../config/duration.js";
import type { Usd } from "../config/units.js";
import type { Dep } from "../container/keys.js";
import type { Schema, Sent } from "../schema/schema.js";
import type { Maybe } from "../util/class.js";
import type { CallHook } from "./call-hook.js";
import type { ToolContext } from "./tool-context.js";

/** What a tool says of itself, in every form. */
export interface ToolPolicy {
  /** Matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`. The model calls the tool by it. */
  readonly name: string;
  /** When to use the tool, for the model. Not empty. */
  readonly description: string;
  /** Default `read`. A `write` has side effects: it is never run a second time by the framework. */
  readonly access?: "read" | "write" | undefined;
  /** How long somebody may take to approve; past it the call counts as not approved (`expired`). Default: for ever. */
  readonly approvalExpiresIn?: Duration | undefined;
  /**
   * What it means that a call was interrupted after it started. `rerun`: after a crash it runs again with the same call id
   * (default for reads; for a write it says that the call id is your idempotency key). `ask`: `reconcile` finds out what
   * happened, else a person (default for writes).
   */
  readonly inDoubt?: "rerun" | "ask" | undefined;
  /**
   * What one attempt of a call costs at most, as it reports with `ctx.reportCost`. Under a budget it is reserved before the
   * handler starts: a call that does not fit any more gets an error result. An attempt that nothing is known of counts in full.
   */
  readonly maxCost?: Usd | undefined;
  /** Milliseconds a call may take; default 60,000, or the workflow's `defaults.tools.timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** What the model reads of a result at most, in characters; default 20,000. The app keeps the whole value. */
  readonly maxResultChars?: number | undefined;
  /**
   * Whose words its results are. `untrusted`: those of strangers (a web page, a ticket, a mail), which may try to lead the model;
   * hooks hear of it (`BeforeCall.untrusted`). Default `trusted`.
   */
  readonly source?: "trusted" | "untrusted" | undefined;
  /** It is asked again on purpose: the guard against repeated calls leaves it alone. Default false. */
  readonly polling?: boolean | undefined;
  readonly hooks?: readonly (CallHook | (new (...args: any[]) => CallHook))[] | undefined;
}

/** What the function of `approval` knows of its call. */
export type ApprovalContext<Caller = any> = Pick<
  ToolContext<Caller>,
  "run" | "workflow" | "agent" | "callId" | "signal" | "executionContext"
>;

/** What became of a call that was interrupted. */
export type Reconciled<Out = unknown> =
  /** It happened, and this is what it would have returned. */
  | { readonly outcome: "done"; readonly value: Out }
  /** Nothing happened. */
  | { readonly outcome: "not-done" }
  /** It cannot be told: a person is asked. */
  | { readonly outcome: "unknown" };

/** The JSON form of an input, as hooks and people see it: what a caller may send, a date as its text. */
export type InputForm<S> = 0 extends 1 & S
  ? any
  : Sent<S> extends infer I
    ? { readonly [K in keyof I]: Date extends I[K] ? Exclude<I[K], Date> | string : I[K] }
    : never;

/** What the option `approval` may be, whatever the input. */
export type Approval = boolean | ((input: any, ctx: ApprovalContext) => Maybe<boolean | string>);

/** What of a tool is typed by what it names. */
export interface ToolTypes<
  S extends Schema | undefined,
  O extends Schema | undefined,
  D extends readonly Dep[],
  Durable extends boolean,
> {
  /** A DTO class, a Standard Schema with JSON Schema, or `jsonSchema()`. Without it the tool takes no arguments. */
  readonly input?: S | undefined;
  /** What `run` returns is checked against it. */
  readonly output?: O | undefined;
  /** The keys of what the constructor takes, in order (in `defineTool`: of the further parameters of `run`). */
  readonly deps?: D | undefined;
  /**
   * Whether a person is asked before a call: each one, or those that a function says, once, at admission. It gets the JSON form
   * of the input; a text is the question. What it throws, five seconds without an answer, and any other value ask. Default
   * false.
   */
  readonly approval?: boolean | ((input: InputForm<S>, ctx: ApprovalContext) => Maybe<boolean | string>) | undefined;
  /**
   * Calls that give one key run one at a time in this process, in the order they were asked for, whichever tool they are
   * of. Asked with the JSON form of the input; nothing means none. Waiting counts neither as started nor for `timeoutMs`.
   */
  readonly exclusive?: ((input: InputForm<S>) => string | undefined) | undefined;
  /** The handler's context has `step`, whose values are recorded one by one. Default false. */
  readonly durable?: Durable | undefined;
}

/** The options of `@Tool`. In two parts: a misspelled name of one does not keep the compiler from reading the types of the other. */
export type ToolOptions<
  S extends Schema | undefined = any,
  O extends Schema | undefined = any,
  D extends readonly Dep[] = readonly Dep[],
  Durable extends boolean = boolean,
> = ToolPolicy & ToolTypes<S, O, D, Durable>;
