import type { RunEvent } from "../protocol/event.js";

/** Events kept for a slow reader; past that, deltas of one kind are merged. */
const KEPT_EVENTS = 1_000;

interface Reader {
  readonly resolve: (next: IteratorResult<RunEvent, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

/** Events on their way to one reader, who may be slow: nothing waits for it, and it loses no text. */
export class EventBuffer {
  readonly #onLeft: () => void;
  #events: RunEvent[] = [];
  /** Readers that wait for the next event, in the order they came. */
  #waiting: Reader[] = [];
  #ended = false;
  #error: { readonly thrown: unknown } | undefined;

  /** `onLeft` hears once that the reader left before the end. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  /** The next event, now or when it comes; after the end what it ended with, once. */
  next(): Promise<IteratorResult<RunEvent, undefined>> {
    const event = this.#events.shift();
    if (event !== undefined) return Promise.resolve({ value: event, done: false });
    if (this.#ended) return this.#last();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** The reader leaves: whatever is left is dropped. */
  leave(): Promise<IteratorResult<RunEvent, undefined>> {
    if (!this.#ended) {
      this.#ended = true;
      this.#onLeft();
    }
    this.#events = [];
    this.#error = undefined;
    this.#dismiss();
    return Promise.resolve({ value: undefined, done: true });
  }

  push(event: RunEvent): void {
    if (this.#ended) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) return waiting.resolve({ value: event, done: false });
    const last = this.#events.at(-1);
    if (
      this.#events.length >= KEPT_EVENTS &&
      last !== undefined &&
      (event.type === "text-delta" || event.type === "reasoning-delta") &&
      last.type === event.type &&
      last.turn === event.turn
    ) {
      this.#events[this.#events.length - 1] = Object.freeze({ ...event, text: last.text + event.text });
    } else this.#events.push(event);
  }

  /** No event comes any more. What is kept is still read; then the reader gets `error`, if there is one. */
  end(error?: { readonly thrown: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    const first = this.#waiting.shift();
    if (error === undefined || first === undefined) this.#error = error;
    else first.reject(error.thrown);
    if (error === undefined) first?.resolve({ value: undefined, done: true });
    this.#dismiss();
  }

  #last(): Promise<IteratorResult<RunEvent, undefined>> {
    const error = this.#error;
    this.#error = undefined;
    return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error.thrown);
  }

  #dismiss(): void {
    for (const reader of this.#waiting.splice(0)) reader.resolve({ value: undefined, done: true });
  }
}
