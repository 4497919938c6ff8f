import type { RunEvent, RunEventBody } from "../protocol/event.js";
import type { Mask } from "../tools/value-mask.js";
import type { Clock } from "../util/clock.js";
import { HeldText } from "./held-text.js";
import { shownEvent } from "./shown-event.js";

export type RunListener = (event: RunEvent) => void;

const nobody: readonly RunListener[] = Object.freeze([]);

/** The listeners of one run while it is active here. Building an event costs nothing where nobody listens. */
export class RunEvents {
  readonly #runId: string;
  readonly #clock: Clock;
  readonly #onFault: () => void;
  readonly #mask: Mask | undefined;
  /** Only where something is masked. */
  readonly #held: HeldText | undefined;
  #listeners: readonly RunListener[] = nobody;
  #tell: ((body: RunEventBody) => void) | undefined;
  #activation = "";
  #seq = 0;

  constructor(runId: string, clock: Clock, onFault: () => void, mask: Mask | undefined) {
    this.#runId = runId;
    this.#clock = clock;
    this.#onFault = onFault;
    this.#mask = mask;
    this.#held = mask === undefined ? undefined : new HeldText();
  }

  /** The function that tells the listeners, or `undefined` where there are none now. */
  get teller(): ((body: RunEventBody) => void) | undefined {
    return this.#listeners.length === 0 ? undefined : (this.#tell ??= this.#makeTell());
  }

  // A closure where `teller` is asked would be paid for each time, also where nobody listens.
  #makeTell(): (body: RunEventBody) => void {
    const mask = this.#mask;
    return mask === undefined ? (body) => this.#tellAll(body) : (body) => this.#tellMasked(body, mask);
  }

  /** The activation that the events are of now. */
  get activation(): string {
    return this.#activation;
  }

  /** A new activation counts its events from 1. */
  begin(activation: string): void {
    this.#activation = activation;
    this.#seq = 0;
    this.#held?.drop();
  }

  add(listener: RunListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  #tellMasked(body: RunEventBody, mask: Mask): void {
    for (const told of this.#held!.take(body)) this.#tellAll(shownEvent(told, mask));
  }

  #tellAll(body: RunEventBody): void {
    const event = this.#eventOf(body);
    // Who comes or goes meanwhile changes the next list.
    const listeners = this.#listeners;
    for (let at = 0; at < listeners.length; at++) {
      try {
        const given: unknown = listeners[at]!(event);
        if (given instanceof Promise) given.catch(this.#onFault);
      } catch {
        this.#onFault();
      }
    }
  }

  /** A delta comes for every few letters of an answer, so its event is written out; it holds nothing that can be changed. */
  #eventOf(body: RunEventBody): RunEvent {
    const seq = ++this.#seq;
    const at = this.#clock.now();
    if (body.type === "text-delta" || body.type === "reasoning-delta") {
      const { type, turn, text } = body;
      return Object.freeze({ type, turn, text, runId: this.#runId, activation: this.#activation, seq, at });
    }
    if (body.type === "tool-input-delta")
      return Object.freeze({ ...body, runId: this.#runId, activation: this.#activation, seq, at });
    return deepFreeze({ ...body, runId: this.#runId, activation: this.#activation, seq, at });
  }
}

/** Events are shared by all listeners, and their values with the journal: nobody changes them. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  // Most events are flat: a list of their members would cost more than they do.
  for (const key in value) {
    const member: unknown = value[key];
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
  return value;
}
