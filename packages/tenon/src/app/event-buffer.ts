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
  /** Those that were not taken yet, oldest first, from `#first` on. */
  readonly #events: RunEvent[] = [];
  #first = 0;
  /** Who waits for the next event; `#others` came after it, in their order. */
  #waiting: Reader | undefined;
  #others: Reader[] | undefined;
  #ended = false;
  #error: { readonly thrown: unknown } | undefined;

  /** `onLeft` hears once that the reader left before the end. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  /** The next event, now or when it comes; after the end what it ended with, once. */
  next(): Promise<IteratorResult<RunEvent, undefined>> {
    const event = this.#take();
    if (event !== undefined) return Promise.resolve({ value: event, done: false });
    if (this.#ended) return this.#last();
    return new Promise(this.#wait);
  }

  /** The reader leaves: whatever is left is dropped. */
  leave(): Promise<IteratorResult<RunEvent, undefined>> {
    if (!this.#ended) {
      this.#ended = true;
      this.#onLeft();
    }
    this.#clear();
    this.#error = undefined;
    this.#dismiss();
    return Promise.resolve({ value: undefined, done: true });
  }

  push(event: RunEvent): void {
    if (this.#ended) return;
    const waiting = this.#waiting;
    if (waiting === undefined) return this.#keep(event);
    this.#waiting = this.#others?.shift();
    waiting.resolve({ value: event, done: false });
  }

  /** No event comes any more. What is kept is still read; then the reader gets `error`, if there is one. */
  end(error?: { readonly thrown: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    const first = this.#waiting;
    this.#waiting = this.#others?.shift();
    if (error === undefined || first === undefined) this.#error = error;
    else first.reject(error.thrown);
    if (error === undefined) first?.resolve({ value: undefined, done: true });
    this.#dismiss();
  }

  /** One for all promises of the buffer: a promise an event is the most that it costs. */
  readonly #wait = (resolve: Reader["resolve"], reject: Reader["reject"]): void => {
    const reader: Reader = { resolve, reject };
    if (this.#waiting === undefined) this.#waiting = reader;
    else (this.#others ??= []).push(reader);
  };

  #keep(event: RunEvent): void {
    const events = this.#events;
    const last = events.length - 1;
    if (
      events.length - this.#first >= KEPT_EVENTS &&
      (event.type === "text-delta" || event.type === "reasoning-delta" || event.type === "tool-input-delta")
    ) {
      const before = events[last]!;
      if (before.type === event.type && before.turn === event.turn && isOfOneCall(before, event)) {
        events[last] = Object.freeze({ ...event, text: before.text + event.text });
        return;
      }
    }
    events.push(event);
  }

  #take(): RunEvent | undefined {
    const events = this.#events;
    if (events.length === 0) return undefined;
    const event = events[this.#first++];
    if (this.#first === events.length) this.#clear();
    else if (this.#first === KEPT_EVENTS) {
      events.splice(0, KEPT_EVENTS);
      this.#first = 0;
    }
    return event;
  }

  #clear(): void {
    this.#events.length = 0;
    this.#first = 0;
  }

  #last(): Promise<IteratorResult<RunEvent, undefined>> {
    const error = this.#error;
    this.#error = undefined;
    return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error.thrown);
  }

  #dismiss(): void {
    for (let reader = this.#waiting; reader !== undefined; reader = this.#others?.shift())
      reader.resolve({ value: undefined, done: true });
    this.#waiting = undefined;
  }
}

function isOfOneCall(before: RunEvent, event: RunEvent): boolean {
  return before.type !== "tool-input-delta" || (event.type === "tool-input-delta" && before.callId === event.callId);
}
