import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One request as it came in. */
export interface Seen {
  readonly verb: string;
  readonly method: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly message: { readonly id?: number | string; readonly params?: { [name: string]: any } } | undefined;
}

export type Answer = (seen: Seen, response: ServerResponse) => void;

export interface HttpServer {
  readonly url: string;
  readonly seen: Seen[];
  /** How often a method came. */
  count(method: string): number;
  stop(): Promise<void>;
}

/** A server written by hand on a free port of this machine. It and its connections go with the test. */
export async function httpServer(answer: Answer, at: number = 0): Promise<HttpServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const message = text === "" ? undefined : (JSON.parse(text) as Seen["message"] & { method?: string });
      const one = { verb: request.method!, method: message?.method, headers: request.headers, message };
      seen.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    stop,
    count: (method) => seen.filter((one) => one.method === method).length,
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export const result = (seen: Seen, value: object): object => ({ jsonrpc: "2.0", id: seen.message?.id, result: value });

/** How a well-behaved server of 2025 with sessions answers everything but calls; `undefined` where it is a call. */
export function handshake(
  sessions: Set<string>,
  newSession: (seen: Seen) => string = () => `s${sessions.size + 1}`,
): (seen: Seen, response: ServerResponse) => boolean {
  return (seen, response) => {
    if (seen.verb === "DELETE") {
      sessions.delete(String(seen.headers["mcp-session-id"]));
      response.writeHead(200).end();
    } else if (seen.verb === "GET") response.writeHead(405).end();
    else if (seen.method === "initialize") {
      const session = newSession(seen);
      sessions.add(session);
      const value = {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "by hand", version: "1" },
      };
      sendJson(response, 200, result(seen, value), { "mcp-session-id": session });
    } else if (!sessions.has(String(seen.headers["mcp-session-id"]))) {
      const expired = seen.headers["mcp-session-id"] !== undefined;
      sendJson(response, expired ? 404 : 400, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32_000, message: "no session" },
      });
    } else if (seen.method === "notifications/initialized" || seen.method === "notifications/cancelled")
      response.writeHead(202).end();
    else if (seen.method === "tools/list")
      sendJson(response, 200, result(seen, { tools: [{ name: "any", inputSchema: { type: "object" } }] }));
    else return false;
    return true;
  };
}

export const said = (words: string): object => ({ content: [{ type: "text", text: words }] });
