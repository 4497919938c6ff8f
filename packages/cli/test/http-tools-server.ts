import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** An MCP server over HTTP on this machine, with these tools, for callers with this `authorization` only. Gives its address. */
export async function httpToolsServer(tools: readonly object[], authorization: string): Promise<string> {
  const server = createServer((request, response) => {
    const answer = (status: number, body?: object): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    if (request.headers.authorization !== authorization) return answer(401);
    if (request.method !== "POST") return answer(405);
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      const { id, method, params } = JSON.parse(text);
      if (id === undefined) return answer(202);
      const result: Readonly<Record<string, object>> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "web", version: "1" },
        },
        "tools/list": { tools },
      };
      const unknown = { error: { code: -32601, message: "no such method" } };
      answer(200, { jsonrpc: "2.0", id, ...(result[method] === undefined ? unknown : { result: result[method] }) });
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
