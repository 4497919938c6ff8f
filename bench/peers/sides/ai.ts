import { generateText, isStepCount, tool } from "ai";
import { z } from "zod";
import { scriptedModel } from "../../script.ts";
import { about, answerText, checkAnswer, prompt, system, type Peer } from "../peer.ts";

/** Vercel's AI SDK: `generateText` with a step limit. It takes the same V4 model object as Tenon. */
export const peer: Peer = {
  label: "ai (AI SDK)",
  side(turns) {
    let executions = 0;
    const lookup = tool({
      description: about.description,
      inputSchema: z.object({ sku: z.string().min(1).max(40), amount: z.int().min(1).max(1_000) }),
      async execute(input) {
        executions++;
        return answerText(input);
      },
    });
    const model = scriptedModel(turns) as never;
    return {
      async run() {
        const { text } = await generateText({
          model,
          instructions: system,
          prompt,
          tools: { lookup },
          stopWhen: isStepCount(12),
        });
        checkAnswer(text);
      },
      count: () => executions,
      perRun: turns.flat().length,
    };
  },
};
