import type { LanguageModel } from "../../src/doors/tenon/index.js";
import type { Sent } from "./wire.js";

/** A model that is written out: what it does with each request, counted from 1. */
export interface WrittenModel extends LanguageModel {
  readonly requests: readonly Sent[];
  /** The signals of its requests. */
  readonly signals: readonly AbortSignal[];
}

type Answer = (request: number, signal: AbortSignal) => unknown;

/** A model object whose answers need not be whole: content, labels and streams may be anything. */
export function writtenModel(generate: Answer, stream: Answer = generate): WrittenModel {
  const requests: Sent[] = [];
  const signals: AbortSignal[] = [];
  const take = async (
    answer: Answer,
    { prompt, abortSignal }: { readonly prompt: Sent["messages"]; readonly abortSignal: AbortSignal },
  ): Promise<any> => {
    signals.push(abortSignal);
    const count = requests.push({ messages: structuredClone(prompt) });
    return answer(count, abortSignal);
  };
  return {
    specificationVersion: "v4",
    provider: "written",
    modelId: "written",
    requests,
    signals,
    doGenerate: (options: never) => take(generate, options),
    doStream: (options: never) => take(stream, options),
  };
}

/** A stream of these parts that ends, or one that stays open after them. `onCancel` hears that it is not read any more. */
export function partsStream(
  parts: readonly object[],
  open?: { readonly onCancel: (reason: unknown) => void },
): { readonly stream: ReadableStream<object> } {
  return {
    stream: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        if (open === undefined) controller.close();
      },
      cancel: (reason) => open?.onCancel(reason),
    }),
  };
}

/** Usage as providers send it. */
export const someUsage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** An object that is no promise and has this as its `then`. */
export function thenable(then: (give: (value: unknown) => void, fail: (error: Error) => void) => void): object {
  const made = {};
  Reflect.set(made, "then", then);
  return made;
}
