import { BadInputError } from "../errors/run-errors.js";
import { MemoryLedger } from "../finops/memory-ledger.js";
import type { Pause, PauseAudit } from "../protocol/pause.js";
import { assertOnlyOption } from "./only-option.js";
import type { Signal } from "./store.js";
import { listRuns } from "./memory-list.js";
import { MemoryPauses } from "./memory-pauses.js";
import { MemoryRetention } from "./memory-retention.js";
import { MemoryRun, type MemoryThread } from "./memory-run.js";
import { MemoryThreads } from "./memory-threads.js";
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
  SignalResult,
  StartRequest,
  StartResult,
  Store,
} from "./store.js";
import { TurnoverMap } from "./turnover-map.js";

/** Options of `memoryStore`. */
export interface MemoryStoreOptions {
  /** How many ended runs are kept, of all threads together; older ones are forgotten. Default 1000. */
  readonly keep?: number | undefined;
}

/**
 * A store in this process's memory: nothing outlives the process. A thread whose runs are all forgotten is forgotten too,
 * its owner with it. Throws `BadInputError` for a `keep` that is no whole number.
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  assertOnlyOption("memoryStore", "keep", options);
  const { keep = 1000 } = options;
  if (keep !== Infinity && !(Number.isSafeInteger(keep) && keep >= 0)) {
    throw new BadInputError(
      "`keep` is not a number of runs",
      String(keep),
      "Give a whole number, 0 or more, or `Infinity`.",
    );
  }
  return new MemoryStore(keep);
}

/** Keeps everything in maps, as it was given. Every method answers at once; `close` does nothing. */
export class MemoryStore implements Store {
  readonly kind: string = "memory";
  readonly location: string = "memory";
  readonly ledger: MemoryLedger = new MemoryLedger();
  readonly #runs: TurnoverMap<MemoryRun> = new TurnoverMap();
  readonly #threads: MemoryThreads = new MemoryThreads();
  readonly #pauses: MemoryPauses = new MemoryPauses();
  readonly #retention: MemoryRetention;
  #started = 0;

  constructor(keep: number) {
    this.#retention = new MemoryRetention(keep, this.#threads, this.#pauses, this.ledger);
  }

