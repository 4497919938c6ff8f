import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { ScriptError } from "../errors/testing-errors.js";
import { FREE } from "../llm/free.js";
import type { LanguageModel } from "../llm/model.js";
import { systemClock, type Clock } from "../util/clock.js";
import { streamOf } from "./answer-stream.js";
import { LostReply } from "./fault.js";
import { isStep, type ModelStep } from "./model-step.js";
import { lastUserText, recordRequest, type RecordedRequest } from "./recorded-request.js";
import { answerOf, type ScriptedAnswer } from "./step-answer.js";

const LONGEST_SHOWN = 200;

/** An answer, and what keeps it from arriving whole. */
interface Given {
  readonly answer: ScriptedAnswer;
  readonly broken: Error | undefined;
}

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
  readonly #clock: () => Clock;
  readonly #steps: ModelStep[] = [];
  readonly #requests: RecordedRequest[] = [];
  #used = 0;

  /** `clock` is asked for when a step is slow. */
  constructor(modelId: string, clock: () => Clock = () => systemClock) {
    this.modelId = modelId;
    this.#clock = clock;
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
        "Make them with `replyWith`, `callTool`, `callTools`, `callAll`, `failWith`, `rawCall`, `rawTurn`, or with a fault: `slow`, `hang`, `lostReply`, `malformed`.",
      );
    this.#steps.push(...steps);
    return this;
  }

  async doGenerate(options: CallOptions): Promise<ScriptedAnswer> {
    const { answer, broken } = await this.#next(options);
    if (broken !== undefined) throw broken;
    return answer;
  }

  async doStream(options: CallOptions): Promise<{ readonly stream: ReadableStream<object> }> {
    const { answer, broken } = await this.#next(options);
    return { stream: streamOf(answer, broken) };
  }

  async #next({ prompt, tools = [], abortSignal }: CallOptions): Promise<Given> {
    abortSignal?.throwIfAborted();
    const request = recordRequest(prompt, tools);
    const count = this.#requests.push(request);
    const step = this.#steps[this.#used];
    if (step === undefined) throw this.#unexpected(request, count);
    this.#used++;
    return this.#answer(step, count, abortSignal);
  }

  async #answer(step: ModelStep, count: number, signal: AbortSignal | undefined): Promise<Given> {
    if (step.kind === "failure") throw step.error;
    if (step.kind === "hang") return new Promise<never>(() => {});
    if (step.kind === "lost") return { ...(await this.#answer(step.step, count, signal)), broken: new LostReply() };
    if (step.kind !== "slow") return { answer: answerOf(step, count), broken: undefined };
    await this.#wait(step.ms, signal);
    return this.#answer(step.step, count, signal);
  }

  #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        timer.clear();
        reject(signal!.reason as Error);
      };
      const timer = this.#clock().setTimer(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal?.addEventListener("abort", stop, { once: true });
    });
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
