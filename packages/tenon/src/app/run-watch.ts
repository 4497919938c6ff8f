import { AppClosedError, RunNotFoundError } from "../errors/run-errors.js";
import type { RunRow, Store } from "../journal/store.js";
import type { RunEvent } from "../protocol/event.js";
import type { Toolset } from "../tools/toolset.js";
import type { Mask } from "../tools/value-mask.js";
import { chain, isPromise, type Maybe } from "../util/class.js";
import type { Clock, Timer } from "../util/clock.js";
import { soon } from "../util/soon.js";
import { EventBuffer } from "./event-buffer.js";
import type { RunListener } from "./run-events.js";
import { checkRunId } from "./run-request.js";
import { snapshotOf } from "./run-snapshot.js";
import { RunTale } from "./run-tale.js";

/** How often the journal of a run is looked at, in milliseconds. */
export const LOOK_MS: number = 250;

/** What a watch needs of its app. */
export interface WatchPorts {
  readonly store: Store;
  readonly clock: Clock;
  /** Aborted when the app is closed. */
  readonly closing: AbortSignal;
  /** The tools that a run's agent has now. */
  readonly toolsOf: (run: RunRow) => Toolset | undefined;
  /** What is masked in what is shown of an agent's runs. */
  readonly maskOf: (agent: string) => Mask | undefined;
  /** Hears a run while it is active in this process. */
  readonly listen: (runId: string, listener: RunListener) => () => void;
  /** The activation of a run that is active in this process, else an empty text. */
  readonly activationOf: (runId: string) => string;
}

/**
 * The events of a run wherever it goes on, from its start to where it ends or waits. Begins to look when it is first read. Where
 * the run goes on elsewhere they come from the journal. Leaving the loop changes nothing for the run.
 */
export class RunWatch implements AsyncIterableIterator<RunEvent, undefined, undefined> {
  readonly #runId: string;
  readonly #ports: WatchPorts;
  readonly #buffer: EventBuffer;
  readonly #tale: RunTale;
  /** What was heard and is not told yet; nothing stands for a look at the journal. */
  #heard: (RunEvent | undefined)[] = [];
  /** What a look that takes its time gives is told before anything else. */
  #looking = false;
  /** Something was heard that the journal tells. */
  #behind = false;
  #lookingSoon = false;
  #run: RunRow | undefined;
  #started = false;
  #over = false;
  #timer: Timer | undefined;
  #unlisten: (() => void) | undefined;

  constructor(runId: string, ports: WatchPorts) {
    this.#runId = runId;
    this.#ports = ports;
    this.#buffer = new EventBuffer(() => this.#stop());
    this.#tale = new RunTale(runId, ports.clock, (event) => this.#buffer.push(event), ports.maskOf);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<RunEvent, undefined>> {
    if (!this.#started) this.#start();
    return this.#buffer.next();
  }

  return(): Promise<IteratorResult<RunEvent, undefined>> {
    this.#started = true;
    return this.#buffer.leave();
  }

  #start(): void {
    this.#started = true;
    const { closing, listen } = this.#ports;
    try {
      checkRunId(this.#runId);
      if (closing.aborted) throw new AppClosedError();
      closing.addEventListener("abort", this.#closed, { once: true });
      this.#unlisten = listen(this.#runId, (event) => this.#take(event));
      this.#take(undefined);
      this.#watchTime();
    } catch (thrown) {
      this.#end({ thrown });
    }
  }

  readonly #closed = (): void => this.#end({ thrown: new AppClosedError(this.#runId) });

  #watchTime(): void {
    if (this.#over) return;
    this.#timer = this.#ports.clock.setTimer(() => {
      this.#take(undefined);
      this.#watchTime();
    }, LOOK_MS);
  }

  #take(event: RunEvent | undefined): void {
    if (this.#over) return;
    this.#heard.push(event);
    if (!this.#looking) this.#tellHeard();
  }

  #tellHeard(): void {
    while (this.#heard.length > 0 && !this.#over) {
      try {
        const telling = this.#tellOne(this.#heard.shift());
        if (!isPromise(telling)) continue;
        this.#looking = true;
        telling.then(
          () => {
            this.#looking = false;
            this.#tellHeard();
          },
          (thrown: unknown) => this.#end({ thrown }),
        );
        return;
      } catch (thrown) {
        return this.#end({ thrown });
      }
    }
  }

  #tellOne(event: RunEvent | undefined): Maybe<void> {
    if (event === undefined) return this.#look();
    if (!this.#tale.hear(event)) return this.#lookSoon();
    return chain(this.#behind ? this.#look() : undefined, () => {
      if (this.#over || !this.#tale.pass(event, this.#run!)) return;
      return chain(this.#look(), () => void (this.#over || this.#tale.pass(event, this.#run!)));
    });
  }

  /** A result is told when it happened, and written shortly after. */
  #lookSoon(): void {
    this.#behind = true;
    if (this.#lookingSoon) return;
    this.#lookingSoon = true;
    soon(() => {
      this.#lookingSoon = false;
      this.#take(undefined);
    });
  }

  #look(): Maybe<void> {
    this.#behind = false;
    const { store, toolsOf, activationOf } = this.#ports;
    return chain(snapshotOf(store, this.#runId), (snapshot) => {
      if (this.#over) return;
      if (snapshot === undefined) throw new RunNotFoundError(this.#runId);
      this.#run = snapshot.run;
      if (this.#tale.catchUp(snapshot, toolsOf(snapshot.run), activationOf(this.#runId))) this.#end();
    });
  }

  #end(error?: { readonly thrown: unknown }): void {
    this.#stop();
    this.#buffer.end(error);
  }

  #stop(): void {
    this.#over = true;
    this.#heard = [];
    this.#timer?.clear();
    this.#unlisten?.();
    this.#ports.closing.removeEventListener("abort", this.#closed);
  }
}
