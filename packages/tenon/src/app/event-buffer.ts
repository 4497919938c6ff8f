import type { RunEvent } from "../protocol/event.js";

/** Events kept for a slow reader; past that, deltas of one kind are merged. */
const KEPT_EVENTS = 1_000;

/** The events that a reader has not taken yet, oldest first. */
export class EventBuffer {
  readonly #events: RunEvent[] = [];
  /** Where the oldest one is: what is before it was taken. */
  #first = 0;

  add(event: RunEvent): void {
    const events = this.#events;
    const last = events.length - 1;
    if (
      events.length - this.#first >= KEPT_EVENTS &&
      (event.type === "text-delta" || event.type === "reasoning-delta")
    ) {
      const before = events[last]!;
      if (before.type === event.type && before.turn === event.turn) {
        events[last] = Object.freeze({ ...event, text: before.text + event.text });
        return;
      }
    }
    events.push(event);
  }

  take(): RunEvent | undefined {
    const events = this.#events;
    if (events.length === 0) return undefined;
    const event = events[this.#first++];
    if (this.#first === events.length) this.clear();
    else if (this.#first === KEPT_EVENTS) {
      events.splice(0, KEPT_EVENTS);
      this.#first = 0;
    }
    return event;
  }

  clear(): void {
    this.#events.length = 0;
    this.#first = 0;
  }
}
