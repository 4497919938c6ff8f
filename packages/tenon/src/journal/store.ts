import type { Ledger } from "../finops/ledger.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { Outcome, RunStatus } from "../protocol/outcome.js";
import type { Pause, PauseAudit } from "../protocol/pause.js";
import type { Maybe } from "../util/class.js";

/** A decision or an event on its way to a waiting run. */
export interface Signal {
  /** Makes it idempotent. */
  readonly id: string;
  readonly name: string;
  readonly value: JsonValue;
  /** When it came, in milliseconds since 1970. The same signal again keeps the first. */
  readonly at: number;
}

/** A run as it is stored. Plain data. */
export interface RunRow {
  readonly id: string;
  readonly threadId: string;
  /** Its number in its thread, from 1. */
  readonly n: number;
  readonly status: RunStatus;
  readonly workflow: string;
  readonly agent: string;
  readonly prompt: string;
  readonly owner: string | undefined;
  readonly metadata: JsonObject;
  /** The model's id if the caller gave one as a string; several are a list of ids. */
  readonly model: string | readonly string[] | undefined;
  /** Names of the tools given with this run alone. */
  readonly toolNames: readonly string[];
  /** Whether the caller gave an execution context, which is never stored. */
  readonly hadContext: boolean;
  /** The loop's own version: a change of the loop is visible to old runs. */
  readonly loopVersion: number;
  readonly createdAt: number;
  readonly endedAt: number | undefined;
  readonly outcome: Outcome | undefined;
  /** Rises each time the run is picked up; a writer with an older one is refused. */
  readonly epoch: number;
}

/** One finished operation. Append-only; unique on (run, key). */
export interface JournalRecord {
  readonly key: string;
  /** The task's name, or `wait`. */
  readonly type: string;
  /** Version of the value's shape, per type. */
  readonly v: number;
  readonly activation: string;
  readonly value: JsonValue;
}

/** Who may write, and until when nobody else may. */
export interface Lease {
  /** The process (one app object). */
  readonly by: string;
  readonly until: number;
}

export type NewRun = Omit<RunRow, "n" | "status" | "endedAt" | "outcome" | "epoch">;

export type StartResult =
  | { readonly kind: "started"; readonly run: RunRow }
  /** A run of this id is there. */
  | { readonly kind: "exists"; readonly run: RunRow }
  /** The thread belongs to another owner; nothing was written. */
  | { readonly kind: "owner" }
  /** The thread's holder has not ended, or (without a holder) somebody waits for the thread since earlier. `ticket` is the place in the queue, kept if one was asked for. `holderLeaseUntil` is 0 where nobody has it. */
  | {
      readonly kind: "busy";
      readonly holder: RunRow | undefined;
      readonly holderLeaseUntil: number;
      readonly pauses: readonly Pause[];
      readonly ticket: number | undefined;
    };

export interface StartRequest {
  readonly run: NewRun;
  readonly lease: Lease;
  readonly now: number;
  /** Queue up where the thread is busy: `true` for a new place, a number for the place already had. First come, first served, across processes. */
  readonly queue: boolean | number;
  /** The run's id was made for it and is known to nobody: there is no other run of it and no thread of that name, and the store need not look for one. */
  readonly fresh?: boolean | undefined;
}

export interface Append {
  readonly runId: string;
  readonly epoch: number;
  readonly records: readonly JournalRecord[];
  /**
   * The writer found none of these keys among the run's records before it came to them, and comes to each once: a store that
   * would have to keep a list of keys to tell need not. Without it a key that is there already is refused, and nothing is written.
   */
  readonly distinct?: boolean | undefined;
  /**
   * Waits that opened: kept once by id, listed by `pauses` until they are answered. Where somebody asked to cancel the run
   * before, they are answered as cancelled at once; but not those that are `in-doubt`.
   */
  readonly opened?: readonly Pause[] | undefined;
  /**
   * The run ends with these records, in the same transaction: its thread is free, its lease gone, and its open pauses are
   * answered with `{ lapsed: "cancelled" }`; but those that are `in-doubt` stay open until somebody answers them.
   */
  readonly end?: { readonly outcome: Outcome; readonly at: number } | undefined;
}

/** `fenced`: the epoch is not the run's current one, or the run has ended; nothing was written. */
export type AppendResult = "written" | "fenced";

export type PickUpResult =
  | {
      readonly kind: "picked-up";
      readonly run: RunRow;
      readonly records: readonly JournalRecord[];
      readonly signals: readonly Signal[];
      readonly cancelAsked: boolean;
    }
  | { readonly kind: "held"; readonly until: number }
  | { readonly kind: "ended"; readonly run: RunRow }
  /** It is paused, none of its open pauses is answered, and nobody asked to cancel it. */
  | { readonly kind: "waiting"; readonly run: RunRow; readonly pauses: readonly Pause[] }
  | { readonly kind: "absent" };

export type ParkResult = "parked" | "fenced" | { readonly signals: readonly Signal[]; readonly cancelAsked: boolean };

export type SignalResult =
  | { readonly kind: "recorded" }
  | { readonly kind: "absent" }
  /**
   * Nothing was written but, for a pause whose time is over, that it expired. `answered`: a signal of that name with another
   * value is there, as for every pause that ended.
   */
  | { readonly kind: "refused"; readonly name: string; readonly why: "unknown" }
  | { readonly kind: "refused"; readonly name: string; readonly why: "answered"; readonly known: JsonValue };

