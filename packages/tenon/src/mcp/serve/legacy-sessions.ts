import type {
  McpHandlerRequestOptions,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { ServerSdk } from "./serve-sdk.js";

/** As many sessions are kept; then the one that was not used for longest makes room. */
const MOST = 1_000;
/** One that was not used for so long ends, in milliseconds. */
const IDLE_MS = 30 * 60_000;

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Whose it is. */
  readonly owner: string | undefined;
  usedAt: number;
}

/**
 * The sessions of clients that speak a revision before 2026-07-28: only in a session can such a client be asked something while
 * its call is open. A session belongs to the owner that began it. A client whose session has ended begins a new one.
 */
export class LegacySessions {
  readonly #sdk: ServerSdk;
  readonly #serve: () => Server;
  readonly #now: () => number;
  /** By id; the one used last is last. */
  readonly #sessions: Map<string, Session> = new Map();

  constructor(sdk: ServerSdk, serve: () => Server, now: () => number) {
    this.#sdk = sdk;
    this.#serve = serve;
    this.#now = now;
  }

  async fetch(request: Request, options: McpHandlerRequestOptions, owner: string | undefined): Promise<Response> {
    this.#endIdle();
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, options, owner);
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== owner) return noSession();
    session.usedAt = this.#now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.transport.handleRequest(request, options);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(all.map(({ server }) => server.close()));
  }

  async #begin(request: Request, options: McpHandlerRequestOptions, owner: string | undefined): Promise<Response> {
    const server = this.#serve();
    const transport = new this.#sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { server, transport, owner, usedAt: this.#now() });
        if (this.#sessions.size > MOST) this.#end(this.#sessions.keys().next().value!);
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, options);
    // What was no beginning of a session leaves nothing behind.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #endIdle(): void {
    const since = this.#now() - IDLE_MS;
    for (const [id, { usedAt }] of this.#sessions) {
      if (usedAt > since) return;
      this.#end(id);
    }
  }

  #end(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    void session?.server.close().catch(() => {});
  }
}

function noSession(): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code: -32001, message: "There is no such session" }, id: null },
    { status: 404 },
  );
}
