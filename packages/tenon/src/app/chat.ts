import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import type { Schema } from "../schema/schema.js";
import { isPlainObject } from "../util/plain-object.js";
import type { App } from "./app.js";
import type { ResumeOptions, RunInput, RunOptions } from "./app-options.js";
import { answerOf } from "./chat-answer.js";
import type { Decisions } from "./decisions.js";
import type { RunStream } from "./run-stream.js";

/** One message, with the tools of this request alone and every option that a run has. */
export interface ChatRequest extends RunInput, Omit<RunOptions, "agent" | "tools"> {}

/** A chat class that takes messages. Made by `createChat`. */
export class Chat implements AsyncDisposable {
  /** The app of one agent that it is: its pauses, runs, ledger. */
  readonly app: App;
  readonly #output: Schema | undefined;

  constructor(app: App, output: Schema | undefined) {
    this.app = app;
    this.#output = output;
  }

  /**
   * The answer to a message: its text, or the validated value where the chat has an output schema. Without a `threadId` each
   * message is a conversation of its own. Rejects with `RunIncompleteError` where the run waits, failed or was cancelled, or its answer was cut off, with
   * `InvalidAnswerError` for an answer that is empty, does not fit, or of which the schema makes nothing, and for whatever `app.run` rejects with.
   */
  async run<T = string>(request: ChatRequest): Promise<T> {
    const { input, options } = split(request);
    return (await answerOf(await this.app.run<unknown>(input, options), this.#output)) as T;
  }

  /** The events of the same, as they come; `.result` is the run's own and is not checked against the output schema. Leaving the loop early cancels the run. */
  stream(request: ChatRequest): RunStream {
    const { input, options } = split(request);
    return this.app.stream(input, options);
  }

  /** Answers pauses of a run, as `app.resume` does, and gives the answer as `run` does. */
  async resume<T = string>(runId: string, decisions: Decisions = {}, options: ResumeOptions = {}): Promise<T> {
    return (await answerOf(await this.app.resume<unknown>(runId, decisions, options), this.#output)) as T;
  }

  /** Closes the app, as `app.close` does. */
  close(options: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    return this.app.close(options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Throws `BadInputError` for what has no members of its own: they would be overlooked. */
function split(request: ChatRequest): { readonly input: RunInput; readonly options: RunOptions } {
  if (!isPlainObject(request))
    throw new BadInputError("A message to a chat is a plain object", shownValue(request), 'Pass `{ prompt: "…" }`.');
  const { prompt, tools, ...options } = request;
  return { input: { prompt, tools }, options };
}
