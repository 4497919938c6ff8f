import { durationMs } from "../config/duration.js";
import { checkOptions, shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { textOf } from "../errors/tenon-error.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { compileSchema } from "../schema/compile-schema.js";
import type { CompiledSchema } from "../schema/compiled-schema.js";
import { loadFor } from "../schema/load-for.js";
import type { Schema } from "../schema/schema.js";
import { storedJson } from "../schema/stored-json.js";
import { copyPlain } from "../util/copy-plain.js";
import { toJson } from "./json-encoding.js";
import type { PauseOptions, Resumption, Suspension } from "./resumption.js";

/** How a handler leaves its call without a value. */
export interface Leaving {
  suspend(suspension: Suspension): void;
  fail(failure: ToolFailure): void;
}

/** A promise that nobody fulfills: a handler that waits for it is dropped. */
const never = <T>(): Promise<T> => new Promise(() => {});

/** The questions of one attempt of a handler, in the order in which it asks them. */
export class HandlerQuestions {
  readonly #tool: string;
  readonly #resumption: Resumption;
  readonly #leaving: Leaving;
  #asked = 0;

  constructor(tool: string, resumption: Resumption, leaving: Leaving) {
    this.#tool = tool;
    this.#resumption = resumption;
    this.#leaving = leaving;
  }

  /** Gives the recorded answer; where there is none the handler is dropped, and starts again once there is one. */
  async ask(question: string, options: PauseOptions): Promise<unknown> {
    const expiresInMs = checkQuestion(question, options);
    const index = this.#asked++;
    const { schema } = options;
    if (schema !== undefined) await loadFor([schema]);
    const compiled = schema === undefined ? undefined : compileSchema(schema, "answer");
    const past = this.#resumption.answers[index];
    const suspend = (text: string): Promise<never> => {
      this.#leaving.suspend({
        index,
        question: text,
        ...(compiled === undefined ? {} : { schema: storedJson(compiled.json) }),
        ...(expiresInMs === undefined ? {} : { expiresInMs }),
      });
      return never();
    };
    if (past === undefined) return suspend(question);
    if (past.question !== question) {
      this.#leaving.fail({
        kind: "error",
        code: "tool_gone",
        message: `${this.#tool} now asks ${JSON.stringify(question)} where ${JSON.stringify(past.question)} was answered: the answer was not used. What it did before may have happened: check before you repeat it`,
      });
      return never();
    }
    return compiled === undefined ? copyPlain(past.answer) : answerOf(compiled, past.answer);
  }
}

/** An answer as the handler gets it, checked; as it is without a schema. Throws `BadInputError` where it does not fit. */
export async function answerFor(schema: Schema | undefined, answer: unknown): Promise<unknown> {
  if (schema === undefined) return answer;
  await loadFor([schema]);
  return answerOf(compileSchema(schema, "answer"), toJson(answer));
}

async function answerOf(schema: CompiledSchema, answer: JsonValue): Promise<unknown> {
  const checked = await schema.check(copyPlain(answer));
  if (checked.ok) return schema.toValue(checked.input);
  throw new BadInputError(
    "The answer does not fit the question's schema",
    checked.message,
    "The schema changed since it was answered, or has rules that its JSON Schema does not tell: ask again, or handle it.",
  );
}

const pauseRules = { schema: () => undefined, expiresIn: () => undefined };

/** Throws for what cannot be asked; gives how long the answer may take. */
export function checkQuestion(question: unknown, options: unknown): number | undefined {
  if (typeof question !== "string" || question.trim() === "")
    throw new BadInputError(
      "A pause needs a question",
      shownValue(question),
      "Ask with a text that a person can answer.",
    );
  const faults = checkOptions(options, pauseRules);
  if (faults.length > 0)
    throw new BadInputError(
      "The options of a pause cannot be used",
      faults.join("; "),
      "Pass `{ schema, expiresIn }`.",
    );
  const { expiresIn } = options as PauseOptions;
  if (expiresIn === undefined) return undefined;
  const ms = durationMs(expiresIn);
  if (ms !== undefined && ms > 0) return ms;
  throw new BadInputError(
    "`expiresIn` is no duration",
    textOf(expiresIn),
    'Give a text such as "15m", "2h" or "30d", or whole milliseconds from 1.',
  );
}