export type CancelResult =
  | { readonly kind: "ended"; readonly run: RunRow }
  | { readonly kind: "absent" }
  /** A process has it (its lease is live): the mark is set, and it sees it when it renews its lease. */
  | { readonly kind: "asked" }
  /** Nobody has it: the mark is set, and the caller picks it up to end it. */
  | { readonly kind: "free" };

export interface Renewed {
  /** Runs whose lease is gone: somebody else has them. */
  readonly lost: readonly string[];
  /** Runs that somebody asked to cancel. */
  readonly cancels: readonly string[];
  /** The signals of runs that got one since they were picked up, or since the last renewal that told of one. */
  readonly woken: readonly { readonly runId: string; readonly signals: readonly Signal[] }[];
}

export interface RunFilter {
  readonly status?: readonly RunStatus[] | undefined;
  readonly threadId?: string | undefined;
  /** Only runs that a process may pick up at `now`: not ended, no live lease, and not waiting in vain. */
  readonly runnableAt?: number | undefined;
  /** Newest first; default 100. */
  readonly limit?: number | undefined;
}

/** Of one run, of one thread, or all. */
export interface PauseFilter {
  readonly runId?: string | undefined;
  readonly threadId?: string | undefined;
}

export interface PastRun {
  readonly run: RunRow;
  readonly records: readonly JournalRecord[];
}

/**
 * Where runs, threads and pauses are kept: the port of the embedded engine. Each method is one transaction. A store answers
 * at once where it can and gives a promise only where it must wait (a locked file). Values are JSON and belong to the
 * store once given: nobody changes them.
 */
export interface Store {
  /** `memory`, `sqlite`. */
  readonly kind: string;
  /** Where it is, in words for people: a path, or `memory`. */
  readonly location: string;
  /** What was spent: entries of runs that are forgotten keep their amounts and lose their names. */
  readonly ledger: Ledger;
  start(request: StartRequest): Maybe<StartResult>;
  append(batch: Append): Maybe<AppendResult>;
  /** Takes a run that has not ended and has no live lease; raises its epoch. */
  pickUp(runId: string, lease: Lease, now: number): Maybe<PickUpResult>;
  /**
   * Marks the run as paused and gives up its lease; but where a signal named in `waits` (a pause's id) is there, or a cancel
   * was asked for, changes nothing and gives the signals.
   */
  park(runId: string, epoch: number, waits: readonly string[]): Maybe<ParkResult>;
  /** Gives up the lease, leaving the run for whoever picks it up. */
  release(runId: string, epoch: number): Maybe<void>;
  /**
   * All or nothing. The same value twice is harmless, also after the run ended. A pause takes none past its `expiresAt`: it is
   * answered as expired then. A pause that is still open when its run has ended (`in-doubt`) takes one for the audit alone.
   */
  signal(runId: string, signals: readonly Signal[]): Maybe<SignalResult>;
  /**
   * Marks a run to be ended, and answers its open pauses with `lapsed` in the same transaction, so that no later decision
   * counts; but those that are `in-doubt` stay open.
   */
  cancel(runId: string, now: number, lapsed: "cancelled" | "superseded"): Maybe<CancelResult>;
  /** Answers all open pauses whose time is over with `{ lapsed: "expired" }`. */
  expire(now: number): Maybe<void>;
  /** Renews the leases of these runs and the queue tickets of `by`. */
  renew(runs: readonly { readonly runId: string; readonly epoch: number }[], lease: Lease): Maybe<Renewed>;
  /** Gives up a place in a thread's queue. */
  leaveQueue(threadId: string, ticket: number): Maybe<void>;
  run(runId: string): Maybe<RunRow | undefined>;
  records(runId: string): Maybe<readonly JournalRecord[]>;
  runs(filter: RunFilter): Maybe<readonly RunRow[]>;
  /** The owner of a thread, or `undefined` without such a thread. */
  thread(threadId: string): Maybe<{ readonly owner: string | undefined } | undefined>;
  /** The last `count` ended runs of a thread before run number `before`, oldest first, with their records. */
  window(threadId: string, before: number, count: number): Maybe<readonly PastRun[]>;
  /** Open pauses, oldest first. */
  pauses(filter: PauseFilter): Maybe<readonly Pause[]>;
  /** All pauses of a run, in the order they opened, with what became of each. */
  audit(runId: string): Maybe<readonly PauseAudit[]>;
  /** Threads of an owner. */
  threadsOf(owner: string): Maybe<readonly string[]>;
  /**
   * Forgets runs that ended before a time (milliseconds since 1970) and have no open pause, with all that belongs to them, and
   * gives how many; at most `limit` at a time. A thread without a run left is forgotten too, its owner with it; but the last
   * run of a thread that somebody waits for stays. Runs that go on in the thread keep their numbers.
   */
  prune(endedBefore: number, limit: number): Maybe<number>;
  /**
   * Forgets a whole thread and who waits for it, if none of its runs is open: gives how many runs it had, or the run that is
   * in the way.
   */
  erase(threadId: string): Maybe<{ readonly erased: number } | { readonly open: RunRow }>;
  /** Whether it can be read and written now. */
  check(): Maybe<void>;
  close(): Maybe<void>;
}
