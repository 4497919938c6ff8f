// A process that runs an agent with a server's tools, until it is killed in the middle of a call. Runs on the built
// library. Arguments: folder, server, node.
import { createApp, defineAgent } from "tenon";
import { McpServer, McpServerClient, mcpTools } from "tenon/mcp";
import { sqliteStore } from "tenon/sqlite";

const [folder, script, node] = process.argv.slice(2);
class Writer extends McpServerClient {}
const server = { name: "writer", command: node, args: [script, `${folder}/lines.txt`], tools: ["append", "about"] };
McpServer({ ...server, lockFile: `${folder}/tenon.lock.json` })(Writer);
const agent = defineAgent({
  name: "desk",
  description: "Writes.",
  tools: mcpTools(Writer, { access: { about: "read" } }),
});
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = {
  specificationVersion: "v4",
  provider: "test",
  modelId: "test",
  supportedUrls: {},
  doStream: () => Promise.reject(new Error("nobody listens")),
  doGenerate: async ({ prompt }) => {
    const turn = prompt.filter(({ role }) => role === "assistant").length;
    const toolName = turn === 0 ? "about" : "append";
    const input = JSON.stringify(turn === 0 ? {} : { line: "hang" });
    return {
      content: [{ type: "tool-call", toolCallId: `c${turn}`, toolName, input }],
      finishReason: { unified: "tool-calls", raw: "tool_calls" },
      usage,
      warnings: [],
    };
  },
};
const store = sqliteStore(`${folder}/tenon.db`);
const app = await createApp(agent, {
  models: { default: model },
  env: {},
  store,
  leaseMs: 300,
});
await app.run({ prompt: "go" }, { runId: "mcp-kill-run", threadId: "t" });
