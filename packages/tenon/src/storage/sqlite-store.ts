import { resolve } from "node:path";
import { BadInputError, StoreError } from "../errors/run-errors.js";
import type { Ledger } from "../finops/ledger.js";
import type { Pause, PauseAudit } from "../protocol/pause.js";
import type { Signal } from "../journal/store.js";
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
} from "../journal/store.js";
import type { Maybe } from "../util/class.js";
import { assertOnlyOption } from "../journal/only-option.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { cancelRun, parkRun, pickUpRun, releaseRun, renewLeases } from "./sqlite-leases.js";
import { SqliteLedger } from "./sqlite-ledger.js";
import { openSqlite, type Synchronous } from "./sqlite-open.js";
import { auditOf, expirePauses, listPauses, recordSignals } from "./sqlite-pauses.js";
import { SqliteQueue } from "./sqlite-queue.js";
import { eraseThread, pruneRuns, threadsOf } from "./sqlite-retention.js";
import { appendRecords, recordsOf, windowOf } from "./sqlite-records.js";
import { findRun, listRuns } from "./sqlite-runs.js";
import { leaveQueue, startRun, threadOf } from "./sqlite-threads.js";

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /**
   * `full` (default): what was written survives a power cut. `normal`: faster; a power cut, not a kill of the process, can
   * undo the last transactions.
   */
  readonly synchronous?: Synchronous | undefined;
}

/**
 * A store in a SQLite file: runs, threads and pauses outlive the process, and several processes may share the file.
 *
 * The file and its folder are made at the first call, not here; `:memory:` keeps everything in this object. Needs no
 * package: it is Node's own SQLite. Throws `BadInputError` for a path or option that cannot be meant.
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  if (typeof path !== "string" || path.trim() === "" || path.includes("\0")) {
    throw new BadInputError(
      "The path of the store is not a path",
      JSON.stringify(path),
      "Give the path of a file, like `.tenon/tenon.db`, or `:memory:`.",
    );
  }
  assertOnlyOption("sqliteStore", "synchronous", options);
  const { synchronous = "full" } = options;
  if (synchronous !== "full" && synchronous !== "normal") {
    throw new BadInputError(
      "`synchronous` is not one of its values",
      JSON.stringify(synchronous),
      'Use "full" or "normal".',
    );
  }
  return new SqliteStore(path, synchronous, 10_000);
}

/**
 * A store in one SQLite file, safe for several processes at once. The file is opened at the first call. Calls answer at
 * once; where another process holds the file they give a promise, and calls made meanwhile keep their order behind it.
 * Errors are `StoreError`s. After `close` every call throws one.
 */
export class SqliteStore implements Store {
  readonly kind: string = "sqlite";
  readonly location: string;
  readonly ledger: Ledger;
  readonly #synchronous: Synchronous;
  readonly #queue: SqliteQueue;
  #connection: SqliteConnection | undefined;
  #closed = false;

  /** `lockWaitMs`: how long a call waits for a file that another process has locked. */
  constructor(path: string, synchronous: Synchronous, lockWaitMs: number) {
    this.location = path === ":memory:" ? path : resolve(path);
    this.#synchronous = synchronous;
    this.#queue = new SqliteQueue(this.location, lockWaitMs);
    this.ledger = new SqliteLedger((work) => this.#run(work));
  }

  start(request: StartRequest): Maybe<StartResult> {
    return this.#run((connection) => startRun(connection, request));
  }

  append(batch: Append): Maybe<AppendResult> {
    return this.#run((connection) => appendRecords(connection, batch));
  }

  pickUp(runId: string, lease: Lease, now: number): Maybe<PickUpResult> {
    return this.#run((connection) => pickUpRun(connection, runId, lease, now));
  }

  park(runId: string, epoch: number, waits: readonly string[]): Maybe<ParkResult> {
    return this.#run((connection) => parkRun(connection, runId, epoch, waits));
  }

  release(runId: string, epoch: number): Maybe<void> {
    return this.#run((connection) => releaseRun(connection, runId, epoch));
  }

  signal(runId: string, signals: readonly Signal[]): Maybe<SignalResult> {
    return this.#run((connection) => recordSignals(connection, runId, signals));
  }

  cancel(runId: string, now: number, lapsed: "cancelled" | "superseded"): Maybe<CancelResult> {
    return this.#run((connection) => cancelRun(connection, runId, now, lapsed));
  }

  expire(now: number): Maybe<void> {
    return this.#run((connection) => expirePauses(connection, now));
  }

  audit(runId: string): Maybe<readonly PauseAudit[]> {
    return this.#run((connection) => {
      const found = findRun(connection, runId);
      return found === undefined ? [] : auditOf(connection, found.seq);
    });
  }

  threadsOf(owner: string): Maybe<readonly string[]> {
    return this.#run((connection) => threadsOf(connection, owner));
  }

  prune(endedBefore: number, limit: number): Maybe<number> {
    return this.#run((connection) => pruneRuns(connection, endedBefore, limit));
  }

  erase(threadId: string): Maybe<{ readonly erased: number } | { readonly open: RunRow }> {
    return this.#run((connection) => eraseThread(connection, threadId));
  }

  renew(runs: readonly { readonly runId: string; readonly epoch: number }[], lease: Lease): Maybe<Renewed> {
    return this.#run((connection) => renewLeases(connection, runs, lease));
  }

  leaveQueue(threadId: string, ticket: number): Maybe<void> {
    return this.#run((connection) => leaveQueue(connection, threadId, ticket));
  }

  run(runId: string): Maybe<RunRow | undefined> {
    return this.#run((connection) => findRun(connection, runId)?.row);
  }

  records(runId: string): Maybe<readonly JournalRecord[]> {
    return this.#run((connection) => {
      const found = findRun(connection, runId);
      return found === undefined ? [] : recordsOf(connection, found.seq);
    });
  }

  runs(filter: RunFilter): Maybe<readonly RunRow[]> {
    return this.#run((connection) => listRuns(connection, filter));
  }

  thread(threadId: string): Maybe<{ readonly owner: string | undefined } | undefined> {
    return this.#run((connection) => threadOf(connection, threadId));
  }

  window(threadId: string, before: number, count: number): Maybe<readonly PastRun[]> {
    return this.#run((connection) => windowOf(connection, threadId, before, count));
  }

  pauses(filter: PauseFilter): Maybe<readonly Pause[]> {
    return this.#run((connection) => listPauses(connection, filter));
  }

  check(): Maybe<void> {
    return this.#run((connection) =>
      connection.transaction(() => void connection.change("UPDATE meta SET version = version")),
    );
  }

  /** Lets go of the file, after the calls that still wait for it. Closing twice is harmless. */
  close(): Maybe<void> {
    return this.#queue.run(() => {
      this.#closed = true;
      const connection = this.#connection;
      this.#connection = undefined;
      connection?.close();
    });
  }

  #run<T>(work: (connection: SqliteConnection) => T): Maybe<T> {
    return this.#queue.run((patient) => {
      if (this.#closed) throw new StoreError("The store is closed", this.location, "Make a new one on the same path.");
      const connection = (this.#connection ??= openSqlite(this.location, this.#synchronous, patient));
      return patient ? work(connection) : connection.impatiently(() => work(connection));
    });
  }
}
