import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { serveMcp } from "../../../src/doors/mcp/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import { createApp, defineAgent, defineTool } from "../../../src/doors/tenon/index.js";
import { handshake } from "./raw-messages.js";

test("a client that does not read holds no more than some progress, and no warning is made of it", async () => {
  let over = false;
  const count = defineTool({
    name: "count",
    description: "Counts.",
    async run(_input: unknown, ctx) {
      for (let step = 1; step <= 2_000; step++) {
        ctx.progress({ progress: step, message: "p".repeat(400) });
        if (step % 100 === 0) await new Promise(setImmediate);
      }
      over = true;
      return "counted";
    },
  });
  const agent = defineAgent({ name: "counter", description: "Counts.", tools: [count], model: offlineModel() });
  await using app = await createApp(agent, {});
  const input = new PassThrough();
  const output = new Writable({ write: () => {} });
  const warned: string[] = [];
  const hear = (warning: Error): void => void warned.push(warning.name);
  process.on("warning", hear);
  await using serving = await serveMcp(app, { transport: "stdio", input, output });
  const params = { name: "count", arguments: {}, _meta: { progressToken: 1 } };
  for (const message of [handshake(), { jsonrpc: "2.0", id: 2, method: "tools/call", params }])
    input.write(`${JSON.stringify(message)}\n`);
  await expect.poll(() => over).toBe(true);
  await new Promise(setImmediate);
  expect(output.writableLength).toBeLessThan(200_000);
  process.off("warning", hear);
  expect(warned).toEqual([]);
  await serving.close({ graceMs: 0 });
});
