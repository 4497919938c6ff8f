import type { Dep } from "../container/keys.js";
import type { Schema } from "../schema/schema.js";
import type { Approval, ToolPolicy } from "./tool-options.js";

/** What `@decorator.tool()` says of a class beside what its members say. */
export interface IToolOptions<
  D extends readonly Dep[] | undefined = readonly Dep[] | undefined,
  O extends Schema | undefined = any,
> extends Omit<ToolPolicy, "name" | "description"> {
  /** The keys of what the constructor takes, in order; without it `@inject` says them. */
  readonly deps?: D | undefined;
  /** What `handler` returns is checked against it. */
  readonly output?: O | undefined;
  /**
   * Whether a person is asked before a call: each one, or those that a function of the JSON form of the input says, once, at
   * admission. A text is the question; a throw, five seconds without an answer, and any other value ask. Default false.
   */
  readonly approval?: Approval | undefined;
  /** Calls that give one key run one at a time in this process. Asked with the JSON form of the input; nothing means none. */
  readonly exclusive?: ((input: any) => string | undefined) | undefined;
  /**
   * `run`: each run has an instance of its own. `singleton`: the app has one, and a dependency that is made for each run is an
   * assembly error. Default: one for the app, or one for each run where a dependency is made for each run.
   */
  readonly scope?: "singleton" | "run" | undefined;
}

/** Where `@decorator.tool()` keeps its options on the class; shared by all copies of the package. */
export const ITOOL: unique symbol = Symbol.for("tenon.itool") as never;

/** The options of a class marked with `@decorator.tool()`; a subclass is a tool only if it is marked itself. */
export function itoolOptionsOf(target: unknown): IToolOptions | undefined {
  if (typeof target !== "function" || !Object.hasOwn(target, ITOOL)) return undefined;
  return (target as unknown as { readonly [ITOOL]: IToolOptions })[ITOOL];
}
