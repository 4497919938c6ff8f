// A server of the SDK's second generation, over stdio. `change` takes `gone` away and adds `came`.
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const seen = [];
const input = fromJsonSchema({ type: "object", properties: { n: { type: "number" } } });
const say = (words) => ({ content: [{ type: "text", text: words }] });

serveStdio(() => {
  const server = new McpServer({ name: "modern", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  const gone = server.registerTool("gone", { description: "Goes.", inputSchema: input }, () => say("here"));
  server.registerTool("change", { description: "Changes the list.", inputSchema: input }, () => {
    gone.remove();
    server.registerTool("came", { description: "Came.", inputSchema: input }, () => say("came"));
    return say("changed");
  });
  server.registerTool("slow", { description: "Waits.", inputSchema: input }, async (_args, ctx) => {
    await new Promise((resolve) => ctx.mcpReq.signal.addEventListener("abort", resolve));
    seen.push("aborted");
    return say("late");
  });
  server.registerTool("seen", { description: "Says what it saw.", inputSchema: input }, () => say(seen.join()));
  server.registerTool(
    "typed",
    { description: "Breaks its own schema.", inputSchema: input, outputSchema: fromJsonSchema({ type: "object" }) },
    () => ({ ...say("typed"), structuredContent: { n: 1 } }),
  );
  return server;
});
