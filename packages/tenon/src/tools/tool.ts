import type { Dep, FitsDeps } from "../container/keys.js";
import type { NoInput, Parsed, Returned, Schema } from "../schema/schema.js";
import type { Class, Maybe } from "../util/class.js";
import { TOOL } from "./tool-metadata.js";
import type { DurableToolContext, ToolContext } from "./tool-context.js";
import type { Reconciled, ToolOptions } from "./tool-options.js";

/** What a decorated tool class has: `class X implements ToolHandler<In, Out>`. It may also have `onBeforeCall`, `onAfterCall` and `reconcile`. */
export interface ToolHandler<In = NoInput, Out = unknown> {
  run(input: In, ctx: ToolContext<any>): Maybe<Out>;
}

type FirstParameter<H> = H extends { run: (input: infer I, ...rest: never) => unknown } ? I : never;
type ResultOf<H> = H extends { run: (...args: never) => infer R } ? Awaited<R> : never;
type ReconcileOf<H> = H extends { reconcile: infer R } ? R : undefined;
type Reconcile<S, O> = (callId: string, input: Parsed<S>) => Maybe<Reconciled<Returned<O>>>;

/** What `run` gets: only a durable tool has steps. */
export type ContextOf<Durable> = Durable extends true ? DurableToolContext<any> : ToolContext<any>;

/** The class, where `run` and the constructor fit the options; else a type that says what does not fit. Nothing is inferred from it. */
export type FitsTool<C extends Class, S, O, D extends readonly Dep[], Durable> =
  C extends Class<infer H>
    ? H extends { run: (input: Parsed<S>, ctx: ContextOf<Durable>) => Maybe<Returned<O>> }
      ? ReconcileOf<H> extends Reconcile<S, O> | undefined
        ? FitsDeps<C, D>
        : { "reconcile does not fit": Reconcile<S, O> }
      : H extends { run: (input: Parsed<S>, ctx: never) => Maybe<Returned<O>> }
        ? { "run wants a context it will not get (`durable: true` gives ctx.step)": ContextOf<Durable> }
        : H extends { run: (input: Parsed<S>, ctx: never) => unknown }
          ? { "run does not return what `output` says": { outputTakes: Returned<O>; runReturns: ResultOf<H> } }
          : { "run's first parameter does not fit `input`": { inputGives: Parsed<S>; runTakes: FirstParameter<H> } }
    : never;

/**
 * Makes a class a tool. The compiler checks `run` against `input` and `output`, and the constructor against `deps`.
 *
 * Works as a legacy and as a TC39 decorator and changes nothing in the class: `new X(fakes)` is an ordinary object. Bad
 * options are found when an app is assembled, all at once.
 */
export function Tool<
  S extends Schema | undefined = undefined,
  O extends Schema | undefined = undefined,
  const D extends readonly Dep[] = [],
  Durable extends boolean = false,
>(
  options: ToolOptions<S, O, D, Durable>,
): <C extends new (...args: any[]) => { run(...args: any): unknown }>(
  target: C & NoInfer<FitsTool<C, S, O, D, Durable>>,
  context?: ClassDecoratorContext<C>,
) => void {
  return (target) => {
    Object.defineProperty(target, TOOL, { value: options, configurable: true });
  };
}
