import { runAgentLoop, type AgentTool, type StreamFn } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream, type AssistantMessage } from "@earendil-works/pi-ai";
import { lookupSchema } from "../../lookup.ts";
import { about, answerText, checkAnswer, prompt, Script, system, type Peer } from "../peer.ts";

const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/** pi's agent loop, over a stream function that answers at once. */
export const peer: Peer = {
  label: "@earendil-works/pi-agent-core",
  side(turns) {
    let executions = 0;
    const script = new Script(turns);
    const streamFn: StreamFn = (_model, { messages }) => {
      const calls = script.next((count) => messages.slice(-count).map(({ content }: any) => content[0]?.text));
      const content: AssistantMessage["content"] =
        calls === undefined
          ? [{ type: "text", text: "done" }]
          : calls.map(({ id, input }) => ({
              type: "toolCall",
              id,
              name: about.name,
              arguments: JSON.parse(input),
            }));
      const message: AssistantMessage = {
        role: "assistant",
        content,
        api: "bench",
        provider: "bench",
        model: "scripted",
        usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: zero },
        stopReason: calls === undefined ? "stop" : "toolUse",
        timestamp: Date.now(),
      };
      const stream = createAssistantMessageEventStream();
      stream.push({ type: "start", partial: message });
      stream.push({ type: "done", reason: calls === undefined ? "stop" : "toolUse", message });
      return stream;
    };
    const lookup: AgentTool<any> = {
      ...about,
      label: about.name,
      parameters: lookupSchema as never,
      async execute(_id: string, input: { sku: string; amount: number }) {
        executions++;
        return { content: [{ type: "text", text: answerText(input) }], details: undefined };
      },
    };
    const model = { id: "scripted", name: "scripted", api: "bench", provider: "bench", reasoning: false } as never;
    const config = { model, convertToLlm: (messages: any[]) => messages };
    return {
      async run() {
        const user = { role: "user" as const, content: prompt, timestamp: Date.now() };
        const context = { systemPrompt: system, messages: [], tools: [lookup] };
        const messages = await runAgentLoop([user], context, config, () => {}, undefined, streamFn);
        checkAnswer((messages.at(-1) as any).content[0]?.text);
      },
      count: () => executions,
      perRun: turns.flat().length,
    };
  },
};
