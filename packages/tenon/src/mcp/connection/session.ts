import type { JsonObject } from "../../protocol/json.js";
import { McpConnectionError, McpRefusedError } from "../../errors/mcp-connection-errors.js";
import { canonicalJson } from "../../util/canonical-json.js";
import type { Maybe } from "../../util/class.js";
import type { CallAnswer, CallOptions } from "./call-answer.js";
import { callTool, GivenUp } from "./call-tool.js";
import { type Link, type LinkPlace, NEVER_MS } from "./link.js";
import { Links } from "./links.js";
import { listPages, type Page } from "./list-pages.js";
import { type ListedTool, readTools, type ServerTools } from "./listed-tool.js";
import { rawResult } from "./raw-result.js";
import { requestFailure } from "./request-failure.js";
import { shownAnswer } from "./shown-answer.js";

/** A server that may not be able to say that its list changed is asked again after this, in milliseconds. */
const LIST_AGAIN_MS = 60_000;

/** What a session has beside its place. */
export interface SessionParts extends LinkPlace {
  readonly random: () => number;
}

/** One caller's side of a server: at most one link at a time, made at the first use and again after it was lost. */
export class Session {
  readonly #parts: SessionParts;
  readonly #links: Links;
  #busy = 0;
  #listed: ServerTools | undefined;
  #listedText = "";
  #listedAt = 0;
  #stale = true;
  #listing: Promise<readonly ListedTool[]> | undefined;
  #closed: Promise<void> | undefined;
  /** As the clock's `elapsedMs` reads. */
  usedAt: number = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#links = new Links(parts, parts.random, () => (this.#stale = true));
    this.usedAt = parts.clock.elapsedMs();
  }

  get busy(): boolean {
    return this.#busy > 0;
  }

  /** Whether the server says that its list of tools may change while it runs. Known once it was listed. */
  get announces(): boolean {
    return this.#links.current?.client.getServerCapabilities()?.tools?.listChanged === true;
  }

  get faults(): readonly string[] {
    return this.#listed?.faults ?? [];
  }

  tools(): Maybe<readonly ListedTool[]> {
    this.usedAt = this.#parts.clock.elapsedMs();
    if (this.#isFresh()) return this.#listed!.tools;
    return (this.#listing ??= this.#listTools().finally(() => (this.#listing = undefined)));
  }

  async call(tool: string, args: JsonObject | undefined, options: CallOptions): Promise<CallAnswer> {
    const { hide } = this.#parts;
    const answer = await this.#run("tools/call", false, options.signal, (link) => {
      const listed = this.#listed?.tools.find(({ name }) => name === tool);
      const { idleTimeoutMs } = this.#parts.spec;
      return callTool(link, tool, args, { ...options, idleTimeoutMs, hide }, this.#parts.clock, listed);
    });
    return shownAnswer(answer, hide);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#links.close());
  }

  #isFresh(): boolean {
    const link = this.#links.current;
    if (this.#listed === undefined || this.#stale || link === undefined) return false;
    return this.#parts.clock.elapsedMs() - this.#listedAt < this.#freshMs(link);
  }

  #freshMs(link: Link): number {
    const tells = this.#parts.spec.url === undefined && link.client.getServerCapabilities()?.tools?.listChanged;
    return tells === true ? Infinity : LIST_AGAIN_MS;
  }

  async #listTools(): Promise<readonly ListedTool[]> {
    const { clock } = this.#parts;
    const entries = await this.#run("tools/list", true, undefined, (link) => {
      // What is said from here on is news.
      this.#stale = false;
      return this.#listOn(link);
    }).catch((thrown: unknown) => {
      this.#stale = true;
      throw thrown;
    });
    const listed = readTools(entries);
    const text = canonicalJson(listed);
    if (text !== this.#listedText) {
      this.#listed = listed;
      this.#listedText = text;
    }
    this.#listedAt = clock.elapsedMs();
    return this.#listed!.tools;
  }

  /** All pages, in the time that the server has to start. */
  async #listOn(link: Link): Promise<unknown[]> {
    if (link.client.getServerCapabilities()?.tools === undefined) return [];
    const stop = new AbortController();
    const timer = this.#parts.clock.setTimer(() => stop.abort("silent for too long"), this.#parts.spec.startTimeoutMs);
    const fetchPage = (cursor: string | undefined): Promise<Page> => {
      const request = { method: "tools/list" as const, params: cursor === undefined ? {} : { cursor } };
      return link.client.request(request, rawResult, { signal: stop.signal, timeout: NEVER_MS });
    };
    try {
      return await listPages(fetchPage);
    } catch (thrown) {
      throw stop.signal.aborted ? new GivenUp("idle") : thrown;
    } finally {
      timer.clear();
    }
  }

  /** Makes a request on a link; once more on another link where it surely did nothing, or may be repeated. */
  async #run<T>(
    method: string,
    repeatable: boolean,
    signal: AbortSignal | undefined,
    request: (link: Link) => Promise<T>,
  ): Promise<T> {
    const { spec, hide, clock } = this.#parts;
    this.#busy++;
    this.#links.hold(true);
    try {
      for (let again = false; ; again = true) {
        const link = await this.#links.take(signal);
        try {
          const answer = await request(link);
          this.#links.answered();
          return answer;
        } catch (thrown) {
          if (thrown instanceof GivenUp)
            throw new McpConnectionError(spec.name, undefined, { reason: thrown.reason, started: true }, thrown);
          if (this.#links.closing)
            throw new McpConnectionError(spec.name, undefined, { reason: "closed", started: true }, thrown);
          const failure = requestFailure(spec.name, method, thrown, link, hide);
          if (failure.error instanceof McpRefusedError) this.#links.answered();
          if (failure.lost || link.lost()) await this.#links.drop(link);
          if (again || !(failure.again || (repeatable && failure.lost))) throw failure.error;
        }
      }
    } finally {
      this.usedAt = clock.elapsedMs();
      if (--this.#busy === 0) this.#links.hold(false);
    }
  }
}
