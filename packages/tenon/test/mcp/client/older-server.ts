import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { olderServer } from "./older-server-tools.ts";

export interface OlderHttpServer {
  readonly url: string;
  /** The revision that each request after the handshake names. */
  readonly named: readonly (string | null)[];
  close(): Promise<void>;
}

/** A server over HTTP that knows one older revision only, with sessions. */
export async function olderHttpServer(revision: string): Promise<OlderHttpServer> {
  const named: (string | null)[] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const fetch = async (request: Request): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) named.push(request.headers.get("mcp-protocol-version"));
    const known = id === null ? undefined : sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await olderServer(revision).connect(transport);
    return transport.handleRequest(request);
  };
  const handle = toNodeHandler({ fetch });
  const http = createServer((request, response) => void handle(request as never, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    named,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
