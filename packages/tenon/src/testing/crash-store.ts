import type { Ledger } from "../finops/ledger.js";
import type {
  Append,
  AppendResult,
  CancelResult,
  JournalRecord,
  Lease,
  ParkResult,
  PauseFilter,
  PastRun,
  PickUpResult,
  Renewed,
  RunFilter,
  RunRow,
  Signal,
  SignalResult,
  StartRequest,
  StartResult,
  Store,
} from "../journal/store.js";
import type { Pause, PauseAudit } from "../protocol/pause.js";
import { isPromise, type Maybe } from "../util/class.js";
import type { CrashOutside } from "./crash-outside.js";

/** The process that a store serves. */
export interface StoreUser {
  readonly alive: boolean;
  readonly outside: CrashOutside;
  /** Passes a point; true where the process ends there. */
  ends(label: string): boolean;
  /** These records were written. */
  recorded(records: readonly JournalRecord[]): void;
}

/**
 * One process's view of a store. Each transaction that writes (but the renewal of leases) has a point before and one after it.
 * Once the process has ended, nothing of it is written and nothing answers.
 */
export class CrashStore implements Store {
  readonly kind: string;
  readonly location: string;
  readonly ledger: Ledger;
  readonly #inner: Store;
  readonly #process: StoreUser;
  readonly #open: Set<Promise<unknown>> = new Set();
  #leaseMs = 0;

  constructor(inner: Store, process: StoreUser) {
    this.kind = inner.kind;
    this.location = inner.location;
    this.#inner = inner;
    this.#process = process;
    this.ledger = this.#ledger(inner.ledger);
  }

  /** The longest lease that it wrote. */
  get leaseMs(): number {
    return this.#leaseMs;
  }

  /** Waits for what was on its way when the process ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  start(request: StartRequest): Maybe<StartResult> {
    const now = this.#ahead(request.now);
    this.#leaseMs = Math.max(this.#leaseMs, request.lease.until - request.now);
    return this.#write(`start ${request.run.id}`, () =>
      this.#inner.start({ ...request, now, lease: this.#lease(request.lease) }),
    );
  }

  append(batch: Append): Maybe<AppendResult> {
    const { records, opened = [], end } = batch;
    const what = [
      ...records.map(({ key }) => key),
      ...opened.map(({ id }) => id),
      ...(end === undefined ? [] : ["end"]),
    ];
    return this.#write(
      `record ${what.join(" + ")}`,
      () => this.#inner.append(batch),
      (result) => {
        if (result === "written") this.#process.recorded(records);
      },
    );
  }

  pickUp(runId: string, lease: Lease, now: number): Maybe<PickUpResult> {
    this.#leaseMs = Math.max(this.#leaseMs, lease.until - now);
    return this.#write(`pick up ${runId}`, () => this.#inner.pickUp(runId, this.#lease(lease), this.#ahead(now)));
  }

  park(runId: string, epoch: number, waits: readonly string[]): Maybe<ParkResult> {
    return this.#write(`park ${runId}`, () => this.#inner.park(runId, epoch, waits));
  }

  release(runId: string, epoch: number): Maybe<void> {
    return this.#write(`release ${runId}`, () => this.#inner.release(runId, epoch));
  }

  signal(runId: string, signals: readonly Signal[]): Maybe<SignalResult> {
    return this.#write(`decide ${signals.map(({ name }) => name).join(" + ")}`, () =>
      this.#inner.signal(runId, signals),
    );
  }

  cancel(runId: string, now: number, lapsed: "cancelled" | "superseded"): Maybe<CancelResult> {
    return this.#write(`cancel ${runId}`, () => this.#inner.cancel(runId, this.#ahead(now), lapsed));
  }

  expire(now: number): Maybe<void> {
    return this.#write("expire", () => this.#inner.expire(now));
  }

  renew(runs: readonly { readonly runId: string; readonly epoch: number }[], lease: Lease): Maybe<Renewed> {
    return this.#read(() => this.#inner.renew(runs, this.#lease(lease)));
  }

  leaveQueue(threadId: string, ticket: number): Maybe<void> {
    return this.#write(`leave queue ${threadId}`, () => this.#inner.leaveQueue(threadId, ticket));
  }

  prune(endedBefore: number, limit: number): Maybe<number> {
    return this.#write("prune", () => this.#inner.prune(endedBefore, limit));
  }

  erase(threadId: string): Maybe<{ readonly erased: number } | { readonly open: RunRow }> {
    return this.#write(`erase ${threadId}`, () => this.#inner.erase(threadId));
  }

  run(runId: string): Maybe<RunRow | undefined> {
    return this.#read(() => this.#inner.run(runId));
  }

  records(runId: string): Maybe<readonly JournalRecord[]> {
    return this.#read(() => this.#inner.records(runId));
  }

  runs(filter: RunFilter): Maybe<readonly RunRow[]> {
    const { runnableAt } = filter;
    const ahead = runnableAt === undefined ? filter : { ...filter, runnableAt: this.#ahead(runnableAt) };
    return this.#read(() => this.#inner.runs(ahead));
  }

  thread(threadId: string): Maybe<{ readonly owner: string | undefined } | undefined> {
    return this.#read(() => this.#inner.thread(threadId));
  }

  window(threadId: string, before: number, count: number): Maybe<readonly PastRun[]> {
    return this.#read(() => this.#inner.window(threadId, before, count));
  }

  pauses(filter: PauseFilter): Maybe<readonly Pause[]> {
    return this.#read(() => this.#inner.pauses(filter));
  }

  audit(runId: string): Maybe<readonly PauseAudit[]> {
    return this.#read(() => this.#inner.audit(runId));
  }

  threadsOf(owner: string): Maybe<readonly string[]> {
    return this.#read(() => this.#inner.threadsOf(owner));
  }

  check(): Maybe<void> {
    return this.#read(() => this.#inner.check());
  }

  /** The process ends; its store is closed by whoever opened it. */
  close(): void {}

