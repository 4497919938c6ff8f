// A process that gives each of its runs tools of its own, every one new. It tells how many bytes a request leaves behind.
import { Agent, createApp, defineTool, memoryStore, Tool } from "tenon";
import { z } from "zod";

class Clerk {}
Agent({ name: "clerk", description: "A clerk." })(Clerk);
const answer = {
  content: [{ type: "text", text: "done" }],
  finishReason: { unified: "stop" },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
};
const model = { specificationVersion: "v4", provider: "child", modelId: "child", doGenerate: async () => answer };
model.doStream = model.doGenerate;
const app = await createApp(Clerk, { models: { default: model }, store: memoryStore({ keep: 10 }), env: {} });

async function requests(count) {
  for (let n = 0; n < count; n++) {
    class Fresh {
      run() {}
    }
    Tool({ name: "fresh", description: "Is new.", hooks: [{ onAfterCall() {} }] })(Fresh);
    const input = z.object({ a: z.string(), b: z.number(), c: z.array(z.string()), d: z.boolean(), e: z.string() });
    await app.run({
      prompt: "go",
      tools: [Fresh, defineTool({ name: "other", description: "Is new.", input, run() {} })],
    });
  }
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const before = await requests(300);
const after = await requests(600);
console.log(Math.round((after - before) / 600));
await app.close();
