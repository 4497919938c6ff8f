import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer, type McpHttpHandler } from "@modelcontextprotocol/server";

/** What a call knows at the server. */
export interface ServedCall {
  readonly signal: AbortSignal;
  progress(done: number): Promise<void>;
  readonly headers: Headers | undefined;
}

/** A tool as the server has it. `run` gives the server's own result, or a text. */
export interface ServedTool {
  readonly description?: string | undefined;
  readonly input?: object | undefined;
  readonly output?: object | undefined;
  run(args: any, call: ServedCall): unknown;
}

/** An MCP server on loopback HTTP in this process, whose tools are functions of the test. */
export class LoopbackServer {
  readonly tools: { [name: string]: ServedTool };
  /** The calls that reached it, in order. */
  readonly calls: { readonly name: string; readonly args: unknown }[] = [];
  url = "";
  readonly #handler: McpHttpHandler;
  readonly #http: Server;

  constructor(tools: { [name: string]: ServedTool }) {
    this.tools = tools;
    this.#handler = createMcpHandler(() => this.#server());
    const handle = toNodeHandler(this.#handler);
    this.#http = createServer((req, res) => void handle(req as never, res));
  }

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#http.listen(0, "127.0.0.1", done));
    this.url = `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`;
    return this;
  }

  /** Says that its tools are others now. */
  changed(): void {
    this.#handler.notify.toolsChanged();
  }

  async close(): Promise<void> {
    await this.#handler.close();
    this.#http.closeAllConnections();
    await new Promise((done) => this.#http.close(done));
  }

  #server(): McpServer {
    const server = new McpServer(
      { name: "loopback", version: "1" },
      { capabilities: { tools: { listChanged: true } } },
    );
    for (const [name, tool] of Object.entries(this.tools)) {
      const { description, input = { type: "object" }, output } = tool;
      const schemas = {
        inputSchema: fromJsonSchema(input as never),
        ...(output && { outputSchema: fromJsonSchema(output as never) }),
      };
      server.registerTool(
        name,
        { ...(description !== undefined && { description }), ...schemas },
        async (args: unknown, ctx) => {
          this.calls.push({ name, args });
          const { mcpReq, http } = ctx;
          // oxlint-disable-next-line no-underscore-dangle -- the protocol's own name
          const token = mcpReq._meta?.progressToken;
          const progress = async (done: number): Promise<void> => {
            if (token !== undefined)
              await mcpReq.notify({
                method: "notifications/progress",
                params: { progressToken: token, progress: done },
              });
          };
          const given = await tool.run(args, { signal: mcpReq.signal, progress, headers: http?.req?.headers });
          return (typeof given === "string" ? { content: [{ type: "text", text: given }] } : given) as never;
        },
      );
    }
    return server;
  }
}

/** A started one. */
export function loopbackServer(tools: { [name: string]: ServedTool }): Promise<LoopbackServer> {
  return new LoopbackServer(tools).start();
}
