// A server that knows one older revision only. Started as a program it is served over stdio; its argument is the revision.
import { pathToFileURL } from "node:url";
import { fromJsonSchema, McpServer, type CallToolResult, type ServerContext } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

interface Input {
  readonly n?: number;
}

const input = fromJsonSchema<Input>({ type: "object", properties: { n: { type: "integer" } } });
const output = fromJsonSchema({ type: "object", properties: { twice: { type: "integer" } }, required: ["twice"] });

type Run = (args: Input, ctx: ServerContext) => CallToolResult | Promise<CallToolResult>;

const say = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

export function olderServer(revision: string): McpServer {
  const { promise: seen, resolve: aborted } = Promise.withResolvers<void>();
  const server = new McpServer(
    { name: "older", version: "1" },
    { capabilities: { tools: { listChanged: true } }, supportedProtocolVersions: [revision] },
  );
  const tool = (name: string, run: Run, more: { outputSchema?: typeof output } = {}) =>
    server.registerTool(name, { description: `The tool ${name}.`, inputSchema: input, ...more }, run);
  tool("spoken", () => say(server.server.getNegotiatedProtocolVersion() ?? "none"));
  // Structured content came with 2025-06-18: before it a server gave its JSON as text.
  if (revision === "2025-03-26") tool("double", ({ n = 0 }) => say(JSON.stringify({ twice: 2 * n })));
  else tool("double", ({ n = 0 }) => ({ content: [], structuredContent: { twice: 2 * n } }), { outputSchema: output });
  tool("steps", async (_args, { mcpReq }) => {
    // oxlint-disable-next-line no-underscore-dangle -- the protocol's own name
    const progressToken = mcpReq._meta!.progressToken!;
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
    return say("stepped");
  });
  tool("slow", async (_args, { mcpReq }) => {
    await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve));
    aborted();
    return say("late");
  });
  tool("seen", async () => {
    await seen;
    return say("aborted");
  });
  tool("fails", () => ({ ...say("no such file"), isError: true }));
  const goes = tool("goes", () => say("here"));
  tool("change", () => {
    if (goes.enabled) goes.disable();
    else server.sendToolListChanged();
    return say("changed");
  });
  return server;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await olderServer(process.argv[2]!).connect(new StdioServerTransport());
