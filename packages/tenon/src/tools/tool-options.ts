import type { Dep } from "../container/keys.js";
import type { Schema } from "../schema/schema.js";
import type { CallHook } from "./call-hook.js";

/** What a tool says of itself, in every form. */
export interface ToolPolicy {
  /** Matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`. The model calls the tool by it. */
  readonly name: string;
  /** When to use the tool, for the model. Not empty. */
  readonly description: string;
  /** Default `read`. A `write` has side effects: it is never run a second time by the framework. */
  readonly access?: "read" | "write" | undefined;
  /** A person is asked before each call. Default false. */
  readonly approval?: boolean | undefined;
  /** Milliseconds a call may take; default 60,000, or the workflow's `defaults.tools.timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** What the model reads of a result at most, in characters; default 20,000. The app keeps the whole value. */
  readonly maxResultChars?: number | undefined;
  /**
   * Calls that give one key run one at a time in this process, in the order they were asked for, whichever tool they are
   * of. Asked with the JSON form of the input; nothing means none. Waiting counts neither as started nor for `timeoutMs`.
   */
  readonly exclusive?: ((input: any) => string | undefined) | undefined;
  /** It is asked again on purpose: the guard against repeated calls leaves it alone. Default false. */
  readonly polling?: boolean | undefined;
  readonly hooks?: readonly (CallHook | (new (...args: any[]) => CallHook))[] | undefined;
}

/** What of a tool is typed by what it names. */
interface ToolTypes<S extends Schema | undefined, O extends Schema | undefined, D extends readonly Dep[]> {
  /** A DTO class, a Standard Schema with JSON Schema, or `jsonSchema()`. Without it the tool takes no arguments. */
  readonly input?: S | undefined;
  /** What `run` returns is checked against it. */
  readonly output?: O | undefined;
  /** The keys of what the constructor takes, in order (in `defineTool`: of the further parameters of `run`). */
  readonly deps?: D | undefined;
}

/** The options of `@Tool`. In two parts: a misspelled name of one does not keep the compiler from reading the types of the other. */
export type ToolOptions<
  S extends Schema | undefined = Schema | undefined,
  O extends Schema | undefined = Schema | undefined,
  D extends readonly Dep[] = readonly Dep[],
> = ToolPolicy & ToolTypes<S, O, D>;