  start(request: StartRequest): StartResult {
    const { run, queue, fresh } = request;
    const known = fresh === true ? undefined : this.#runs.get(run.id);
    if (known !== undefined) {
      // The place is of no more use to the caller, and nobody else could free it.
      if (typeof queue === "number") this.leaveQueue(run.threadId, queue);
      return isForeign(known.thread, run.owner) ? { kind: "owner" } : { kind: "exists", run: known.row };
    }
    let thread = run.threadId === run.id && fresh === true ? undefined : this.#thread(run.threadId);
    if (thread === undefined) thread = this.#threads.make(run);
    else {
      if (isForeign(thread, run.owner)) return { kind: "owner" };
      if (thread.holder !== undefined || this.#threads.isAhead(thread, queue, request.now))
        return this.#busy(thread, request);
    }
    thread.head++;
    const started = new MemoryRun(run, thread, request.lease, ++this.#started);
    thread.holder = started;
    this.#runs.add(started);
    if (typeof queue === "number") this.#threads.leave(thread, queue);
    return { kind: "started", run: started.row };
  }

  append({ runId, epoch, records, distinct, opened, end }: Append): AppendResult {
    const run = this.#runs.get(runId);
    if (run === undefined || !run.accepts(epoch)) return "fenced";
    run.add(records, distinct === true);
    if (opened !== undefined) this.#pauses.open(run, opened);
    if (end !== undefined) {
      run.end(end.outcome, end.at);
      this.#retention.ended(run, end.at);
    }
    return "written";
  }

  pickUp(runId: string, lease: Lease, now: number): PickUpResult {
    const run = this.#runs.get(runId);
    if (run === undefined) return { kind: "absent" };
    if (run.ended) return { kind: "ended", run: run.row };
    if (run.leaseUntil > now && run.leaseBy !== lease.by) return { kind: "held", until: run.leaseUntil };
    if (!run.runnable) return { kind: "waiting", run: run.row, pauses: this.#pauses.of(run) };
    run.turn("running", run.row.epoch + 1);
    run.woken = false;
    run.leaseBy = lease.by;
    run.leaseUntil = lease.until;
    return {
      kind: "picked-up",
      run: run.row,
      records: run.records.slice(),
      signals: run.signalList,
      cancelAsked: run.cancelAsked,
    };
  }

  park(runId: string, epoch: number, waits: readonly string[]): ParkResult {
    const run = this.#runs.get(runId);
    if (run === undefined || !run.accepts(epoch)) return "fenced";
    if (run.cancelAsked || waits.some((name) => run.signals?.has(name)))
      return { signals: run.signalList, cancelAsked: run.cancelAsked };
    run.turn("paused", epoch);
    run.giveUpLease();
    run.woken = false;
    return "parked";
  }

  release(runId: string, epoch: number): void {
    const run = this.#runs.get(runId);
    if (run !== undefined && run.accepts(epoch)) run.giveUpLease();
  }

  signal(runId: string, signals: readonly Signal[]): SignalResult {
    const run = this.#runs.get(runId);
    return run === undefined ? { kind: "absent" } : this.#pauses.answer(run, signals);
  }

  cancel(runId: string, now: number, lapsed: "cancelled" | "superseded"): CancelResult {
    const run = this.#runs.get(runId);
    if (run === undefined) return { kind: "absent" };
    if (run.ended) return { kind: "ended", run: run.row };
    run.cancelAsked = true;
    this.#pauses.lapse(run, lapsed, now);
    return { kind: run.leaseUntil > now ? "asked" : "free" };
  }

  renew(runs: readonly { readonly runId: string; readonly epoch: number }[], lease: Lease): Renewed {
    const lost: string[] = [];
    const cancels: string[] = [];
    const woken: { runId: string; signals: readonly Signal[] }[] = [];
    for (const { runId, epoch } of runs) {
      const run = this.#runs.get(runId);
      if (run === undefined || run.row.epoch !== epoch) lost.push(runId);
      else if (run.leaseBy === lease.by) {
        run.leaseUntil = lease.until;
        if (run.cancelAsked) cancels.push(runId);
        if (run.woken) woken.push({ runId, signals: run.signalList });
        run.woken = false;
      }
    }
    this.#threads.renew(lease.by, lease.until);
    return { lost, cancels, woken };
  }

  leaveQueue(threadId: string, ticket: number): void {
    this.#threads.leave(this.#thread(threadId), ticket);
  }

  run(runId: string): RunRow | undefined {
    return this.#runs.get(runId)?.row;
  }

  records(runId: string): readonly JournalRecord[] {
    return this.#runs.get(runId)?.records.slice() ?? [];
  }

  runs(filter: RunFilter): readonly RunRow[] {
    return listRuns(this.#runs.values(), filter);
  }

  thread(threadId: string): { readonly owner: string | undefined } | undefined {
    const thread = this.#thread(threadId);
    return thread === undefined ? undefined : { owner: thread.owner };
  }

  window(threadId: string, before: number, count: number): readonly PastRun[] {
    return this.#threads.window(this.#thread(threadId), before, count);
  }

  pauses({ runId, threadId }: PauseFilter): readonly Pause[] {
    return this.#pauses.list(runId, threadId);
  }

  expire(now: number): void {
    this.#pauses.expire(now);
  }

  audit(runId: string): readonly PauseAudit[] {
    const run = this.#runs.get(runId);
    return run === undefined ? [] : this.#pauses.audit(run);
  }

  threadsOf(owner: string): readonly string[] {
    const owned = [...this.#runs.values()].filter(({ thread }) => thread.owner === owner);
    return [...new Set([...this.#threads.of(owner), ...owned.map(({ thread }) => thread.key)])];
  }

  prune(endedBefore: number, limit: number): number {
    return this.#retention.prune(endedBefore, limit);
  }

  erase(threadId: string): { readonly erased: number } | { readonly open: RunRow } {
    return this.#retention.erase(this.#thread(threadId));
  }

  check(): void {}
  close(): void {}

  /** A thread is kept, or it is found with the run that founded it. */
  #thread(id: string): MemoryThread | undefined {
    const kept = this.#threads.get(id);
    if (kept !== undefined) return kept;
    const thread = this.#runs.get(id)?.thread;
    return thread?.key === id ? thread : undefined;
  }

  #busy(thread: MemoryThread, { queue, lease, now }: StartRequest): StartResult {
    const { holder } = thread;
    const ticket = this.#threads.placeOf(thread, queue, lease.by, lease.until, now);
    const holderLeaseUntil = holder !== undefined && holder.leaseUntil > now ? holder.leaseUntil : 0;
    return {
      kind: "busy",
      holder: holder?.row,
      holderLeaseUntil,
      pauses: holder === undefined ? [] : this.#pauses.of(holder),
      ticket,
    };
  }
}

function isForeign(thread: MemoryThread, owner: string | undefined): boolean {
  return thread.owner !== undefined && thread.owner !== owner;
}
