import type {
  McpHandlerRequestOptions,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { ServerSdk } from "./serve-sdk.js";

/** As many sessions are kept; then one without an open call makes room: of whoever has most the one that was not used for longest. */
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

/** What a session is served by. */
export interface LegacyServing {
  serve(): Server;
  /** Whether calls of it are open: such a session is in use, however long ago its last request was. */
  isBusy(server: Server): boolean;
}

/**
 * The sessions of clients that speak a revision before 2026-07-28: only in a session can such a client be asked something while
 * its call is open. A session belongs to the owner that began it. A client whose session has ended begins a new one.
 */
export class LegacySessions {
  readonly #sdk: ServerSdk;
  readonly #serving: LegacyServing;
  readonly #elapsedMs: () => number;
  /** By id; the one used last is last. */
  readonly #sessions: Map<string, Session> = new Map();

  constructor(sdk: ServerSdk, serving: LegacyServing, elapsedMs: () => number) {
    this.#sdk = sdk;
    this.#serving = serving;
    this.#elapsedMs = elapsedMs;
  }

  async fetch(request: Request, options: McpHandlerRequestOptions, owner: string | undefined): Promise<Response> {
    this.#endIdle();
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, options, owner);
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== owner) return noSession();
    this.#touch(id, session);
    return session.transport.handleRequest(request, options);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(all.map(({ server }) => server.close()));
  }

  async #begin(request: Request, options: McpHandlerRequestOptions, owner: string | undefined): Promise<Response> {
    const room = this.#sessions.size < MOST ? undefined : this.#makesRoom(owner);
    if (this.#sessions.size >= MOST && room === undefined) return noRoom();
    const server = this.#serving.serve();
    const transport = new this.#sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { server, transport, owner, usedAt: this.#elapsedMs() });
        if (this.#sessions.size > MOST) this.#end(room ?? this.#makesRoom(owner) ?? id);
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
    const since = this.#elapsedMs() - IDLE_MS;
    for (const [id, session] of this.#sessions) {
      if (session.usedAt > since) return;
      if (this.#serving.isBusy(session.server)) this.#touch(id, session);
      else this.#end(id);
    }
  }

  #touch(id: string, session: Session): void {
    session.usedAt = this.#elapsedMs();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
  }

  /** What may end for a new session of an owner: nothing of those that have fewer, and none with an open call. */
  #makesRoom(owner: string | undefined): string | undefined {
    const counts = new Map<string | undefined, number>();
    for (const { owner: one } of this.#sessions.values()) counts.set(one, (counts.get(one) ?? 0) + 1);
    let most = (counts.get(owner) ?? 0) - 1;
    let found: string | undefined;
    for (const [id, { owner: one, server }] of this.#sessions) {
      if (counts.get(one)! <= most || this.#serving.isBusy(server)) continue;
      most = counts.get(one)!;
      found = id;
    }
    return found;
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

function noRoom(): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code: -32000, message: "All sessions are in use; try again later" }, id: null },
    { status: 503 },
  );
}
