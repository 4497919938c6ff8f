import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import type { Maybe } from "../util/class.js";
import type { CallEnvironment } from "./call-environment.js";
import { answerFor, checkQuestion, HandlerQuestions } from "./handler-questions.js";
import { toJson } from "./json-encoding.js";
import type { PauseOptions, Resumption, Suspension } from "./resumption.js";
import type { DurableToolContext } from "./tool-context.js";

/** How a handler left its call without a value: it waits for an answer, its call has a result, or the run cannot go on. */
export type Left =
  | { readonly suspended: Suspension }
  | { readonly failure: ToolFailure }
  | { readonly broken: unknown };

/** What a handler leaves. */
export interface LeftCall {
  /** The call has its result. */
  readonly settled: boolean;
  leave(left: Left): void;
  /** The handler waits for what never comes, though it left nothing: its call was over before. */
  drop(): void;
}

/** The `pause` of a context. Outside a run the scope's own `pause` answers; without one the call cannot go on. */
export function pauseOf(
  tool: string,
  resumption: Resumption | undefined,
  { onPause }: CallEnvironment,
  call: LeftCall,
): DurableToolContext["pause"] {
  if (resumption !== undefined) {
    const questions = new HandlerQuestions(tool, resumption, {
      suspend: (suspended) => call.leave({ suspended }),
      fail: (failure) => call.leave({ failure }),
    });
    return ((question: string, options: PauseOptions = {}) => questions.ask(question, options)) as never;
  }
  return (async (question: string, options: PauseOptions = {}) => {
    checkQuestion(question, options);
    if (onPause !== undefined) return answerFor(options.schema, await onPause(question));
    const message = `${tool} asks: ${question} Invoke it with \`{ pause: (question) => answer }\`, or in a run`;
    call.leave({ failure: { kind: "error", code: "approval_required", message } });
    return new Promise(() => {});
  }) as never;
}

/** The `step` of a context. Outside a run nothing is recorded. */
export function stepOf(resumption: Resumption | undefined, call: LeftCall): DurableToolContext["step"] {
  let steps = 0;
  return async <T>(name: string, fn: () => Maybe<T>): Promise<T> => {
    if (typeof name !== "string" || name === "" || typeof fn !== "function")
      throw new BadInputError(
        "A step has a name and a function",
        shownValue(name),
        'Call `ctx.step("name", () => …)`.',
      );
    if (resumption === undefined) return toJson(await fn()) as T;
    if (resumption.step === undefined)
      throw new BadInputError("The tool keeps no steps", name, "Declare it with `durable: true`.");
    if (call.settled) {
      call.drop();
      return new Promise(() => {});
    }
    const run = async (): Promise<T> => {
      try {
        return await fn();
      } finally {
        if (call.settled) call.drop();
      }
    };
    return (await resumption.step(steps++, name, run, (broken) => call.leave({ broken }))) as T;
  };
}
