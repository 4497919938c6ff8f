import { McpConnectionError } from "../../errors/mcp-connection-errors.js";
import { backOffMs } from "../../llm/back-off.js";
import { untilAborted } from "../../util/abort.js";
import { sleep } from "../../util/sleep.js";
import { type Link, LinkNotOpened, type LinkPlace, openLink } from "./link.js";
import { mayPassLater, startFailure } from "./start-failure.js";
import { type ListWatch, watchLists } from "./watch-lists.js";

/** How often a server is tried before it counts as not there. */
const ATTEMPTS = 3;
/** How long a server has to agree that it will tell of changes, in milliseconds. */
const AGREE_MS = 1_000;

/** The links to one place, one after the other: made when one is needed and there is none. */
export class Links {
  readonly #place: LinkPlace;
  readonly #random: () => number;
  readonly #onStale: () => void;
  readonly #closing: AbortController = new AbortController();
  #link: Link | undefined;
  #opening: Promise<Link> | undefined;
  #watch: ListWatch | undefined;
  /** The server is asked for none of 2026 or later. */
  #older = false;
  /** How often a link was lost since the server last answered. */
  #losses = 0;
  #held = false;

  /** `onStale` is called where the tools may be others than before: with each new link, and when the server says so. */
  constructor(place: LinkPlace, random: () => number, onStale: () => void) {
    this.#place = place;
    this.#random = random;
    this.#onStale = onStale;
  }

  /** The link that there is, where it is not lost. */
  get current(): Link | undefined {
    return this.#link?.lost() === true ? undefined : this.#link;
  }

  get closing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Whether a program keeps this process alive. */
  hold(held: boolean): void {
    this.#held = held;
    this.#link?.hold(held);
  }

  /** The server answered: whatever went wrong before is over. */
  answered(): void {
    this.#losses = 0;
  }

  /** The end of all links. Settles when nothing of them is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#watch?.end();
    await this.#opening?.catch(() => {});
    await this.#link?.close(true);
  }

  /** The link that there is, or a new one. Rejects with `McpConnectionError`, also where the signal aborts first: others still get it. */
  async take(signal: AbortSignal | undefined): Promise<Link> {
    const { name } = this.#place.spec;
    if (this.closing) throw new McpConnectionError(name, undefined, { reason: "closed", started: false });
    if (signal?.aborted === true)
      throw new McpConnectionError(name, undefined, { reason: "aborted", started: false }, signal.reason);
    if (this.#link?.lost()) await this.drop(this.#link);
    if (this.#link !== undefined) return this.#link;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    const opening = this.#opening;
    if (await untilAborted(opening, signal)) return opening;
    opening.catch(() => {});
    throw new McpConnectionError(name, undefined, { reason: "aborted", started: false }, signal?.reason);
  }

  /** A link after at most so many attempts, with a growing pause before each but the first. */
  async #open(): Promise<Link> {
    const { clock, spec, hide } = this.#place;
    for (let attempt = 0; ; attempt++) {
      // A server that was lost twice without an answer waits too.
      const steps = attempt + Math.max(0, this.#losses - 1);
      if (steps > 0) await sleep(clock, backOffMs(steps - 1, undefined, this.#random)!, [this.#closing.signal]);
      try {
        return await this.#openOnce();
      } catch (thrown) {
        if (this.closing)
          throw new McpConnectionError(spec.name, undefined, { reason: "closed", started: false }, thrown);
        if (!(thrown instanceof LinkNotOpened)) throw thrown;
        if (attempt + 1 < ATTEMPTS && mayPassLater(thrown)) continue;
        this.#older = false;
        throw startFailure(spec, thrown, hide);
      }
    }
  }

  async #openOnce(): Promise<Link> {
    const open = (): Promise<Link> => openLink(this.#place, this.#older, this.#closing.signal, this.#onStale);
    let link: Link;
    try {
      link = await open();
    } catch (thrown) {
      if (!(thrown instanceof LinkNotOpened) || !thrown.tryOlder || this.closing) throw thrown;
      this.#older = true;
      link = await open();
    }
    this.#link = link;
    this.#onStale();
    link.hold(this.#held);
    this.#watch = watchLists(link, this.#place.clock, this.#onStale);
    const { begun } = this.#watch;
    // So that the first list is not asked for twice. A server that takes its time is not waited for.
    if (begun !== undefined)
      await Promise.race([begun, sleep(this.#place.clock, AGREE_MS, [this.#closing.signal], false)]);
    return link;
  }

  /** This link is of no use any more. */
  async drop(link: Link): Promise<void> {
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#losses++;
    this.#watch?.end();
    await link.close(false).catch(() => {});
  }
}
