import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { ScriptError } from "../errors/testing-errors.js";
import { FREE } from "../llm/free.js";
import type { LanguageModel } from "../llm/model.js";
import type { Clock } from "../util/clock.js";
import { streamOf } from "./answer-stream.js";
import { never } from "./crash-store.js";
import { isStep, type ModelStep } from "./model-step.js";
import { recordRequest, type RecordedRequest } from "./recorded-request.js";
import { ScriptedModel } from "./scripted-model.js";
import { answerOf, type ScriptedAnswer } from "./step-answer.js";

type StepOf = (request: RecordedRequest) => ModelStep;

/** The process that asks a model. */
export interface ModelUser {
  readonly clock: Clock;
  ends(label: string): boolean;
  sent(request: RecordedRequest): void;
}

interface CallOptions {
  readonly prompt: readonly object[];
  readonly tools?: readonly object[] | undefined;
}

/** A model whose answer goes by what it is sent, so that the same request gets the same answer in any process. */
export class CrashModel implements LanguageModel {
  readonly specificationVersion = "v4" as const;
  readonly provider: string = "scripted";
  readonly modelId: string = "scripted";
  readonly supportedUrls: Record<string, RegExp[]> = {};
  readonly #process: ModelUser;
  readonly #stepOf: StepOf;

  /** Throws `BadInputError` for a script that is none. */
  constructor(process: ModelUser, script: readonly ModelStep[] | readonly [StepOf]) {
    this.#process = process;
    const [first] = script;
    this.#stepOf = script.length === 1 && typeof first === "function" ? first : byAnswers(script as never);
    Object.defineProperty(this, FREE, { value: true });
  }

  doGenerate(options: CallOptions): Promise<ScriptedAnswer> {
    return this.#answer(options, async (step, turn) =>
      step.kind === "turn" || step.kind === "tool-call" ? answerOf(step, turn) : this.#faulty(step).doGenerate(options),
    );
  }

  doStream(options: CallOptions): Promise<{ readonly stream: ReadableStream<object> }> {
    return this.#answer(options, async (step, turn) =>
      step.kind === "turn" || step.kind === "tool-call"
        ? { stream: streamOf(answerOf(step, turn)) }
        : this.#faulty(step).doStream(options),
    );
  }

  async #answer<A>(
    { prompt, tools = [] }: CallOptions,
    make: (step: ModelStep, turn: number) => Promise<A>,
  ): Promise<A> {
    const request = recordRequest(prompt, tools);
    const turn = answersIn(request) + 1;
    const label = `model call ${turn}`;
    if (this.#process.ends(`before ${label}`)) return never();
    this.#process.sent(request);
    const answer = await make(this.#stepOf(request), turn);
    return this.#process.ends(`after ${label}`) ? never() : answer;
  }

  #faulty(step: ModelStep): ScriptedModel {
    return new ScriptedModel(this.modelId, () => this.#process.clock).thenReturn(step);
  }
}

function answersIn({ messages }: RecordedRequest): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

function byAnswers(steps: readonly ModelStep[]): StepOf {
  const wrong = steps.findIndex((step) => !isStep(step));
  if (wrong >= 0 || steps.length === 0)
    throw new BadInputError(
      "A script takes steps",
      wrong < 0 ? "there are none" : `number ${wrong + 1} is ${shownValue(steps[wrong])}`,
      "Make them with `replyWith`, `callTool` and the like, or pass one function that gives the step of a request.",
    );
  return (request) => {
    const answers = answersIn(request);
    const step = steps[answers];
    if (step !== undefined) return step;
    throw new ScriptError(
      "The model has no step for a request",
      `its history has ${answers} answers, and the script ${steps.length} steps`,
      "Add one, or look why the model is asked again.",
    );
  };
}
