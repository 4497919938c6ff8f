import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { z } from "zod";
import { about, answerText, checkAnswer, prompt, Script, system, type Peer, type Turns } from "../peer.ts";

class ScriptedChat extends BaseChatModel {
  readonly #script: Script;

  constructor(turns: Turns) {
    super({});
    this.#script = new Script(turns);
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]) {
    const calls = this.#script.next((count) => messages.slice(-count).map(({ content }) => content));
    const message =
      calls === undefined
        ? new AIMessage("done")
        : new AIMessage({
            content: "",
            tool_calls: calls.map(({ id, input }) => ({
              id,
              name: about.name,
              args: JSON.parse(input),
              type: "tool_call",
            })),
          });
    return { generations: [{ text: message.text, message }] };
  }
}

/** LangGraph, through the agent graph that LangChain builds on it. */
export const peer: Peer = {
  label: "LangGraph (langchain's createAgent)",
  side(turns) {
    let executions = 0;
    const lookup = tool(
      async (input: { sku: string; amount: number }) => {
        executions++;
        return answerText(input);
      },
      { ...about, schema: z.object({ sku: z.string().min(1).max(40), amount: z.int().min(1).max(1_000) }) },
    );
    const agent = createAgent({ model: new ScriptedChat(turns), tools: [lookup], systemPrompt: system });
    return {
      async run() {
        const { messages } = await agent.invoke({ messages: [new HumanMessage(prompt)] }, { recursionLimit: 60 });
        checkAnswer(messages.at(-1)?.content);
      },
      count: () => executions,
      perRun: turns.flat().length,
    };
  },
};
