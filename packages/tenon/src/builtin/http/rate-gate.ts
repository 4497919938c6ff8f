import type { HttpClock } from "./http-settings.js";
import { wait } from "./retry-wait.js";
import { ServiceError } from "./service-error.js";
import type { CallTime } from "./service-http.js";

const WINDOW_MS = 1_000;

/**
 * Lets so many requests a second through, in the order they came; the others wait for their place. One that would have to wait
 * beyond the time of its call is refused at once, and takes no place.
 */
export class RateGate {
  readonly #perSecond: number;
  /** When the last requests leave, at most as many as may in one second. */
  readonly #leaving: number[] = [];

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  async pass({ service, clock, signal, leftMs }: CallTime): Promise<void> {
    const now = clock.elapsedMs();
    const first = this.#leaving.length < this.#perSecond ? undefined : this.#leaving[0];
    const at = first === undefined ? now : Math.max(now, first + WINDOW_MS);
    if (at - now + WINDOW_MS > leftMs)
      throw new ServiceError(
        `${service} takes ${this.#perSecond} requests a second, and too many others wait. Try later, or do without`,
        { source: "trusted" },
      );
    if (first !== undefined) this.#leaving.shift();
    this.#leaving.push(at);
    if (at > now) await wait(at - now, clock, signal);
  }
}

/** Gates of one service: one for each rate and clock, so that all calls of a process that go by the real time share theirs. */
export class RateGates {
  readonly #gates: WeakMap<HttpClock, Map<number, RateGate>> = new WeakMap();

  of(clock: HttpClock, perSecond: number): RateGate {
    let rates = this.#gates.get(clock);
    if (rates === undefined) this.#gates.set(clock, (rates = new Map<number, RateGate>()));
    let gate = rates.get(perSecond);
    if (gate === undefined) rates.set(perSecond, (gate = new RateGate(perSecond)));
    return gate;
  }
}
