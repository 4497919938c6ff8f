import { shownValue } from "../config/options.js";
import type { Dep, DepValues } from "../container/keys.js";
import { BadInputError } from "../errors/run-errors.js";
import type { Parsed, Returned, Schema, Sent } from "../schema/schema.js";
import type { Maybe } from "../util/class.js";
import { isPlainObject } from "../util/plain-object.js";
import type { ContextOf } from "./tool.js";
import type { Reconciled, ToolOptions } from "./tool-options.js";

declare const toolInput: unique symbol;
declare const toolOutput: unique symbol;
declare const toolDeps: unique symbol;

/** A tool written as a function. `In` is what a caller may send, `Out` what it gives, `D` its `deps`. */
export interface ToolDefinition<
  N extends string = string,
  in In = any,
  out Out = unknown,
  out D extends readonly Dep[] = readonly Dep[],
> {
  readonly kind: "tool";
  readonly name: N;
  readonly description: string;
  readonly options: ToolOptions;
  readonly run: (input: any, ctx: any, ...deps: any[]) => unknown;
  readonly reconcile: ((callId: string, input: any, ...deps: any[]) => unknown) | undefined;
  readonly [toolInput]?: ((input: In) => void) | undefined;
  readonly [toolOutput]?: (() => Out) | undefined;
  readonly [toolDeps]?: (() => D) | undefined;
}

/** The `deps` of a definition. */
export type DepsOf<X> = X extends ToolDefinition<string, any, unknown, infer D> ? D : readonly Dep[];

/**
 * Makes a tool from a function, without decorators. `deps` become further parameters of `run`; what `run` returns is typed
 * by `output`, or inferred. Bad options are found when an app is assembled.
 */
export function defineTool<
  const N extends string,
  S extends Schema | undefined = undefined,
  O extends Schema | undefined = undefined,
  R extends Returned<O> = Returned<O>,
  const D extends readonly Dep[] = [],
  Durable extends boolean = false,
>(
  options: ToolOptions<S, O, D, Durable> & {
    readonly name: N;
    readonly run: (input: Parsed<S>, ctx: ContextOf<Durable>, ...deps: DepValues<D>) => Maybe<R>;
    /** Finds out what became of a call that was interrupted; `deps` follow the input. A throw means that it cannot be told. */
    readonly reconcile?:
      | ((callId: string, input: Parsed<S>, ...deps: DepValues<D>) => Maybe<Reconciled<R>>)
      | undefined;
  },
): ToolDefinition<N, Sent<S>, R, D> {
  if (!isPlainObject(options))
    throw new BadInputError(
      "defineTool takes a plain object of options",
      shownValue(options),
      "Give it a name, a description and `run`.",
    );
  const { run, reconcile, ...rest } = options;
  return {
    kind: "tool",
    name: options.name,
    description: options.description,
    options: rest as ToolOptions,
    run,
    reconcile,
  };
}

/** Tells a value of `defineTool` from anything else. */
export function isToolDefinition(value: unknown): value is ToolDefinition {
  return (
    typeof value === "object" &&
    value !== null &&
    (value as { kind?: unknown }).kind === "tool" &&
    typeof (value as { run?: unknown }).run === "function"
  );
}
