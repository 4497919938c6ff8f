import { expect, test } from "vitest";
import { createApp, defineAgent, toolOf, type ToolContext } from "../../../src/doors/tenon/index.js";
import { PlainText } from "../../../src/doors/dto/index.js";
import { McpServer, McpServerClient, McpTool } from "../../../src/doors/mcp/index.js";
import { callTool, replyWith, scriptedModel } from "../../../src/doors/testing/index.js";

@McpServer({ name: "files", command: "no-such-program", tools: ["read"] })
class Files extends McpServerClient {}

@McpTool({ server: Files, tool: "read", description: "Reads.", output: PlainText })
class Read {
  constructor(private readonly files: Files) {}
  run(_input: Record<string, never>, ctx: ToolContext): Promise<PlainText> {
    return this.files.call("read", undefined, ctx);
  }
}

test("with TC39 decorators a server and its tool are the same", async () => {
  const fake = { call: async () => ({ text: "read" }) } as unknown as Files;
  expect(await toolOf(new Read(fake)).invoke()).toEqual({ kind: "ok", value: { text: "read" } });
  const model = scriptedModel(callTool(Read, {}), replyWith("done"));
  const agent = defineAgent({ name: "a", description: "A.", tools: [Read] });
  await using app = await createApp(agent, {
    models: { default: model },
    env: {},
    providers: [{ provide: Files, useValue: fake }],
  });
  expect(app.describe().agents[0].tools).toMatchObject([{ name: "read", origin: "mcp", server: "files" }]);
  expect((await app.run({ prompt: "go" })).text).toBe("done");
});
