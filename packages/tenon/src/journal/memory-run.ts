import { JournalError } from "../errors/run-errors.js";
import type { Outcome, RunStatus } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";
import type { Signal } from "./store.js";
import type { JournalRecord, Lease, NewRun, RunRow } from "./store.js";
import type { Forgettable } from "./turnover-map.js";

/** A place in a thread's queue. */
export interface MemoryTicket {
  readonly number: number;
  readonly by: string;
  until: number;
}

/** A thread: a chain of the ended runs that are still known, and the open run that holds it. */
export interface MemoryThread extends Forgettable {
  readonly owner: string | undefined;
  head: number;
  holder: MemoryRun | undefined;
  oldest: MemoryRun | undefined;
  newest: MemoryRun | undefined;
  /** In the order of arrival. */
  queue: Map<number, MemoryTicket> | undefined;
}

/** A pause and the run it belongs to; listed while it is open. */
export interface MemoryPause {
  readonly run: MemoryRun;
  readonly pause: Pause;
}

const FEW = 8;
const NO_ROW = {} as RunRow;
const NO_RECORDS: JournalRecord[] = [];

/** A run with all that is known of it. Its row is replaced, never changed: rows that were given out stay as they are. */
export class MemoryRun implements Forgettable {
  readonly key: string;
  /** Rises from run to run. */
  readonly order: number;
  forgotten = false;
  row: RunRow;
  readonly thread: MemoryThread;
  records: JournalRecord[] = [];
  leaseBy: string | undefined;
  leaseUntil: number;
  cancelAsked = false;
  /** A pause was answered since the run was parked. */
  woken = false;
  /** By id, answered ones too. */
  pauses: Map<string, MemoryPause> | undefined;
  /** By name, in the order they came. */
  signals: Map<string, Signal> | undefined;
  /** Neighbors in the thread's chain of ended runs. */
  older: MemoryRun | undefined;
  newer: MemoryRun | undefined;
  /** The run of the store that ended next. */
  endedNext: MemoryRun | undefined;
  #keys: Set<string> | undefined;

  constructor(run: NewRun, thread: MemoryThread, lease: Lease, order: number) {
    this.key = run.id;
    this.order = order;
    this.row = rowOf(run, thread.head, "running", undefined, undefined, 1);
    this.thread = thread;
    this.leaseBy = lease.by;
    this.leaseUntil = lease.until;
  }

  get ended(): boolean {
    return this.row.endedAt !== undefined;
  }

  /** Whether a writer of that epoch may write. */
  accepts(epoch: number): boolean {
    return this.row.epoch === epoch && this.row.endedAt === undefined;
  }

  /** Changes the row's status and epoch. */
  turn(status: RunStatus, epoch: number): void {
    this.row = rowOf(this.row, this.row.n, status, undefined, undefined, epoch);
  }

  end(outcome: Outcome, at: number): void {
    this.row = rowOf(this.row, this.row.n, outcome.status, at, outcome, this.row.epoch);
    // A list that grew has room for more, and this one grows no more.
    this.records = this.records.slice();
    this.cancelAsked = false;
    this.giveUpLease();
  }

  /** Only the shell stays, until the store's map drops it. */
  forget(): void {
    this.forgotten = true;
    this.row = NO_ROW;
    this.records = NO_RECORDS;
    this.pauses = this.signals = this.#keys = undefined;
  }

  giveUpLease(): void {
    this.leaseBy = undefined;
    this.leaseUntil = 0;
  }

  /** Appends all of them, or none where a key is there twice. */
  add(records: readonly JournalRecord[]): void {
    const before = this.records.length;
    for (let i = 0; i < records.length; i++) {
      const record = records[i]!;
      if (this.#has(record.key)) {
        this.records.length = before;
        this.#keys = undefined;
        throw new JournalError(
          "An operation was recorded twice",
          `${record.key} of run ${this.row.id}`,
          "Nothing was written. Operations of a run need different keys.",
        );
      }
      this.records.push(record);
      this.#keys?.add(record.key);
    }
  }

  /** A short run is searched; a set of keys would cost it more. */
  #has(key: string): boolean {
    if (this.#keys !== undefined) return this.#keys.has(key);
    const { records } = this;
    for (let i = 0; i < records.length; i++) if (records[i]!.key === key) return true;
    if (records.length >= FEW) this.#keys = new Set(records.map((record) => record.key));
    return false;
  }
}

/** Written out, so that every row has one shape. */
function rowOf(
  run: NewRun,
  n: number,
  status: RunStatus,
  endedAt: number | undefined,
  outcome: Outcome | undefined,
  epoch: number,
): RunRow {
  return {
    id: run.id,
    threadId: run.threadId,
    n,
    status,
    workflow: run.workflow,
    agent: run.agent,
    prompt: run.prompt,
    owner: run.owner,
    metadata: run.metadata,
    model: run.model,
    toolNames: run.toolNames,
    hadContext: run.hadContext,
    loopVersion: run.loopVersion,
    createdAt: run.createdAt,
    endedAt,
    outcome,
    epoch,
  };
}
