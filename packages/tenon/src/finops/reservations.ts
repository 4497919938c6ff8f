import type { Usage } from "../protocol/usage.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { Clock, Timer } from "../util/clock.js";
import type {
  Booking,
  CountRequest,
  CountResult,
  Ledger,
  ReserveRequest,
  ReserveResult,
  Settlement,
} from "./ledger.js";
import { nothingUsed } from "./lost-usage.js";
import { BudgetExhausted, WaitedInVain } from "./not-reserved.js";

const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 250;

/** Hears of a reservation: once, at once or later. */
export interface ReservationEnd {
  reserved(attempt: number): void;
  /** `BudgetExhausted`, `WaitedInVain`, or what the store threw. */
  failed(thrown: unknown): void;
}

/** A reservation that waits for others to be settled. Whoever asked may leave. */
export interface WaitingReservation {
  leave(): void;
}

interface Waiting extends WaitingReservation {
  readonly request: ReserveRequest;
  readonly end: ReservationEnd;
  /** As `Clock.elapsedMs` reads. */
  readonly until: number;
  readonly waitMs: number;
  left: boolean;
}

/**
 * The reservations of one app. A call that does not fit beside what others have reserved waits for them, first come first
 * served: it looks again when one of this process is settled, and from time to time for those of others.
 */
export class Reservations {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  #timer: Timer | undefined;
  #lookMs = FIRST_LOOK_MS;
  #looking = false;

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** Tells `end` what came of it; gives what waits, where it has to, for at most `waitMs` milliseconds. */
  reserve(request: ReserveRequest, waitMs: number, end: ReservationEnd): WaitingReservation {
    const entry: Waiting = {
      request,
      end,
      until: this.#clock.elapsedMs() + waitMs,
      waitMs,
      left: false,
      leave: () => void (entry.left = true),
    };
    if (this.#waiting.some((other) => isBefore(other, entry))) this.#wait(entry);
    else
      settleWith(
        () => this.#ledger.reserve(request),
        (result) => {
          if (!this.#told(entry, result)) this.#wait(entry);
        },
        (thrown) => end.failed(thrown),
      );
    return entry;
  }

  settle(settlement: Settlement): Maybe<void> {
    const settled = this.#ledger.settle(settlement);
    if (isPromise(settled)) return settled.then(() => this.#look());
    this.#look();
  }

  book(booking: Booking, usage: Usage): Maybe<void> {
    return this.#ledger.book(booking, usage);
  }

  count(request: CountRequest): Maybe<CountResult> {
    return this.#ledger.count(request);
  }

  lose(runId: string): Maybe<void> {
    return this.#ledger.lose(runId);
  }

  /** True where that was the end of it. */
  #told(entry: Waiting, result: ReserveResult): boolean {
    if (result.kind === "reserved") {
      if (entry.left) this.#giveBack(entry.request, result.attempt);
      else entry.end.reserved(result.attempt);
      return true;
    }
    if (entry.left) return true;
    if (result.kind === "waits" && this.#clock.elapsedMs() < entry.until) return false;
    entry.end.failed(
      result.kind === "exhausted"
        ? new BudgetExhausted(result.limit, result.spent, result.need)
        : new WaitedInVain(result.limit, Math.max(0, entry.waitMs)),
    );
    return true;
  }

  /** Whoever asked has left meanwhile: nothing was called. */
  #giveBack({ runId, key }: ReserveRequest, attempt: number): void {
    settleWith(
      () => this.#ledger.settle({ runId, key, attempt, usage: nothingUsed }),
      () => this.#look(),
      () => {},
    );
  }

  #wait(entry: Waiting): void {
    const { request } = entry;
    const at = request.begun ? this.#waiting.findIndex((other) => !other.request.begun) : -1;
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, entry);
    this.#lookMs = FIRST_LOOK_MS;
    this.#arm();
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#waiting.length === 0) return;
    const ms = this.#lookMs * (0.5 + Math.random());
    this.#lookMs = Math.min(this.#lookMs * 2, LAST_LOOK_MS);
    this.#timer = this.#clock.setTimer(() => {
      this.#timer = undefined;
      this.#look();
    }, ms);
  }

  /** Tries all that wait, in order, but those behind one of the same owner that still waits. */
  #look(): void {
    if (this.#waiting.length === 0 || this.#looking) return;
    this.#looking = true;
    void this.#lookThrough().finally(() => {
      this.#looking = false;
      this.#arm();
    });
  }

  async #lookThrough(): Promise<void> {
    const behind = new Set<string | undefined>();
    for (const entry of this.#waiting.slice()) {
      if (behind.has(entry.request.owner) && !entry.left && this.#clock.elapsedMs() < entry.until) continue;
      let over = true;
      try {
        if (!entry.left) over = this.#told(entry, await this.#ledger.reserve(entry.request));
      } catch (thrown) {
        entry.end.failed(thrown);
      }
      if (!over) behind.add(entry.request.owner);
      else {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        this.#lookMs = FIRST_LOOK_MS;
      }
    }
  }
}

/** First come, first served; but a run that has begun goes before those that have not. */
function isBefore(waiting: Waiting, { request }: Waiting): boolean {
  return !waiting.left && waiting.request.owner === request.owner && (waiting.request.begun || !request.begun);
}

/** Runs at once where it can. */
function settleWith<T>(act: () => Maybe<T>, done: (value: T) => void, failed: (thrown: unknown) => void): void {
  let given: Maybe<T>;
  try {
    given = act();
  } catch (thrown) {
    return failed(thrown);
  }
  if (isPromise(given)) given.then(done, failed);
  else done(given);
}
