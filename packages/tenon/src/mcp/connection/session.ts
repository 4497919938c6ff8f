import type { JsonObject } from "../../protocol/json.js";
import { McpConnectionError, McpRefusedError } from "../../errors/mcp-connection-errors.js";
import { backOffMs } from "../../llm/back-off.js";
import { untilAborted } from "../../util/abort.js";
import { canonicalJson } from "../../util/canonical-json.js";
import type { Maybe } from "../../util/class.js";
import { sleep } from "../../util/sleep.js";
import type { CallAnswer, CallOptions } from "./call-answer.js";
import { callTool, GivenUp } from "./call-tool.js";
import { type Link, LinkNotOpened, type LinkPlace, NEVER_MS, openLink } from "./link.js";
import { listPages, type Page } from "./list-pages.js";
import { type ListedTool, readTools, type ReadTools } from "./listed-tool.js";
import { rawResult } from "./raw-result.js";
import { requestFailure } from "./request-failure.js";
import { mayPassLater, startFailure } from "./start-failure.js";
import { watchLists } from "./watch-lists.js";

/** How often a server is tried before it counts as not there. */
const ATTEMPTS = 3;
/** A server that may not be able to say that its list changed is asked again after this, in milliseconds. */
const LIST_AGAIN_MS = 60_000;

/** What a session has beside its place. */
export interface SessionParts extends LinkPlace {
  readonly random: () => number;
  /** The list of tools is another one than before. */
  readonly onVersion: () => void;
}

type Lists = "tools" | "resources" | "prompts";

