import type { V4Answer, V4Message, V4Model, V4Result } from "./v4.ts";

/** A call that the scripted model makes: its argument text, and the text that it must read back. */
export interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
  readonly result: string;
}

const usage = { inputTokens: { total: 10 }, outputTokens: { total: 5 } };

/**
 * A V4 model object that answers at once from a script of turns, then with "done". It knows its turn by the length of the
 * prompt (system, user, then two messages a turn), and throws where a result of the turn before is not as it must be.
 */
export function scriptedModel(turns: readonly (readonly ScriptedCall[])[]): V4Model {
  const answers = turns.map((calls) => ({
    content: calls.map(({ id, tool, input }) => ({
      type: "tool-call" as const,
      toolCallId: id,
      toolName: tool,
      input,
    })),
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    usage,
    warnings: [],
  }));
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
      const turn = (prompt.length - 2) / 2;
      if (turn > 0) checkResults(turns[turn - 1], prompt[prompt.length - 1]!);
      return answers[turn] ?? last;
    },
    async doStream() {
      throw new Error("nobody listens, so nothing is streamed");
    },
  };
}

function checkResults(calls: readonly ScriptedCall[] | undefined, { role, content }: V4Message): void {
  if (calls === undefined || role !== "tool" || content.length !== calls.length) {
    throw new Error("a turn too many, or a result is missing");
  }
  const results = content as readonly V4Result[];
  for (let i = 0; i < calls.length; i++) {
    const { id, result } = calls[i]!;
    const read = results[i]!;
    if (read.toolCallId !== id || read.output.value !== result) {
      throw new Error(`the model read ${JSON.stringify(read)} where it was to read ${result}`);
    }
  }
}
