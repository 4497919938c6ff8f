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

/** Lists up to this length are searched and copied. */
const FEW = 8;
const NO_ROW = {} as RunRow;
const NO_RECORDS: readonly JournalRecord[] = [];

/** A run with all that is known of it. Its row is replaced, never changed: rows that were given out stay as they are. */
export class MemoryRun implements Forgettable {
  // What is touched when the run is forgotten comes first: by then it is far from the processor.
  readonly key: string;
  forgotten = false;
  readonly thread: MemoryThread;
  /** Neighbors in the thread's chain of ended runs. */
  older: MemoryRun | undefined;
  newer: MemoryRun | undefined;
  /** The run of the store that ended next. */
  endedNext: MemoryRun | undefined;
  /** By id, answered ones too. */
  pauses: Map<string, MemoryPause> | undefined;
  #row: RunRow;
  /** How it ended. Its row has it too once somebody asks for the row: few do. */
  #outcome: Outcome | undefined;
  /** Of a short run exactly as long as it must be; a long one's grows. */
  records: readonly JournalRecord[] = NO_RECORDS;
  /** Rises from run to run. */
  readonly order: number;
  leaseBy: string | undefined;
  leaseUntil: number;
  cancelAsked = false;
  /** A pause was answered since the run was parked. */
  woken = false;
  /** By name, in the order they came. */
  signals: Map<string, Signal> | undefined;
  #endedAt = 0;
  #keys: Set<string> | undefined;

  constructor(run: NewRun, thread: MemoryThread, lease: Lease, order: number) {
    this.key = run.id;
    this.order = order;
    this.#row = rowOf(run, thread.head, "running", undefined, undefined, 1);
    this.thread = thread;
    this.leaseBy = lease.by;
    this.leaseUntil = lease.until;
  }

  get row(): RunRow {
    const row = this.#row;
    const outcome = this.#outcome;
    if (outcome === undefined || row.outcome !== undefined) return row;
    return (this.#row = rowOf(row, row.n, outcome.status, this.#endedAt, outcome, row.epoch));
  }

  get ended(): boolean {
    return this.#outcome !== undefined;
  }

  /** A paused run waits in vain until a pause is answered or somebody asks to cancel it. */
  get runnable(): boolean {
    return this.#row.status !== "paused" || this.woken || this.cancelAsked;
  }

  get signalList(): readonly Signal[] {
    return this.signals === undefined ? [] : [...this.signals.values()];
  }

  /** Whether a writer of that epoch may write. */
  accepts(epoch: number): boolean {
    return this.#row.epoch === epoch && !this.ended;
  }

  /** Changes the row's status and epoch. */
  turn(status: RunStatus, epoch: number): void {
    this.#row = rowOf(this.#row, this.#row.n, status, undefined, undefined, epoch);
  }

  end(outcome: Outcome, at: number): void {
    this.#outcome = outcome;
    this.#endedAt = at;
    this.cancelAsked = false;
    // Nothing is added any more.
    this.#keys = undefined;
    this.giveUpLease();
  }

  /** Only the shell stays, until the store's map drops it. */
  forget(): void {
    this.forgotten = true;
    this.#row = NO_ROW;
    this.#outcome = undefined;
    this.records = NO_RECORDS;
    if (this.pauses !== undefined) this.pauses = this.signals = undefined;
  }

  giveUpLease(): void {
    this.leaseBy = undefined;
    this.leaseUntil = 0;
  }

  /** Appends all of them, or none where a key is there twice. `distinct`: it is known that none is. */
  add(records: readonly JournalRecord[], distinct: boolean): void {
    const before = this.records;
    const many = before.length + records.length > FEW;
    if (!distinct) this.#refuseKnown(before, records, many);
    else if (many) this.#keys = undefined;
    if (before.length > FEW) for (const record of records) (before as JournalRecord[]).push(record);
    else this.records = before.length === 0 && !many ? records : joined(before, records);
  }

  #refuseKnown(before: readonly JournalRecord[], records: readonly JournalRecord[], many: boolean): void {
    for (let i = 0; i < records.length; i++) {
      const { key } = records[i]!;
      if (many ? this.#isKnown(key) : hasKey(before, key, before.length) || hasKey(records, key, i)) {
        this.#keys = undefined;
        throw new JournalError(
          "An operation was recorded twice",
          `${key} of run ${this.key}`,
          "Nothing was written. Operations of a run need different keys.",
        );
      }
    }
  }

  /** A long run has a set of its keys. Adds the key where it is not known. */
  #isKnown(key: string): boolean {
    const keys = (this.#keys ??= new Set(this.records.map((record) => record.key)));
    const known = keys.size;
    return keys.add(key).size === known;
  }
}

/** A short list is searched; a set of keys would cost more. */
function hasKey(records: readonly JournalRecord[], key: string, count: number): boolean {
  for (let i = 0; i < count; i++) if (records[i]!.key === key) return true;
  return false;
}

/** `concat` takes as long as ten of these. */
function joined(before: readonly JournalRecord[], records: readonly JournalRecord[]): readonly JournalRecord[] {
  const count = before.length;
  const all = new Array<JournalRecord>(count + records.length);
  for (let i = 0; i < count; i++) all[i] = before[i]!;
  for (let i = 0; i < records.length; i++) all[count + i] = records[i]!;
  return all;
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
