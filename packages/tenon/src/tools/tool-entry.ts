import type { NoInput, Sent } from "../schema/schema.js";
import type { Class } from "../util/class.js";
import type { ToolDefinition } from "./define-tool.js";
import type { IToolClass } from "./itool.js";

/** A class decorated with `@Tool`. */
export type ToolClass = abstract new (...args: any[]) => { run: (input: any, ctx: any) => unknown };

/** What an agent may list: a tool class of either form, or a value of `defineTool`. */
export type ToolEntry = ToolClass | IToolClass | ToolDefinition;

type InputOf<F> = F extends (...args: infer A) => unknown ? (A extends [infer I, ...unknown[]] ? I : NoInput) : never;
type OutputOf<F> = F extends (...args: any) => infer R ? Awaited<R> : never;
/** By the schema of `getInputSchema`, where its type is not hidden behind `AssertType`. */
type SentTo<H, F> = H extends { getInputSchema: () => infer S }
  ? 0 extends 1 & Sent<S>
    ? InputOf<F>
    : Sent<S>
  : InputOf<F>;

/** What a caller sends to a tool. A class's fields with a default count as required: a class does not say which have one. */
export type ToolInput<X> =
  X extends ToolDefinition<string, infer I>
    ? I
    : X extends Class<infer H>
      ? H extends { run: infer F }
        ? InputOf<F>
        : H extends { handler: infer F }
          ? SentTo<H, F>
          : never
      : never;

/** What a tool gives. */
export type ToolOutput<X> =
  X extends ToolDefinition<string, any, infer O>
    ? O
    : X extends Class<infer H>
      ? H extends { run: infer F }
        ? OutputOf<F>
        : H extends { handler: infer F }
          ? OutputOf<F>
          : never
      : never;

/** The input, or nothing where every field of it may be left out. */
export type InputArgs<X> = {} extends ToolInput<X> ? [input?: ToolInput<X>] : [input: ToolInput<X>];
