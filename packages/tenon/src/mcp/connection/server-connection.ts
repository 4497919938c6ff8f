import { McpConnectionError } from "../../errors/mcp-connection-errors.js";
import type { JsonObject } from "../../protocol/json.js";
import { chain, type Maybe } from "../../util/class.js";
import type { Clock, Timer } from "../../util/clock.js";
import type { CallAnswer, CallOptions } from "./call-answer.js";
import { callerHeaders } from "./caller-headers.js";
import { hideValues } from "./hidden-values.js";
import type { ListedTool } from "./listed-tool.js";
import type { ServerSpec } from "./server-spec.js";
import { Session } from "./session.js";

/** How many callers with headers of their own have sessions at a time. */
const MOST_SESSIONS = 32;
/** A caller's session that nobody used for so long is closed, in milliseconds. */
const IDLE_MS = 300_000;
/** How long a program has at each step of being closed, in milliseconds. */
const GRACE_MS = 1_500;

/** What a connection needs beside its server. */
export interface ConnectionParts {
  readonly clock: Clock;
  /** Default: `Math.random`. For the pauses between attempts. */
  readonly random?: (() => number) | undefined;
  /** How long a program has to end after its input ended, and again after SIGTERM, in milliseconds. Default: 1,500. */
  readonly graceMs?: number | undefined;
}

/**
 * One MCP server as the app uses it. Nothing is started or reached before the first use; a connection that was lost is made again at
 * the next one. Callers whose headers are different have sessions of their own. All methods reject with `McpConnectionError` where the
 * server does not answer, with `McpRefusedError` where it answers with an error, and with what `headers` throws (without values of the
 * environment).
 */
export class ServerConnection {
  readonly spec: ServerSpec;
  readonly #parts: ConnectionParts;
  readonly #sessions: Map<string, Session> = new Map();
  readonly #ending: Set<Promise<void>> = new Set();
  #sweep: Timer | undefined;
  #closed: Promise<void> | undefined;

  constructor(spec: ServerSpec, parts: ConnectionParts) {
    this.spec = spec;
    this.#parts = parts;
  }

  /** What is wrong with the tools that were left out of the last list, a sentence each. */
  faults(context?: unknown): Maybe<readonly string[]> {
    return chain(this.#session(context), (session) => session.faults);
  }

  /** Whether the server says that its list of tools may change while it runs. Known once `tools` was there. */
  announces(context?: unknown): Maybe<boolean> {
    return chain(this.#session(context), (session) => session.announces);
  }

  /**
   * The server's tools, all pages. Listed at the first use, after the server said that they changed, after the connection was made
   * anew, and each minute where a server does not say so; between these it is a plain value and no promise.
   */
  tools(context?: unknown): Maybe<readonly ListedTool[]> {
    return chain(this.#session(context), (session) => session.tools());
  }

  /**
   * Calls a tool, and gives the answer as it came. It is sent once: a call that may have reached the server before the connection was
   * lost is never sent again, and `data.started` of the error says so.
   */
  async call(tool: string, args: JsonObject | undefined, options: CallOptions = {}): Promise<CallAnswer> {
    return (await this.#session(options.context)).call(tool, args, options);
  }

  /** Ends every session and the server's program with all that it started. Settles when they are gone; a second call waits for the first. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#sweep?.clear();
    await Promise.all([...this.#ending, ...[...this.#sessions.values()].map((session) => session.close())]);
  }

  #session(context: unknown): Maybe<Session> {
    const { headers, url } = this.spec;
    if (headers === undefined || url === undefined) return this.#sessionOf({}, "");
    return chain(callerHeaders(this.spec, context, this.#parts.clock), (entries) =>
      this.#sessionOf(Object.fromEntries(entries), JSON.stringify(entries)),
    );
  }

  #sessionOf(headers: Readonly<Record<string, string>>, key: string): Session {
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    if (this.#closed !== undefined)
      throw new McpConnectionError(this.spec.name, undefined, { reason: "closed", started: false });
    this.#makeRoom();
    const { clock, random = Math.random, graceMs = GRACE_MS } = this.#parts;
    const hide = hideValues([...Object.values(this.spec.env), ...Object.values(headers), ...secretsOf(this.spec.url)]);
    const session = new Session({ spec: this.spec, headers, clock, random, graceMs, hide });
    this.#sessions.set(key, session);
    if (key !== "") this.#sweepLater();
    return session;
  }

  /** The session that was not used for the longest time goes, where there are too many. */
  #makeRoom(): void {
    if (this.#sessions.size < MOST_SESSIONS) return;
    const idle = [...this.#sessions].filter(([, session]) => !session.busy);
    const [oldest] = idle.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined)
      throw new McpConnectionError(this.spec.name, `${MOST_SESSIONS} callers`, { reason: "busy", started: false });
    this.#end(...oldest);
  }

  #sweepLater(): void {
    if (this.#sweep !== undefined) return;
    this.#sweep = this.#parts.clock.setTimer(() => {
      this.#sweep = undefined;
      const before = this.#parts.clock.elapsedMs() - IDLE_MS;
      for (const [key, session] of [...this.#sessions])
        if (key !== "" && !session.busy && session.usedAt <= before) this.#end(key, session);
      if (this.#sessions.size > 0) this.#sweepLater();
    }, IDLE_MS);
    this.#sweep.release();
  }

  #end(key: string, session: Session): void {
    this.#sessions.delete(key);
    const ending = session.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

/** What in an address may be nobody's to see. */
function secretsOf(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { username, password, searchParams } = new URL(url);
  return [username, password, ...searchParams.values()];
}
