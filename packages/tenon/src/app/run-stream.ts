import type { RunEvent } from "../protocol/event.js";
import type { RunResult } from "./run-result.js";

/** Events kept for a slow reader; past that, deltas of one kind are merged. */
const KEPT_EVENTS = 1_000;

/**
 * The events of a run as it goes on, and its result. Leaving the loop early cancels the run; not reading does not stop it.
 * Where the run cannot start, the loop throws what `result` rejects with.
 */
export class RunStream<T = string> implements AsyncIterableIterator<RunEvent, undefined, undefined> {
  readonly result: Promise<RunResult<T>>;
  readonly #leave: () => void;
  #buffer: RunEvent[] = [];
  #waiting:
    | { resolve: (next: IteratorResult<RunEvent, undefined>) => void; reject: (error: unknown) => void }
    | undefined;
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
    const event = this.#buffer.shift();
    if (event !== undefined) return Promise.resolve({ value: event, done: false });
    if (this.#ended) return this.#last();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<RunEvent, undefined>> {
    if (!this.#ended) {
      this.#ended = true;
      this.#leave();
    }
    this.#buffer = [];
    this.#error = undefined;
    return Promise.resolve({ value: undefined, done: true });
  }

  #last(): Promise<IteratorResult<RunEvent, undefined>> {
    const error = this.#error;
    this.#error = undefined;
    return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error.thrown);
  }

  #push(event: RunEvent): void {
    if (this.#ended) return;
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      return waiting.resolve({ value: event, done: false });
    }
    const last = this.#buffer.at(-1);
    if (
      this.#buffer.length >= KEPT_EVENTS &&
      last !== undefined &&
      (event.type === "text-delta" || event.type === "reasoning-delta") &&
      last.type === event.type &&
      last.turn === event.turn
    ) {
      this.#buffer[this.#buffer.length - 1] = Object.freeze({ ...event, text: last.text + event.text });
    } else this.#buffer.push(event);
  }

  #end(error: { readonly thrown: unknown } | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) return;
    this.#error = undefined;
    if (error === undefined) waiting.resolve({ value: undefined, done: true });
    else waiting.reject(error.thrown);
  }
}
