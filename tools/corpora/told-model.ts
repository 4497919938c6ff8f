import type { LanguageModel } from "tenon";

/** A call that the model is told to make. */
export interface ToldCall {
  readonly name: string;
  /** The argument text, as it goes over the wire. */
  readonly text: string;
}

/** A message of a prompt. The results that it holds are texts. */
export interface ToldMessage {
  readonly role: string;
  readonly content: readonly { readonly output: { readonly value: string } }[];
}

/** A model that makes the calls it was told, all in one turn, and then answers with what it read back. */
export interface ToldModel {
  readonly model: LanguageModel;
  /** The calls of the next run. */
  tell(calls: readonly ToldCall[]): void;
  /** What the model read back in the last run, in call order. */
  read(): readonly string[];
  /** The prompt of the last request. */
  prompt(): readonly ToldMessage[];
}

export function toldModel(): ToldModel {
  let calls: readonly ToldCall[] = [];
  let read: readonly string[] = [];
  let prompt: readonly ToldMessage[] = [];
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const answer = (content: readonly object[], unified: string) => ({
    content,
    finishReason: { unified, raw: unified },
    usage,
    warnings: [],
  });
  const model = {
    specificationVersion: "v4",
    provider: "corpora",
    modelId: "told",
    supportedUrls: {},
    async doGenerate(options: { readonly prompt: typeof prompt }) {
      prompt = options.prompt;
      const last = prompt[prompt.length - 1]!;
      if (last.role === "user" && calls.length > 0) {
        const parts = calls.map(({ name, text }, i) => ({
          type: "tool-call",
          toolCallId: `c${i}`,
          toolName: name,
          input: text,
        }));
        return answer(parts, "tool-calls");
      }
      if (last.role === "tool") read = last.content.map(({ output }) => output.value);
      return answer([{ type: "text", text: last.role === "tool" ? read.join("\n") : "nothing to do" }], "stop");
    },
    async doStream(): Promise<never> {
      throw new Error("nobody listens, so nothing is streamed");
    },
  };
  return {
    model: model as never,
    tell(next) {
      calls = next;
      read = [];
    },
    read: () => read,
    prompt: () => prompt,
  };
}
