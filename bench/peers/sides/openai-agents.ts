import { Agent, Runner, tool, Usage, type Model } from "@openai/agents";
import { z } from "zod";
import { about, answerText, checkAnswer, prompt, Script, system, type Peer } from "../peer.ts";

/** OpenAI's Agents SDK: its runner, with tracing off. */
export const peer: Peer = {
  label: "@openai/agents",
  side(turns) {
    let executions = 0;
    const script = new Script(turns);
    const model: Model = {
      async getResponse({ input }) {
        const calls = script.next((count) => (input as readonly any[]).slice(-count).map(outputText));
        const usage = new Usage({ requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 });
        if (calls === undefined) {
          const content = [{ type: "output_text" as const, text: "done" }];
          return { usage, output: [{ type: "message", role: "assistant", status: "completed", content }] };
        }
        return {
          usage,
          output: calls.map(({ id, input: text }) => ({
            type: "function_call",
            callId: id,
            name: about.name,
            status: "completed",
            arguments: text,
          })),
        };
      },
      getStreamedResponse() {
        throw new Error("nobody listens, so nothing is streamed");
      },
    };
    const lookup = tool({
      ...about,
      parameters: z.object({ sku: z.string().min(1).max(40), amount: z.int().min(1).max(1_000) }),
      async execute(input) {
        executions++;
        return answerText(input);
      },
    });
    const agent = new Agent({ name: "clerk", instructions: system, model, tools: [lookup] });
    const runner = new Runner({ tracingDisabled: true });
    return {
      async run() {
        const { finalOutput } = await runner.run(agent, prompt, { maxTurns: 12 });
        checkAnswer(finalOutput);
      },
      count: () => executions,
      perRun: turns.flat().length,
    };
  },
};

function outputText({ output }: { readonly output?: any }): unknown {
  return typeof output === "string" ? output : output?.text;
}
