import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { ScriptError } from "../errors/testing-errors.js";
import { FREE } from "../llm/free.js";
import type { LanguageModel } from "../llm/model.js";
import { streamOf } from "./answer-stream.js";
import { isStep, type ModelStep } from "./model-step.js";
import { lastUserText, recordRequest, type RecordedRequest } from "./recorded-request.js";
import { answerOf, type ScriptedAnswer } from "./step-answer.js";

const LONGEST_SHOWN = 200;

interface CallOptions {
  readonly prompt: readonly object[];
  readonly tools?: readonly object[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * A model that answers each request with the next step of its script, whole or as a stream. It is a V4 model object and
 * goes through the real adapter. It is free, but for the cost that a step reports.
 */
export class ScriptedModel implements LanguageModel {
  readonly specificationVersion = "v4" as const;
  readonly provider: string = "scripted";
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]> = {};
  readonly #steps: ModelStep[] = [];
  readonly #requests: RecordedRequest[] = [];
  #used = 0;

  constructor(modelId: string) {
    this.modelId = modelId;
    Object.defineProperty(this, FREE, { value: true });
  }

  /** What was sent, in order, unexpected requests included. */
  get requests(): readonly RecordedRequest[] {
    return Object.freeze([...this.#requests]);
  }

  /** The steps that no request has used yet. */
  get remaining(): readonly ModelStep[] {
    return this.#steps.slice(this.#used);
  }

  /** Puts steps at the end of the script. Throws `BadInputError` for anything that is no step, and then takes none. */
  thenReturn(...steps: readonly ModelStep[]): this {
    const wrong = steps.findIndex((step) => !isStep(step));
    if (wrong >= 0)
      throw new BadInputError(
        "A script takes steps",
        `number ${wrong + 1} is ${shownValue(steps[wrong])}`,
        "Make them with `replyWith`, `callTool`, `callTools`, `callAll`, `failWith`, `rawCall` or `rawTurn`.",
      );
    this.#steps.push(...steps);
    return this;
  }

  doGenerate(options: CallOptions): Promise<ScriptedAnswer> {
    return this.#next(options);
  }

  async doStream(options: CallOptions): Promise<{ readonly stream: ReadableStream<object> }> {
    return { stream: streamOf(await this.#next(options)) };
  }

  async #next({ prompt, tools = [], abortSignal }: CallOptions): Promise<ScriptedAnswer> {
    abortSignal?.throwIfAborted();
    const request = recordRequest(prompt, tools);
    const count = this.#requests.push(request);
    const step = this.#steps[this.#used];
    if (step === undefined) throw this.#unexpected(request, count);
    this.#used++;
    if (step.kind === "failure") throw step.error;
    return answerOf(step, count);
  }

  #unexpected(request: RecordedRequest, count: number): ScriptError {
    const text = lastUserText(request);
    const shown =
      text === undefined
        ? "there is no user text"
        : `the last user text is ${JSON.stringify(text.slice(0, LONGEST_SHOWN))}`;
    return new ScriptError(
      `The model ${this.modelId} has no step for its request ${count}`,
      shown,
      "Add one with `thenReturn(…)`, or look why the model is asked again.",
      { model: this.modelId, request: count },
    );
  }
}

/** A model with a script: `scriptedModel(callTool(Search, { q: "a" }), replyWith("Found it."))`. Needs no test runner. */
export function scriptedModel(...steps: readonly ModelStep[]): ScriptedModel {
  return new ScriptedModel("scripted").thenReturn(...steps);
}
