import { Agent, createApp, defineTool } from "tenon";
import { Int, Text } from "tenon/dto";

// The same program with Tenon: from nothing to the first answer, with one call.
class Lookup {}
Text({ prompt: "the article's number", min: 1, max: 40 })(Lookup.prototype, "sku");
Int({ prompt: "how many", min: 1, max: 1_000 })(Lookup.prototype, "amount");

const lookup = defineTool({
  name: "lookup",
  description: "Looks a price up.",
  input: Lookup,
  run: async ({ sku, amount }) => ({ sku, cents: amount * 250 }),
});

class Clerk {}
Agent({ name: "clerk", description: "Knows prices.", prompt: "You answer questions about prices.", tools: [lookup] })(
  Clerk,
);

const usage = { inputTokens: { total: 10 }, outputTokens: { total: 5 } };
const call = { type: "tool-call", toolCallId: "c1", toolName: "lookup", input: '{"sku":"A-1","amount":3}' };
const model = {
  specificationVersion: "v4",
  provider: "bench",
  modelId: "scripted",
  async doGenerate({ prompt }) {
    return prompt.length === 2
      ? { content: [call], finishReason: { unified: "tool-calls" }, usage, warnings: [] }
      : { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop" }, usage, warnings: [] };
  },
  async doStream() {
    throw new Error("nobody listens, so nothing is streamed");
  },
};

const app = await createApp(Clerk, { models: { default: model } });
console.log((await app.run({ prompt: "What does it cost?" })).text);
await app.close();
