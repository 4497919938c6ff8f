import type { RunEvent } from "../protocol/event.js";
import { EventBuffer } from "./event-buffer.js";
import type { RunResult } from "./run-result.js";

/**
 * The events of a run as it goes on, and its result. Leaving the loop early cancels the run; not reading does not stop it.
 * Where the run cannot start, the loop throws what `result` rejects with.
 */
export class RunStream<T = string> implements AsyncIterableIterator<RunEvent, undefined, undefined> {
  readonly result: Promise<RunResult<T>>;
  readonly #buffer: EventBuffer;

  /** `start` begins the run with the listener of this stream; `leave` cancels it. */
  constructor(start: (listener: (event: RunEvent) => void) => Promise<RunResult<T>>, leave: () => void) {
    this.#buffer = new EventBuffer(leave);
    this.result = start((event) => this.#buffer.push(event));
    this.result.then(
      () => this.#buffer.end(),
      (thrown: unknown) => this.#buffer.end({ thrown }),
    );
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<RunEvent, undefined>> {
    return this.#buffer.next();
  }

  return(): Promise<IteratorResult<RunEvent, undefined>> {
    return this.#buffer.leave();
  }
}
