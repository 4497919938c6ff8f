import type { RunEvent } from "../protocol/event.js";
import type { RunResult } from "./run-result.js";

/** Events kept for a slow reader; past that, deltas of one kind are merged. */
const KEPT_EVENTS = 1_000;

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
  #buffer: RunEvent[] = [];
  /** Readers that wait for the next event, in the order they came. */
  #waiting: Reader[] = [];
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
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  return(): Promise<IteratorResult<RunEvent, undefined>> {
    if (!this.#ended) {
      this.#ended = true;
      this.#leave();
    }
    this.#buffer = [];
    this.#error = undefined;
    this.#dismiss();
    return Promise.resolve({ value: undefined, done: true });
  }

  #last(): Promise<IteratorResult<RunEvent, undefined>> {
    const error = this.#error;
    this.#error = undefined;
    return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error.thrown);
  }

  #push(event: RunEvent): void {
    if (this.#ended) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) return waiting.resolve({ value: event, done: false });
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
    const first = this.#waiting.shift();
    if (error === undefined || first === undefined) this.#error = error;
    else first.reject(error.thrown);
    if (error === undefined) first?.resolve({ value: undefined, done: true });
    this.#dismiss();
  }

  #dismiss(): void {
    for (const reader of this.#waiting.splice(0)) reader.resolve({ value: undefined, done: true });
  }
}
