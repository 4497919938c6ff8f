import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Dep, FitsDeps } from "../container/keys.js";
import type { JsonSchemaGiver, NoInput, Parsed, Returned, Schema } from "../schema/schema.js";
import type { Class, Maybe } from "../util/class.js";
import type { OnAfterCall, OnBeforeCall } from "./call-hook.js";
import type { ToolContext } from "./tool-context.js";
import type { Reconciled } from "./tool-options.js";

/** What `getInputSchema` gives: what `Assert` makes, or any other Standard Schema that also gives JSON Schema. */
export type AssertType = StandardSchemaV1<any, any> & JsonSchemaGiver;

/**
 * A tool as a class of its own: `class X implements ITool<P, R, C>`, marked with `@decorator.tool()`. `P` is the validated
 * input, `R` what `handler` returns (it may be a promise), `C` the caller's execution context. Each member is a method or an
 * arrow function.
 *
 * Name, description and schema are read once per process, before any dependency is made: from methods that use no fields
 * without an object; else from one that is constructed with stand-ins, which must not be used by then.
 */
export interface ITool<in P = any, out R = unknown, in C = any> {
  /** Matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`. The model calls the tool by it. */
  getName: () => string;
  /** When to use the tool, for the model. Not empty. */
  getDescription: () => string;
  /** Without it the tool takes no arguments. */
  getInputSchema?: (() => Schema) | undefined;
  /** Runs a call. One parameter is enough. */
  handler: (param: P, ctx: ToolContext<C>) => R;
  /** The tool's own hook, asked after all others. */
  onBeforeCall?: OnBeforeCall<C> | undefined;
  /** The tool's own hook, told before all others. */
  onAfterCall?: OnAfterCall<C> | undefined;
  /** Finds out what became of a call that was interrupted; a throw means that it cannot be told. */
  reconcile?: ((callId: string, param: P) => Maybe<Reconciled<Awaited<R>>>) | undefined;
}

/** A class whose instances are tools of this form. */
export type IToolClass = abstract new (...args: any[]) => ITool;

type ParamOf<H> = H extends { handler: (param: infer P, ...rest: never) => unknown } ? P : never;
type ResultOf<H> = H extends { handler: (...args: never) => infer R } ? Awaited<R> : never;
type ParsedBy<H> = H extends { getInputSchema: () => infer S } ? Parsed<S> : NoInput;

/** The class, where its schema fits `handler`, `handler` the output, and `deps` the constructor; else a type that says what does not fit. */
export type FitsITool<C extends Class, O, D> =
  C extends Class<infer H>
    ? [ParsedBy<H>] extends [ParamOf<H>]
      ? [ResultOf<H>] extends [Returned<O>]
        ? D extends readonly Dep[]
          ? FitsDeps<C, D>
          : C
        : { "handler does not return what `output` says": { outputTakes: Returned<O>; handlerReturns: ResultOf<H> } }
      : H extends { getInputSchema: unknown }
        ? { "the schema does not fit handler's parameter": { schemaGives: ParsedBy<H>; handlerTakes: ParamOf<H> } }
        : { "without getInputSchema a tool takes no arguments": { handlerTakes: ParamOf<H> } }
    : never;
