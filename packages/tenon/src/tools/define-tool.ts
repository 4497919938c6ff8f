import type { Dep, DepValues } from "../container/keys.js";
import { BadInputError } from "../errors/run-errors.js";
import type { Parsed, Returned, Schema, Sent } from "../schema/schema.js";
import type { Maybe } from "../util/class.js";
import type { ToolContext } from "./tool-context.js";
import type { ToolOptions } from "./tool-options.js";

declare const toolInput: unique symbol;
declare const toolOutput: unique symbol;

/** A tool written as a function. `In` is what a caller may send, `Out` what it gives. */
export interface ToolDefinition<N extends string = string, in In = any, out Out = unknown> {
  readonly kind: "tool";
  readonly name: N;
  readonly description: string;
  readonly options: ToolOptions;
  readonly run: (input: any, ctx: ToolContext<any>, ...deps: any[]) => unknown;
  readonly [toolInput]?: ((input: In) => void) | undefined;
  readonly [toolOutput]?: (() => Out) | undefined;
}

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
>(
  options: ToolOptions<S, O, D> & {
    readonly name: N;
    readonly run: (input: Parsed<S>, ctx: ToolContext<any>, ...deps: DepValues<D>) => Maybe<R>;
  },
): ToolDefinition<N, Sent<S>, R> {
  if (typeof options !== "object" || options === null)
    throw new BadInputError(
      "defineTool takes an object of options",
      String(options),
      "Give it a name, a description and `run`.",
    );
  const { run, ...rest } = options;
  return { kind: "tool", name: options.name, description: options.description, options: rest, run };
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