/** One caller's side of a server: at most one link at a time, made at the first use and again after it was lost. */
export class Session {
  readonly #parts: SessionParts;
  readonly #closing: AbortController = new AbortController();
  #link: Link | undefined;
  #opening: Promise<Link> | undefined;
  #older = false;
  /** How often a link was lost since the server last answered. */
  #losses = 0;
  #busy = 0;
  #listed: ReadTools | undefined;
  #listedText = "";
  #listedAt = 0;
  #stale = true;
  #listing: Promise<readonly ListedTool[]> | undefined;
  #unwatch: (() => void) | undefined;
  #closed: Promise<void> | undefined;
  /** As the clock's `elapsedMs` reads. */
  usedAt: number = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.usedAt = parts.clock.elapsedMs();
  }

  get busy(): boolean {
    return this.#busy > 0;
  }

  /** Whether the server says that its list of tools may change while it runs. Known once it was listed. */
  get announces(): boolean {
    return this.#link?.client.getServerCapabilities()?.tools?.listChanged === true;
  }

  get faults(): readonly string[] {
    return this.#listed?.faults ?? [];
  }

  tools(): Maybe<readonly ListedTool[]> {
    this.usedAt = this.#parts.clock.elapsedMs();
    if (this.#isFresh()) return this.#listed!.tools;
    return (this.#listing ??= this.#listTools().finally(() => (this.#listing = undefined)));
  }

  list(what: Lists): Promise<unknown[]> {
    return this.#run(`${what}/list`, true, undefined, (link) => this.#listOn(link, what));
  }

  async call(tool: string, args: JsonObject | undefined, options: CallOptions): Promise<CallAnswer> {
    return this.#run("tools/call", false, options.signal, (link) => {
      const listed = this.#listed?.tools.find(({ name }) => name === tool);
      const { idleTimeoutMs = this.#parts.spec.idleTimeoutMs } = options;
      return callTool(link, tool, args, { ...options, idleTimeoutMs }, this.#parts.clock, listed);
    });
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    this.#unwatch?.();
    await this.#opening?.catch(() => {});
    await this.#link?.close(true);
  }

  #isFresh(): boolean {
    if (this.#listed === undefined || this.#stale || this.#link === undefined || this.#link.lost()) return false;
    return this.#parts.clock.elapsedMs() - this.#listedAt < this.#freshMs(this.#link);
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
      return this.#listOn(link, "tools");
    }).catch((thrown: unknown) => {
      this.#stale = true;
      throw thrown;
    });
    const listed = readTools(entries);
    const text = canonicalJson(listed);
    if (text !== this.#listedText) {
      this.#listed = listed;
      this.#listedText = text;
      this.#parts.onVersion();
    }
    this.#listedAt = clock.elapsedMs();
    return this.#listed!.tools;
  }

  /** All pages, in the time that the server has to start. */
  async #listOn(link: Link, what: Lists): Promise<unknown[]> {
    if (link.client.getServerCapabilities()?.[what] === undefined) return [];
    const stop = new AbortController();
    const timer = this.#parts.clock.setTimer(() => stop.abort("silent for too long"), this.#parts.spec.startTimeoutMs);
    const fetchPage = (cursor: string | undefined): Promise<Page> => {
      const request = { method: `${what}/list` as const, params: cursor === undefined ? {} : { cursor } };
      return link.client.request(request, rawResult, { signal: stop.signal, timeout: NEVER_MS });
    };
    try {
      return await listPages(what, fetchPage);
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
    this.#link?.hold(true);
    try {
      for (let again = false; ; again = true) {
        const link = await this.#linkFor(signal);
        try {
          const answer = await request(link);
          this.#losses = 0;
          return answer;
        } catch (thrown) {
          if (thrown instanceof GivenUp)
            throw new McpConnectionError(spec.name, undefined, { reason: thrown.reason, started: true }, thrown);
          if (this.#closing.signal.aborted)
            throw new McpConnectionError(spec.name, undefined, { reason: "closed", started: true }, thrown);
          const failure = requestFailure(spec.name, method, thrown, link, hide);
          if (failure.error instanceof McpRefusedError) this.#losses = 0;
          if (failure.lost || link.lost()) await this.#drop(link);
          if (again || !(failure.again || (repeatable && failure.lost))) throw failure.error;
        }
      }
    } finally {
      this.usedAt = clock.elapsedMs();
      if (--this.#busy === 0) this.#link?.hold(false);
    }
  }

  async #linkFor(signal: AbortSignal | undefined): Promise<Link> {
    const { name } = this.#parts.spec;
    if (this.#closing.signal.aborted)
      throw new McpConnectionError(name, undefined, { reason: "closed", started: false });
    if (signal?.aborted === true)
      throw new McpConnectionError(name, undefined, { reason: "aborted", started: false }, signal.reason);
    if (this.#link?.lost()) await this.#drop(this.#link);
    if (this.#link !== undefined) return this.#link;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    const opening = this.#opening;
    if (await untilAborted(opening, signal)) return opening;
    opening.catch(() => {});
    throw new McpConnectionError(name, undefined, { reason: "aborted", started: false }, signal?.reason);
  }

  /** A link after at most so many attempts, with a growing pause before each but the first. */
  async #open(): Promise<Link> {
    const { clock, random } = this.#parts;
    for (let attempt = 0; ; attempt++) {
      // A server that was lost twice without an answer waits too.
      const steps = attempt + Math.max(0, this.#losses - 1);
      if (steps > 0) await sleep(clock, backOffMs(steps - 1, undefined, random)!, [this.#closing.signal]);
      try {
        return await this.#openOnce();
      } catch (thrown) {
        const { spec, hide } = this.#parts;
        if (this.#closing.signal.aborted)
          throw new McpConnectionError(spec.name, undefined, { reason: "closed", started: false }, thrown);
        if (!(thrown instanceof LinkNotOpened)) throw thrown;
        if (attempt + 1 < ATTEMPTS && mayPassLater(thrown)) continue;
        this.#older = false;
        throw startFailure(spec.name, thrown, hide);
      }
    }
  }

  async #openOnce(): Promise<Link> {
    const open = (): Promise<Link> =>
      openLink(this.#parts, this.#older, this.#closing.signal, () => (this.#stale = true));
    let link: Link;
    try {
      link = await open();
    } catch (thrown) {
      if (!(thrown instanceof LinkNotOpened) || !thrown.tryOlder || this.#closing.signal.aborted) throw thrown;
      this.#older = true;
      link = await open();
    }
    this.#link = link;
    this.#stale = true;
    link.hold(this.#busy > 0);
    this.#unwatch = watchLists(link, this.#parts.clock, () => (this.#stale = true));
    return link;
  }

  async #drop(link: Link): Promise<void> {
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#losses++;
    this.#unwatch?.();
    await link.close(false).catch(() => {});
  }
}