  #ledger(inner: Ledger): Ledger {
    return {
      reserve: (request) => this.#write(`reserve ${request.key}`, () => inner.reserve(request)),
      settle: (settlement) => this.#write(`settle ${settlement.key}`, () => inner.settle(settlement)),
      book: (booking, usage) => this.#write(`book ${booking.key}`, () => inner.book(booking, usage)),
      count: (request) => this.#write(`count ${request.runId} ${request.runTotal}`, () => inner.count(request)),
      lose: (runId) => this.#write(`lose ${runId}`, () => inner.lose(runId)),
      entries: (filter) => this.#read(() => inner.entries(filter)),
    };
  }

  #ahead(at: number): number {
    return at + this.#process.outside.leaseAheadMs;
  }

  #lease({ by, until }: Lease): Lease {
    return { by, until: this.#ahead(until) };
  }

  #read<R>(act: () => Maybe<R>): Maybe<R> {
    if (!this.#process.alive) return never();
    const result = act();
    return isPromise(result) ? this.#tracked(result) : result;
  }

  #write<R>(label: string, act: () => Maybe<R>, written?: (result: R) => void): Maybe<R> {
    if (!this.#process.alive || this.#process.ends(`before ${label}`)) return never();
    const result = act();
    const after = (settled: R): Maybe<R> => {
      written?.(settled);
      return this.#process.ends(`after ${label}`) ? never() : settled;
    };
    return isPromise(result) ? this.#tracked(result).then(after) : after(result);
  }

  /** A promise that settles only while the process is there. */
  #tracked<R>(answer: Promise<R>): Promise<R> {
    this.#open.add(answer);
    const done = (): void => void this.#open.delete(answer);
    answer.then(done, done);
    return answer.then(
      (result) => (this.#process.alive ? result : never()),
      (thrown: unknown) => {
        if (this.#process.alive) throw thrown;
        return never();
      },
    );
  }
}

/** What a process gets once it has ended: no answer. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
