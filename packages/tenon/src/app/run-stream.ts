import type { RunEvent } from "../protocol/event.js";
import { EventBuffer } from "./event-buffer.js";
import type { RunResult } from "./run-result.js";

interface Reader {
  readonly resolve: (next: IteratorResult<RunEvent, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The events of a run as it goes on, and its result. Leaving the loop early cancels the run; not reading does not stop it.
 * Where the run cannot start, the loop throws what `result` rejects with.
 */
export class RunStream<T = string> implements AsyncIterableIterator<RunEvent, undefined, undefined> {
  readonly result: Promise<RunResult<T>>;
  readonly #leave: () => void;
  readonly #buffer: EventBuffer = new EventBuffer();
  /** Who waits for the next event; `#others` came after it, in their order. */
  #waiting: Reader | undefined;
  #others: Reader[] | undefined;
  #ended = false;
  #error: { readonly thrown: unknown } | undefined;

  /** `start` begins the run with the listener of this stream; `leave` cancels it. */
  constructor(start: (listener: (event: RunEvent) => void) => Promise<RunResult<T>>, leave: () => void) {
    this.#leave = leave;
    this.result = start((event) => this.#push(event));
    this.result.then(
      () => this.#end(undefined),
      (thrown: unknown) => this.#end({ thrown }),
    );
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<RunEvent, undefined>> {
    const event = this.#buffer.take();
    if (event !== undefined) return Promise.resolve({ value: event, done: false });
    if (this.#ended) return this.#last();
    return new Promise(this.#wait);
  }

  return(): Promise<IteratorResult<RunEvent, undefined>> {
    if (!this.#ended) {
      this.#ended = true;
      this.#leave();
    }
    this.#buffer.clear();
    this.#error = undefined;
    this.#dismiss();
    return Promise.resolve({ value: undefined, done: true });
  }

  #last(): Promise<IteratorResult<RunEvent, undefined>> {
    const error = this.#error;
    this.#error = undefined;
    return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error.thrown);
  }

  /** One for all promises of the stream: a promise an event is the most that it costs. */
  readonly #wait = (resolve: Reader["resolve"], reject: Reader["reject"]): void => {
    const reader: Reader = { resolve, reject };
    if (this.#waiting === undefined) this.#waiting = reader;
    else (this.#others ??= []).push(reader);
  };

  #push(event: RunEvent): void {
    if (this.#ended) return;
    const waiting = this.#waiting;
    if (waiting === undefined) return this.#buffer.add(event);
    this.#waiting = this.#others?.shift();
    waiting.resolve({ value: event, done: false });
  }

  #end(error: { readonly thrown: unknown } | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    const first = this.#waiting;
    this.#waiting = this.#others?.shift();
    if (error === undefined || first === undefined) this.#error = error;
    else first.reject(error.thrown);
    if (error === undefined) first?.resolve({ value: undefined, done: true });
    this.#dismiss();
  }

  #dismiss(): void {
    for (let reader = this.#waiting; reader !== undefined; reader = this.#others?.shift())
      reader.resolve({ value: undefined, done: true });
    this.#waiting = undefined;
  }
}
