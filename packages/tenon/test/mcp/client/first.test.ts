import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp, defineAgent } from "../../../src/doors/tenon/index.js";
import { PlainText, Text } from "../../../src/doors/dto/index.js";
import { McpTool, mcpTools } from "../../../src/doors/mcp/index.js";
import type { ToolContext } from "../../../src/doors/tenon/index.js";
import { rawCall, replyWith, scriptedModel } from "../../../src/doors/testing/index.js";
import { accept, serverOf } from "./declared.js";
import { loopbackServer, type LoopbackServer } from "./loopback-server.js";

let server: LoopbackServer;
beforeAll(async () => {
  server = await loopbackServer({ hello: { description: "Says hello.", run: ({ name }) => `hello ${name}` } });
});
afterAll(() => server.close());

class Who {
  @Text() name!: string;
}

test("a first call", async () => {
  const Greeter = serverOf({ name: "greeter", url: server.url, tools: ["hello"] });
  await accept(Greeter);
  @McpTool({ server: Greeter, tool: "hello", description: "Greets.", input: Who, output: PlainText })
  class Hello {
    constructor(private readonly greeter: InstanceType<typeof Greeter>) {}
    run(input: Who, ctx: ToolContext) {
      return this.greeter.call("hello", input, ctx);
    }
  }
  const model = scriptedModel(
    rawCall({ id: "a", name: "hello", arguments: '{"name":"Ada"}' }),
    rawCall({ id: "b", name: "x_hello", arguments: '{"name":"Bob"}' }),
    replyWith("done"),
  );
  const agent = defineAgent({ name: "a", description: "A.", tools: [Hello, ...mcpTools(Greeter, { prefix: "x_" })] });
  await using app = await createApp(agent, { models: { default: model } });
  const result = await app.run({ prompt: "go" });
  expect(result.error).toBeUndefined();
  expect(server.calls).toEqual([
    { name: "hello", args: { name: "Ada" } },
    { name: "hello", args: { name: "Bob" } },
  ]);
  expect(JSON.stringify(model.requests[2])).toContain("hello Bob");
  expect(app.describe().agents[0]!.tools).toMatchObject([
    { origin: "mcp", server: "greeter", deps: ["Declared"] },
    { name: "x_hello", access: "write" },
  ]);
});
