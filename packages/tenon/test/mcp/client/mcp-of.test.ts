import { expect } from "vitest";
import { PlainText, Text } from "../../../src/doors/dto/index.js";
import { McpServer, McpServerClient, McpTool, mcpTools } from "../../../src/doors/mcp/index.js";
import { Agent, ToolError, type ToolContext } from "../../../src/doors/tenon/index.js";
import { callTool, rawCall, replyWith, testWith } from "../../../src/doors/testing/index.js";

@McpServer({ name: "files", command: "no-such-program", env: ["NOT_SET"], tools: ["write_file", "read_file"] })
class Files extends McpServerClient {}

class Content {
  @Text() path!: string;
}

@McpTool({
  server: Files,
  tool: "write_file",
  description: "Writes.",
  input: Content,
  output: PlainText,
  access: "write",
  approval: true,
})
class WriteFile {
  constructor(private readonly files: Files) {}
  run(input: Content, ctx: ToolContext): Promise<PlainText> {
    return this.files.call("write_file", input, ctx);
  }
}

@Agent({ name: "clerk", description: "Works.", tools: [WriteFile, ...mcpTools(Files, { only: ["read_file"] })] })
class Clerk {}

const clerkTest = testWith(Clerk);

clerkTest("a mock stands for a server: no program, no lock file, no variable", async ({ app, mockLlm, mcpOf }) => {
  const files = mcpOf(Files);
  expect(mcpOf(Files)).toBe(files);
  files.tool("write_file").mockResolvedValue({ text: "written" });
  files.tool("read_file").mockReturnValue("the text");
  mockLlm(Clerk).thenReturn(
    rawCall({ id: "a", name: "read_file", arguments: '{"path":"b"}' }),
    callTool(WriteFile, { path: "a" }),
    replyWith("done"),
  );
  const paused = await app.run({ prompt: "go" });
  expect(files.tool("write_file")).not.toHaveBeenCalled();
  const result = await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "Ada" } });
  expect(result.text).toBe("done");
  expect(files.tool("write_file")).toHaveBeenCalledWith({ path: "a" }, expect.objectContaining({ agent: "clerk" }));
  expect(files.tool("read_file")).toHaveBeenCalledOnce();
  expect(JSON.stringify(mockLlm(Clerk).requests.slice(1))).toMatch(/the text[^]*written/);
});

clerkTest("a tool without an answer, and one that fails, are error results", async ({ app, mockLlm, mcpOf }) => {
  mcpOf(Files).tool("read_file").mockRejectedValueOnce(new ToolError("no such file"));
  const read = rawCall({ id: "a", name: "read_file", arguments: "" });
  mockLlm(Clerk).thenReturn(read, read, replyWith("done"));
  expect((await app.run({ prompt: "go" })).status).toBe("completed");
  const told = mockLlm(Clerk).requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(told[1]).toContain("Tool error: no such file");
  expect(told[2]).toContain("no answer for read_file");
});

clerkTest("what is no server, and a tool that it is not declared with, are refused", ({ mcpOf }) => {
  expect(() => mcpOf(McpServerClient)).toThrow(/takes the class of an MCP server/);
  expect(() => mcpOf(Files).tool("delete_file")).toThrow(/declared with write_file, read_file/);
});
