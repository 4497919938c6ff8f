import type { NoInput } from "../schema/schema.js";
import type { Class } from "../util/class.js";
import type { ToolDefinition } from "./define-tool.js";

/** A class decorated with `@Tool`. */
export type ToolClass = abstract new (...args: any[]) => { run: (input: any, ctx: any) => unknown };

/** What an agent may list: a tool class or a value of `defineTool`. */
export type ToolEntry = ToolClass | ToolDefinition;

type InputOf<F> = F extends (...args: infer A) => unknown ? (A extends [infer I, ...unknown[]] ? I : NoInput) : never;
type OutputOf<F> = F extends (...args: any) => infer R ? Awaited<R> : never;

/** What a caller sends to a tool. A class's fields with a default count as required: a class does not say which have one. */
export type ToolInput<X> =
  X extends ToolDefinition<string, infer I>
    ? I
    : X extends Class<infer H>
      ? H extends { run: infer F }
        ? InputOf<F>
        : never
      : never;

/** What a tool gives. */
export type ToolOutput<X> =
  X extends ToolDefinition<string, any, infer O>
    ? O
    : X extends Class<infer H>
      ? H extends { run: infer F }
        ? OutputOf<F>
        : never
      : never;

/** The input, or nothing where every field of it may be left out. */
export type InputArgs<X> = {} extends ToolInput<X> ? [input?: ToolInput<X>] : [input: ToolInput<X>];
