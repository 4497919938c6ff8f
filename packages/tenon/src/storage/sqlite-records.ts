import { JournalError } from "../errors/run-errors.js";
import type { Append, AppendResult, JournalRecord, PastRun } from "../journal/store.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { isConstraint } from "./sqlite-errors.js";
import { closePauses, openPause } from "./sqlite-pauses.js";
import { END_KEY, endedRunsBefore } from "./sqlite-runs.js";
import { fromJsonText, fromText, toJsonText, toText } from "./sqlite-text.js";

interface Columns {
  readonly key: string;
  readonly type: string;
  readonly v: number;
  readonly activation: string;
  readonly json: string;
}

/** One statement fences and writes: it inserts nothing where the epoch is not the current one of an open run. */
const INSERT = `INSERT INTO records (run, key, epoch, seq, type, v, activation, json) SELECT o.run, ?, o.epoch, ?, ?, ?, ?, ?
  FROM runs r JOIN open_runs o ON o.run = r.seq WHERE r.id = ? AND o.epoch = ?`;
const FENCE = `SELECT o.run, EXISTS (SELECT 1 FROM pauses p WHERE p.run = o.run AND p.open = 1) AS waits
  FROM runs r JOIN open_runs o ON o.run = r.seq WHERE r.id = ? AND o.epoch = ?`;
const OF_RUN = `SELECT key, type, v, activation, json FROM records WHERE run = ? AND key <> '${END_KEY}' ORDER BY epoch, seq`;

/** See `Store.append`. */
export function appendRecords(connection: SqliteConnection, batch: Append): AppendResult {
  const { records, opened, end, runId, epoch } = batch;
  const id = toText(runId);
  // A statement alone is a transaction.
  if (records.length === 1 && opened === undefined && end === undefined)
    return insertRecord(connection, id, runId, epoch, records[0]!);
  return connection.transaction(() => {
    const fence = connection.row<{ run: number; waits: number }>(FENCE, id, epoch);
    if (fence === undefined) return "fenced";
    for (const record of records) insertRecord(connection, id, runId, epoch, record);
    if (opened !== undefined) for (const pause of opened) openPause(connection, fence.run, pause);
    if (end !== undefined) {
      connection.change(INSERT, END_KEY, connection.nextOrder(), end.outcome.status, 1, "", toJsonText(end), id, epoch);
      if (fence.waits === 1 || opened !== undefined) closePauses(connection, fence.run);
      connection.change("DELETE FROM open_runs WHERE run = ?", fence.run);
    }
    return "written";
  });
}

/** The records of a run in the order they were written. */
export function recordsOf(connection: SqliteConnection, seq: number): readonly JournalRecord[] {
  return connection.rows<Columns>(OF_RUN, seq).map(({ key, type, v, activation, json }) => ({
    key: fromText(key),
    type: fromText(type),
    v,
    activation: fromText(activation),
    value: fromJsonText(json),
  }));
}

/** See `Store.window`. What has ended never changes, so its parts are read one after the other. */
export function windowOf(
  connection: SqliteConnection,
  threadId: string,
  before: number,
  count: number,
): readonly PastRun[] {
  if (before <= 1 || count <= 0) return [];
  const past = endedRunsBefore(connection, threadId, before, count).map(({ row, seq }) => ({
    run: row,
    records: recordsOf(connection, seq),
  }));
  return past.reverse();
}

function insertRecord(
  connection: SqliteConnection,
  id: string,
  runId: string,
  epoch: number,
  record: JournalRecord,
): AppendResult {
  const { key, type, v, activation, value } = record;
  try {
    const written = connection.change(
      INSERT,
      toText(key),
      connection.nextOrder(),
      toText(type),
      v,
      toText(activation),
      toJsonText(value),
      id,
      epoch,
    );
    return written === 1 ? "written" : "fenced";
  } catch (thrown) {
    if (!isConstraint(thrown)) throw thrown;
    throw new JournalError(
      "An operation was recorded twice",
      `${key} of run ${runId}`,
      "Nothing was written. Operations of a run need different keys.",
      thrown,
    );
  }
}
