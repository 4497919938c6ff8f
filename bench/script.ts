import type { V4Answer, V4Message, V4Model, V4Result } from "./v4.ts";

/** A call that the scripted model makes: its argument text, and the text that it must read back. */
export interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
  readonly result: string;
}

const usage = { inputTokens: { total: 10 }, outputTokens: { total: 5 } };

/** How many messages of earlier runs the model must see. */
export interface History {
  messages: number;
}

/**
 * A V4 model object that answers at once from a script of turns, then with "done". It knows its turn by the length of the
 * prompt (system, the history, user, then two messages a turn), and throws where a result of the turn before is not as it
 * must be. With a `history` its ids are other ones in every run, as a provider's are; runs must then come one by one.
 */
export function scriptedModel(turns: readonly (readonly ScriptedCall[])[], history?: Readonly<History>): V4Model {
  const answerOf = (calls: readonly ScriptedCall[], suffix: string) => ({
    content: calls.map(({ id, tool, input }) => ({
      type: "tool-call" as const,
      toolCallId: id + suffix,
      toolName: tool,
      input,
    })),
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    usage,
    warnings: [],
  });
  const answers = turns.map((calls) => answerOf(calls, ""));
  let run = 0;
  const last = {
    content: [{ type: "text" as const, text: "done" }],
    finishReason: { unified: "stop", raw: "stop" },
    usage,
    warnings: [],
  };
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "scripted",
    async doGenerate({ prompt }): Promise<V4Answer> {
      const turn = (prompt.length - 2 - (history?.messages ?? 0)) / 2;
      if (turn === 0) run++;
      const suffix = history === undefined ? "" : `_${run}`;
      if (turn !== 0) checkResults(turns[turn - 1], suffix, prompt[prompt.length - 1]!);
      return history === undefined || turn === turns.length ? (answers[turn] ?? last) : answerOf(turns[turn]!, suffix);
    },
    async doStream() {
      throw new Error("nobody listens, so nothing is streamed");
    },
  };
}

function checkResults(calls: readonly ScriptedCall[] | undefined, suffix: string, { role, content }: V4Message): void {
  if (calls === undefined || role !== "tool" || content.length !== calls.length) {
    throw new Error("a turn too many, or a result is missing");
  }
  const results = content as readonly V4Result[];
  for (let i = 0; i < calls.length; i++) {
    const { id, result } = calls[i]!;
    const read = results[i]!;
    if (read.toolCallId !== id + suffix || read.output.value !== result) {
      throw new Error(`the model read ${JSON.stringify(read)} where it was to read ${result}`);
    }
  }
}
