import type { JsonObject } from "../protocol/json.js";
import type { Outcome } from "../protocol/outcome.js";
import type { RunFilter, RunRow } from "../journal/store.js";
import { wholeText } from "./sqlite-blobs.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { RUN_OF_ID, runsOfThread } from "./sqlite-names.js";
import { END_KEY, hasEnded, lastOf } from "./sqlite-positions.js";
import { fromJsonText, fromText, toText } from "./sqlite-text.js";

/** How a run ended, as its last record keeps it. */
export interface Ending {
  readonly at: number;
  readonly outcome: Outcome;
}

/** A run with the state it has while it is open. */
export interface StoredRun {
  readonly seq: number;
  /** Its thread's id as the tables have it. */
  readonly thread: string;
  readonly row: RunRow;
  readonly open: OpenState | undefined;
}

export interface OpenState {
  readonly leaseBy: string | null;
  readonly leaseUntil: number;
  /** A pause was answered since it was parked. */
  readonly woken: number;
  readonly cancel: number;
}

/** Everything of a run that never changes and is not a column. */
export interface RunInput {
  readonly workflow: string;
  readonly prompt: string;
  readonly owner?: string | undefined;
  readonly metadata: JsonObject;
  readonly model?: string | readonly string[] | undefined;
  readonly toolNames: readonly string[];
  readonly hadContext: boolean;
}

interface Columns {
  readonly seq: number;
  readonly id: string;
  readonly thread: string;
  readonly n: number;
  readonly agent: string;
  readonly input: string | null;
  readonly createdAt: number;
  readonly loopVersion: number;
  readonly status: "running" | "paused" | null;
  readonly epoch: number | null;
  readonly leaseBy: string | null;
  readonly leaseUntil: number;
  readonly woken: number;
  readonly cancel: number;
  readonly lastEpoch: number | null;
  readonly ending: string | null;
}

const SELECT = `SELECT r.seq, r.id, r.thread, r.n, r.agent, ${wholeText("r.input", "r.seq", "'input'")} AS input,
  r.created_at AS createdAt, r.loop_version AS loopVersion,
  o.status, o.epoch, o.lease_by AS leaseBy, o.lease_until AS leaseUntil, o.woken, o.cancel,
  e.epoch AS lastEpoch, ${wholeText("e.json", "r.seq", "'record ' || e.at")} AS ending
  FROM runs r LEFT JOIN open_runs o ON o.thread = r.thread AND o.n = r.n
  LEFT JOIN records e ON e.at = ${lastOf("r.seq")} AND e.key = '${END_KEY}'`;

const BY_ID = `${SELECT} WHERE r.seq = (${RUN_OF_ID} LIMIT 1)`;
const BY_SEQ = `${SELECT} WHERE r.seq = ?`;
/** One run of a thread may be open, so one more than are wanted may be looked at. */
const ENDED_BEFORE = `${SELECT} WHERE r.seq IN (SELECT run FROM (${runsOfThread("?1", "?2")} LIMIT ?3 + 1)) AND e.at IS NOT NULL
  ORDER BY r.n DESC LIMIT ?3`;
const RUNNABLE = `SELECT run FROM open_runs WHERE lease_until <= ? AND (status = 'running' OR woken = 1 OR cancel = 1)
  AND NOT ${hasEnded("run")}`;

/** The run of an id. */
export function findRun(connection: SqliteConnection, id: string): StoredRun | undefined {
  return stored(connection.row<Columns>(BY_ID, toText(id)));
}

/** The run of an internal number. */
export function runOfSeq(connection: SqliteConnection, seq: number): StoredRun | undefined {
  return stored(connection.row<Columns>(BY_SEQ, seq));
}

/** The last `count` ended runs of a thread before run number `before`, newest first. */
export function endedRunsBefore(
  connection: SqliteConnection,
  threadId: string,
  before: number,
  count: number,
): readonly StoredRun[] {
  return connection.rows<Columns>(ENDED_BEFORE, toText(threadId), before, toLimit(count)).map(toStored);
}

/** Runs that a filter lets through, newest first. */
export function listRuns(connection: SqliteConnection, filter: RunFilter): readonly RunRow[] {
  const where: string[] = [];
  const values: (string | number)[] = [];
  if (filter.runnableAt !== undefined) {
    // From `open_runs`, so that its cost does not grow with the runs that have ended.
    where.push(`r.seq IN (${RUNNABLE})`);
    values.push(filter.runnableAt);
  }
  if (filter.threadId !== undefined) {
    const thread = toText(filter.threadId);
    where.push(`r.seq IN (SELECT run FROM (${runsOfThread("?")}))`);
    values.push(thread, thread);
  }
  if (filter.status !== undefined) {
    where.push("coalesce(e.type, o.status) IN (SELECT value FROM json_each(?))");
    values.push(JSON.stringify(filter.status));
  }
  const sql = `${SELECT}${where.length === 0 ? "" : ` WHERE ${where.join(" AND ")}`} ORDER BY r.seq DESC LIMIT ?`;
  return connection.rows<Columns>(sql, ...values, toLimit(filter.limit ?? 100)).map((columns) => toStored(columns).row);
}

/** A negative LIMIT would be none at all, and one with a fraction an error. */
export function toLimit(count: number): number {
  return Math.min(Math.max(0, Math.trunc(count) || 0), Number.MAX_SAFE_INTEGER - 1);
}

function stored(columns: Columns | undefined): StoredRun | undefined {
  return columns === undefined ? undefined : toStored(columns);
}

function toStored(columns: Columns): StoredRun {
  const input = fromJsonText<RunInput>(columns.input);
  const ending = columns.lastEpoch === null ? undefined : fromJsonText<Ending>(columns.ending);
  const row: RunRow = {
    id: fromText(columns.id),
    threadId: fromText(columns.thread),
    n: columns.n,
    status: ending?.outcome.status ?? columns.status ?? "running",
    workflow: input.workflow,
    agent: fromText(columns.agent),
    prompt: input.prompt,
    owner: input.owner,
    metadata: input.metadata,
    model: input.model,
    toolNames: input.toolNames,
    hadContext: input.hadContext,
    loopVersion: columns.loopVersion,
    createdAt: columns.createdAt,
    endedAt: ending?.at,
    outcome: ending?.outcome,
    epoch: columns.lastEpoch ?? columns.epoch ?? 1,
  };
  const isOpen = columns.status !== null && ending === undefined;
  return { seq: columns.seq, thread: columns.thread, row, open: isOpen ? columns : undefined };
}
